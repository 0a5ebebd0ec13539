import { type Broker, type Cluster, type Kafka, PartitionAssigners } from "kafkajs";
import { systemClock } from "../../clock.ts";
import { kafkaTypeOf, toLogError } from "./errors.ts";

/*
 * All that this adapter uses of kafkajs beyond its producer and its admin: the connections (`Cluster`, `Broker`), as its
 * types describe them, which it hands to an assigner of partitions, a public option; and the four requests of a group's
 * member (`GroupBroker`), which the types leave out and a new release may change.
 *
 * kafkajs's own consumer is not used. It is as fast (counting messages 0.9 to 1.3 times, by `npm run bench -- loader`), but
 * it cannot keep what the log promises:
 *
 * - One member at a time works on a partition. It joins a rebalance the moment it hears of it: only an `eachBatch` that
 *   does not return holds it up, and with it all other partitions of that broker. Of 44 partitions that were shared out
 *   while members came and went, 18 began with the earlier member's work still in hand, which took it 0.3 s.
 * - `read` and `follow` are in no group and begin at once: whoever takes a partition over reads its open calls first. It
 *   reads as a member of a group alone. A group that was made for one read took 46 ms, where ours takes 9; and brokers
 *   that are set to nothing else wait 3 s for further members of a new group (group.initial.rebalance.delay.ms).
 * - An offset beyond the end is refused. It goes on at one of the ends without a word.
 */

/** The connections of one consumer or reader; not connected yet. */
function createConnections(kafka: Kafka): Cluster {
  const found: Cluster[] = [];
  kafka.consumer({
    groupId: "none",
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        found.push(config.cluster);
        return PartitionAssigners.roundRobin(config);
      },
    ],
  });
  const [cluster] = found;
  if (cluster === undefined) throw new Error("This release of kafkajs does not hand its connections to assigners.");
  return cluster;
}

/** Throws `log_unavailable`. */
export async function openConnections(kafka: Kafka, topics: readonly string[]): Promise<Cluster> {
  const cluster = createConnections(kafka);
  try {
    await cluster.connect();
    await cluster.addMultipleTargetTopics([...topics]);
    return cluster;
  } catch (error) {
    await cluster.disconnect();
    throw toLogError(error);
  }
}

/** Attempts at a request; the pauses add up to 1.5 s, in which most partitions get a new leader. */
const usualAttempts = 5;

/**
 * Asks again with fresh knowledge of who leads what, where an answer may be due to a broker that has gone or handed its
 * partitions on. Throws a LogError.
 */
export async function withFreshLeaders<T>(
  cluster: Cluster,
  ask: () => Promise<T>,
  attempts = usualAttempts,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const known = toLogError(error);
      if (attempt === attempts || known.code !== "log_unavailable") throw known;
    }
    await systemClock.sleep(50 * 2 ** attempt);
    // A failure is ignored: the request that follows fails for the same reason and reports it.
    await cluster.refreshMetadata().catch(() => undefined);
  }
}

/** The requests of a group's member, which kafkajs' types leave out. */
export interface GroupBroker extends Broker {
  joinGroup(request: {
    groupId: string;
    sessionTimeout: number;
    rebalanceTimeout: number;
    memberId: string;
    groupProtocols: readonly { name: string; metadata: Buffer }[];
  }): Promise<{
    generationId: number;
    leaderId: string;
    memberId: string;
    /** The members, for the leader only; empty for others. */
    members: readonly { memberId: string; memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    groupId: string;
    generationId: number;
    memberId: string;
    groupAssignment: readonly { memberId: string; memberAssignment: Buffer }[];
  }): Promise<{ memberAssignment: Buffer }>;
  heartbeat(request: { groupId: string; groupGenerationId: number; memberId: string }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
}

/** The coordinator has given the generation up: it accepts neither heartbeats nor commits of it. */
const lost = new Set(["UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"]);
export const isLost = (error: unknown): boolean => lost.has(kafkaTypeOf(error) ?? "");

/** Partitions are about to be shared out anew: what is done may still be committed until the next join. */
export const isRebalancing = (error: unknown): boolean => kafkaTypeOf(error) === "REBALANCE_IN_PROGRESS";

/** The broker that keeps a group's members and offsets. */
export interface Coordinator {
  readonly group: string;
  /** Asks again where another broker may have become the coordinator. Throws kafkajs' errors. */
  ask<T>(question: (broker: GroupBroker) => Promise<T>): Promise<T>;
}

/** `group` is the group's name on the brokers. */
export function createCoordinator(cluster: Cluster, group: string): Coordinator {
  let known: string | null = null;
  const find = async (): Promise<GroupBroker> => {
    known ??= String((await cluster.findGroupCoordinatorMetadata({ groupId: group })).coordinator.nodeId);
    // Each time: of those who find it disconnected, only this lets one alone connect it again.
    return (await cluster.findBroker({ nodeId: known })) as GroupBroker;
  };
  return {
    group,
    async ask(question) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await question(await find());
        } catch (error) {
          if (attempt === 1 || isLost(error) || isRebalancing(error)) throw error;
          known = null;
        }
      }
    },
  };
}
