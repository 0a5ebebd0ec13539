import { systemClock } from "../../clock.ts";
import {
  assignmentName,
  assignPartitions,
  decodeAssignment,
  decodeTopics,
  encodeAssignment,
  encodeTopics,
} from "./assignment.ts";
import { type Coordinator, isLost, isRebalancing } from "./coordinator.ts";

export interface SessionTerms {
  /** Brokers give the partitions of a member away that they have not heard of for so long. */
  readonly timeoutMs: number;
  /** How often a member lets hear of itself, so also how soon it hears of a rebalance. */
  readonly heartbeatMs: number;
  /** What members may take to finish work in hand when partitions are shared out anew. */
  readonly rebalanceMs: number;
}

export interface Membership {
  readonly coordinator: Coordinator;
  /** The topic's name on the brokers. */
  readonly topic: string;
  /** Of every topic. */
  readonly partitions: number;
  readonly session: SessionTerms;
}

/** One sharing out of the partitions: what is committed in its name is refused as soon as there is another. */
export interface Generation {
  readonly memberId: string;
  readonly generationId: number;
  readonly partitions: readonly number[];
}

/** This process among the members of a group, by the id that the brokers give it when it first joins. */
export interface Member {
  /** Takes part in sharing out the partitions. Throws kafkajs' errors; the next try is by the same id if it still counts. */
  join(): Promise<Generation>;
  /** Lets hear of the member until `signal` aborts or the partitions are lost. */
  keepAlive(generation: Generation, options: KeepAliveOptions): Promise<void>;
  /** Lets others have the partitions at once. Throws kafkajs' errors. */
  leave(): Promise<void>;
}

/**
 * Why a generation ends: partitions are to be shared out anew, have been without this member, or must have been by now,
 * as the coordinator was out of reach for a whole session.
 */
export type Ending = "rebalancing" | "expelled" | "unreachable";

interface KeepAliveOptions {
  readonly signal: AbortSignal;
  /** May be told again of what lasts. */
  onEnding(why: Ending): void;
  onTrouble(error: unknown): void;
}

export function createMember({ coordinator, topic, partitions, session }: Membership): Member {
  const { group: groupId } = coordinator;
  let memberId = "";

  const forgetIfLost = (error: unknown): never => {
    if (isLost(error)) memberId = "";
    throw error;
  };

  async function join(): Promise<Generation> {
    const joined = await coordinator.ask((broker) =>
      broker.joinGroup({
        ...{ groupId, memberId, sessionTimeout: session.timeoutMs, rebalanceTimeout: session.rebalanceMs },
        groupProtocols: [{ name: assignmentName, metadata: encodeTopics([topic]) }],
      }),
    );
    memberId = joined.memberId;
    // Members are told to the leader alone, who shares out for all.
    const members = joined.members.map((member) => ({ ...member, topics: decodeTopics(member.memberMetadata) }));
    const groupAssignment = [...assignPartitions(members, partitions)].map(([id, byTopic]) => ({
      ...{ memberId: id, memberAssignment: encodeAssignment(byTopic) },
    }));
    const { generationId } = joined;
    const synced = await coordinator.ask((broker) =>
      broker.syncGroup({ groupId, generationId, memberId, groupAssignment }),
    );
    return { memberId, generationId, partitions: decodeAssignment(synced.memberAssignment, topic) };
  }

  return {
    join: () => join().catch(forgetIfLost),
    async keepAlive({ generationId }, { signal, onEnding, onTrouble }) {
      let heardAt = Date.now();
      while (!signal.aborted) {
        const sentAt = Date.now();
        try {
          await coordinator.ask((broker) => broker.heartbeat({ groupId, groupGenerationId: generationId, memberId }));
          heardAt = sentAt;
        } catch (error) {
          if (isLost(error)) return onEnding("expelled");
          if (isRebalancing(error)) heardAt = sentAt;
          else onTrouble(error);
          if (isRebalancing(error)) onEnding("rebalancing");
          else if (sentAt - heardAt > session.timeoutMs) onEnding("unreachable");
        }
        await systemClock.sleep(session.heartbeatMs, signal);
      }
    },
    async leave() {
      if (memberId === "") return;
      const me = { groupId, memberId };
      memberId = "";
      await coordinator.ask((broker) => broker.leaveGroup(me));
    },
  };
}
