import { LogError } from "../log.ts";
import { toOffset } from "./answer.ts";
import { type Coordinator, isLost, isRebalancing } from "./coordinator.ts";
import { toLogError } from "./errors.ts";
import type { Generation } from "./group.ts";

export interface Commit {
  /** The topic's name on the brokers. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** With a generation that has passed, nothing is committed: `partition_moved`. Throws LogErrors. */
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

/** By partition, 0 where the group has committed nothing. Throws LogErrors. */
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
