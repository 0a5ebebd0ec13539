import type { Cluster } from "kafkajs";
import { systemClock } from "../../clock.ts";
import { type ConsumeOptions, LogError, type PartitionFollower, type PartitionReader, type Topic } from "../log.ts";
import { untilDone } from "../until-done.ts";
import type { PartitionBuffer } from "./buffer.ts";
import { type Coordinator, createCoordinator, isLost, isRebalancing } from "./connections.ts";
import { type ConsumerHandle, type ConsumerParts, toConsumerHandle } from "./consumer-handle.ts";
import { toLogError } from "./errors.ts";
import { beyondEnd } from "./fetch.ts";
import { commitOffset, committedOffsets, createMember, type Generation, type Member } from "./group.ts";
import { aborted, unlessAborted, within, workOnAll } from "./partition-workers.ts";
import { readEnds } from "./read.ts";
import { shareForWork } from "./session.ts";

/** Pauses between attempts to join: one that others have overtaken goes on at once. */
const joinAgainMs = 50;
const troubledMs = 1000;
/** Rebalance time-outs, by default three times a webhook's time-out, after which left-over work counts as stuck. */
const rebalancesForLeftOver = 10;
/** A member that cannot say good-bye is missed after its session. */
const leaveWithinMs = 3000;

interface Work {
  readonly parts: ConsumerParts;
  readonly options: ConsumeOptions;
  readonly stopping: AbortController;
  readonly cluster: Cluster;
  readonly coordinator: Coordinator;
  readonly member: Member;
  /** Keyed by partition: the end of all work on it so far, including work that outlasted its generation. */
  readonly ended: Map<number, Promise<unknown>>;
  /** Partitions that it has as far as it knows. */
  held: readonly number[];
}

/** A member of the group, working on its partitions until it is stopped or its work fails. */
export function startConsumer(parts: ConsumerParts, options: ConsumeOptions): ConsumerHandle {
  const stopping = new AbortController();
  const { signal } = stopping;
  const closing: { cleanUp(): Promise<void> } = { cleanUp: async () => undefined };

  const run = async () => {
    const cluster = await untilDone({ clock: systemClock, signal, onTrouble: parts.onTrouble }, parts.connect);
    if (cluster === null) return;
    const { nameOf, groupPrefix, partitions, session } = parts;
    const coordinator = createCoordinator(cluster, `${groupPrefix}${options.group}`);
    const member = createMember({ coordinator, topic: nameOf(options.topic), partitions, session });
    closing.cleanUp = () => cluster.disconnect();
    await workAsMember(
      { parts, options, stopping, cluster, coordinator, member, ended: new Map(), held: [] },
      (joining) => {
        closing.cleanUp = async () => {
          await joining.then(member.leave).catch(() => undefined);
          await cluster.disconnect();
        };
      },
    );
  };

  return toConsumerHandle(run(), { stopping, cleanUp: () => closing.cleanUp().catch(parts.onTrouble) });
}

/** `onAbandoned` is handed an attempt to join that was still under way when the consumer was stopped. */
async function workAsMember(work: Work, onAbandoned: (joining: Promise<unknown>) => void): Promise<void> {
  const { stopping, member, parts } = work;
  const { signal } = stopping;
  try {
    while (!signal.aborted) {
      const joining = joinUntilDone(work);
      const generation = await unlessAborted(signal, joining);
      if (!generation) onAbandoned(joining);
      else await workOnGeneration(work, generation);
    }
  } finally {
    stopping.abort();
    await Promise.all(work.ended.values());
    const leaving = member.leave().catch((error: unknown) => parts.onTrouble(toLogError(error)));
    await within(leaveWithinMs, leaving);
  }
}

async function joinUntilDone(work: Work): Promise<Generation | null> {
  const { member, parts, held } = work;
  const { signal } = work.stopping;
  while (!signal.aborted) {
    try {
      return await member.join();
    } catch (error) {
      const isOvertaken = isRebalancing(error) || isLost(error);
      if (!isOvertaken) parts.onTrouble(toLogError(error));
      if (isLost(error) && held.length > 0) tellAway(work, "expelled");
      await systemClock.sleep(isOvertaken ? joinAgainMs : troubledMs, signal);
    }
  }
  return null;
}

