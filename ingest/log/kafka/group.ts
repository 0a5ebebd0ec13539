import { AssignerProtocol } from "kafkajs";
import { systemClock } from "../../clock.ts";
import { LogError } from "../log.ts";
import { type Coordinator, isLost, isRebalancing } from "./connections.ts";
import { toLogError } from "./errors.ts";
import { toOffset } from "./fetch-response.ts";
import type { SessionTerms } from "./session.ts";

export interface Membership {
  readonly coordinator: Coordinator;
  /** The topic's name on the brokers. */
  readonly topic: string;
  /** Partitions of every topic. */
  readonly partitions: number;
  readonly session: SessionTerms;
}

/** One assignment of the partitions: commits in its name are refused as soon as there is another. */
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
  /** May be called repeatedly with a lasting cause. */
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
        groupId,
        memberId,
        sessionTimeout: session.timeoutMs,
        rebalanceTimeout: session.rebalanceMs,
        groupProtocols: [{ name: assignmentName, metadata: encodeTopics([topic]) }],
      }),
    );
    memberId = joined.memberId;
    // Members are told to the leader alone, who shares out for all.
    const members = joined.members.map((each) => ({
      memberId: each.memberId,
      topics: decodeTopics(each.memberMetadata),
    }));
    const groupAssignment = [...assignPartitions(members, partitions)].map(([id, byTopic]) => ({
      memberId: id,
      memberAssignment: encodeAssignment(byTopic),
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

interface Commit {
  /** The topic's name on the brokers. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** Commits an offset; a past generation throws `partition_moved`. Throws LogErrors. */
export async function commitOffset(
  coordinator: Coordinator,
  { memberId, generationId }: Generation,
  { topic, partition, offset }: Commit,
): Promise<void> {
  const me = { groupId: coordinator.group, memberId, groupGenerationId: generationId };
  const topics = [{ topic, partitions: [{ partition, offset: String(offset) }] }];
  try {
    await coordinator.ask((broker) => broker.offsetCommit({ ...me, topics }));
  } catch (error) {
    throw isLost(error) || isRebalancing(error) ? partitionMoved(coordinator.group, error) : toLogError(error);
  }
}

/** Returns committed offsets by partition, 0 if the group has committed nothing. Throws LogErrors. */
export async function committedOffsets(
  coordinator: Coordinator,
  topic: string,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // kafkajs' types want an offset in the question.
  const topics = [{ topic, partitions: partitions.map((partition) => ({ partition, offset: "-1" })) }];
  try {
    const { responses } = await coordinator.ask((broker) => broker.offsetFetch({ groupId: coordinator.group, topics }));
    const found = responses.flatMap((response) => response.partitions);
    return new Map(found.map(({ partition, offset }) => [partition, Math.max(0, toOffset(offset))]));
  } catch (error) {
    throw toLogError(error);
  }
}

const partitionMoved = (group: string, cause: unknown) =>
  new LogError(
    "partition_moved",
    `Group "${group}" shares out its partitions anew: this reader can commit no more. Whoever has the partition next goes on from the last commit.`,
    { cause },
  );

/** Members of a group and its leader know by this name how the others share out partitions. */
const assignmentName = "trunkline-by-topic";
/** The version of kafkajs' encoding. */
const version = 0;

interface Subscription {
  readonly memberId: string;
  readonly topics: readonly string[];
}

/**
 * Shares each topic's partitions out over those members that want the topic: the members of a group are not all there
 * for the same one. The same members always get the same, so that a member that comes back finds what it had.
 */
export function assignPartitions(
  members: readonly Subscription[],
  partitions: number,
): Map<string, Map<string, number[]>> {
  const assigned = new Map(members.map(({ memberId }) => [memberId, new Map<string, number[]>()]));
  for (const topic of new Set(members.flatMap((member) => member.topics))) {
    const wanting = members.filter((member) => member.topics.includes(topic)).map(({ memberId }) => memberId);
    wanting.sort();
    for (let partition = 0; partition < partitions; partition++) {
      const byTopic = assigned.get(wanting[partition % wanting.length] ?? "");
      byTopic?.set(topic, [...(byTopic.get(topic) ?? []), partition]);
    }
  }
  return assigned;
}

export const encodeTopics = (topics: readonly string[]): Buffer =>
  AssignerProtocol.MemberMetadata.encode({ version, topics: [...topics], userData: Buffer.alloc(0) });

export const decodeTopics = (metadata: Buffer): readonly string[] =>
  AssignerProtocol.MemberMetadata.decode(metadata)?.topics ?? [];

export const encodeAssignment = (byTopic: ReadonlyMap<string, number[]>): Buffer =>
  AssignerProtocol.MemberAssignment.encode({
    version,
    assignment: Object.fromEntries(byTopic),
    userData: Buffer.alloc(0),
  });

/** The partitions of one topic. */
export const decodeAssignment = (assignment: Buffer, topic: string): readonly number[] =>
  AssignerProtocol.MemberAssignment.decode(assignment)?.assignment[topic] ?? [];