/** Returns when the partitions are to be shared out anew; stops the consumer when its work has failed or is over. */
async function workOnGeneration(work: Work, generation: Generation): Promise<void> {
  const { parts, stopping, member } = work;
  const ending = new AbortController();
  const end = () => ending.abort();
  stopping.signal.addEventListener("abort", end, { once: true });
  if (stopping.signal.aborted) end();
  const silence = new AbortController();
  const { onTrouble } = parts;
  tellAssigned(work, generation);
  const alive = member.keepAlive(generation, {
    signal: silence.signal,
    onEnding(why) {
      if (why !== "rebalancing" && !ending.signal.aborted) tellAway(work, why);
      end();
    },
    onTrouble: (error) => onTrouble(toLogError(error)),
  });
  let isOver = false;
  const working = workOnPartitions(work, generation, ending);
  const settled = working
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  try {
    await Promise.race([settled, aborted(ending.signal)]);
    // Members that take longer are left out of the next sharing, so what is not done by now is done again elsewhere.
    if (!stopping.signal.aborted) await within(parts.session.rebalanceMs * shareForWork, settled);
    else await settled;
    if (isOver) await working;
    if (!ending.signal.aborted) stopping.abort();
  } finally {
    end();
    silence.abort();
    await alive;
    stopping.signal.removeEventListener("abort", end);
  }
}

function tellAssigned(work: Work, { generationId: generation, partitions }: Generation): void {
  const { group, topic } = work.options;
  const gained = partitions.filter((each) => !work.held.includes(each));
  const lost = work.held.filter((each) => !partitions.includes(each));
  work.held = partitions;
  work.parts.onGroupEvent({ kind: "assigned", group, topic, generation, partitions, gained, lost });
}

function tellAway(work: Work, kind: "expelled" | "unreachable"): void {
  const { group, topic } = work.options;
  work.held = [];
  work.parts.onGroupEvent({ kind, group, topic });
}

async function workOnPartitions(work: Work, generation: Generation, ending: AbortController): Promise<void> {
  const { parts, options, cluster, coordinator } = work;
  const { clock, onTrouble, nameOf } = parts;
  const name = nameOf(options.topic);
  const retry = { clock: systemClock, signal: ending.signal, onTrouble };
  const { partitions } = generation;
  const from = await untilDone(retry, () => committedOffsets(coordinator, name, partitions));
  if (from === null) return;
  if (partitions.length === 0) return aborted(ending.signal);
  const given = { cluster, topic: options.topic, name, clock, onTrouble };
  const begin = (follower: PartitionFollower, buffer: PartitionBuffer) =>
    afterEarlierWork(work, follower, () =>
      options.work(toPartitionReader({ parts, cluster, coordinator, generation }, follower, buffer)),
    );
  await workOnAll(given, { from, stopping: ending }, begin);
}

/**
 * Starts work on a partition when this member's work on it from earlier generations has ended, or is taken for stuck.
 * A rebalance does not wait for slow work (see session.ts); a partition that stays here is still worked on once at a time.
 */
async function afterEarlierWork(
  { ended, parts: { session } }: Work,
  { partition, signal }: PartitionFollower,
  begin: () => Promise<void>,
): Promise<void> {
  const earlier = ended.get(partition);
  const run = async () => {
    if (earlier !== undefined)
      await Promise.race([earlier, systemClock.sleep(rebalancesForLeftOver * session.rebalanceMs, signal)]);
    if (!signal.aborted) await begin();
  };
  const working = run();
  ended.set(
    partition,
    Promise.allSettled([earlier, working]).then(() => undefined),
  );
  await working;
}

interface ReaderParts {
  readonly parts: Pick<ConsumerParts, "nameOf" | "partitions" | "requireOpen">;
  readonly cluster: Cluster;
  readonly coordinator: Coordinator;
  readonly generation: Generation;
}

/** The operations of a group member beyond following: only during its generation, which the brokers enforce. */
function toPartitionReader(
  { parts, cluster, coordinator, generation }: ReaderParts,
  follower: PartitionFollower,
  buffer: PartitionBuffer,
): PartitionReader {
  const { partition } = follower;
  const name = (topic: Topic = follower.topic) => parts.nameOf(topic);
  return {
    ...follower,
    async commit(offset, topic) {
      parts.requireOpen();
      requireOffset(offset);
      const isOwn = topic === undefined || topic === follower.topic;
      // Offsets up to the last one read exist; the brokers are asked only about later ones.
      if (isOwn && offset > buffer.position()) {
        const end = (await readEnds(cluster, name(), parts.partitions))[partition] ?? 0;
        if (offset > end) throw beyondEnd(`${name()}:${partition}`, offset, end);
      }
      await commitOffset(coordinator, generation, { topic: name(topic), partition, offset });
    },
    async committed(topic) {
      parts.requireOpen();
      return (await committedOffsets(coordinator, name(topic), [partition])).get(partition) ?? 0;
    },
    // The next fetch finds out if it is beyond the end.
    seek(offset) {
      requireOffset(offset);
      buffer.seek(offset);
    },
  };
}

function requireOffset(offset: number): void {
  if (Number.isSafeInteger(offset) && offset >= 0) return;
  throw new LogError("bad_position", `${offset} is not an offset; give a whole number from 0 on.`);
}
