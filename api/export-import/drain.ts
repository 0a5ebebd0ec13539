import { type Clock, systemClock } from "../../ingest/clock.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { type Place, watchProgress } from "../../ingest/log/progress.ts";
import { loadedTopics } from "../../warehouse/tables.ts";
import { type PlatformOptions, type Process, startPlatform, startWorker } from "../compose.ts";
import { openLogger } from "../logging/logger.ts";
import type { Role } from "../settings/roles.ts";
import type { Settings } from "../settings/settings.ts";

const pollEveryMs = 50;
/** Six times as long as a consumer group takes to notice that a process died. */
const assignmentTimeoutMs = 60_000;

/** A topic read by a consumer group. */
export interface Subscription {
  readonly group: string;
  readonly topic: Topic;
}

interface Stage {
  readonly roles: readonly Role[];
  start(settings: Settings, options: PlatformOptions): Promise<Process>;
  readonly subscriptions: readonly Subscription[];
}

/**
 * The stages of a drain, one after the other so that nothing is added behind a stage that has finished: accepted signals
 * are folded into call events, webhooks are delivered or queued in the database, and all of it is stored.
 */
const stages: readonly Stage[] = [
  { roles: ["api", "lifecycle"], start: startPlatform, subscriptions: [{ group: "lifecycle", topic: "call-signals" }] },
  { roles: ["deliver"], start: startWorker, subscriptions: [{ group: "deliver", topic: "call-events" }] },
  { roles: ["load"], start: startWorker, subscriptions: loadedTopics.map((topic) => ({ group: "loader", topic })) },
];

const stillRunning = (roles: readonly Role[]) =>
  new Error(`Another process does ${roles.join(" or ")} here: stop all processes of the installation first.`);

export interface DrainOptions {
  readonly clock?: Clock;
  /** Ends the drain early; what was finished by then stays finished. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finishes the accepted work of a stopped installation as its own processes would, without accepting anything new.
 * Throws when a stage fails or the drain is aborted.
 */
export async function drainInstallation(
  settings: Settings,
  { clock = systemClock, signal }: DrainOptions = {},
): Promise<void> {
  for (const { roles, start, subscriptions } of stages) {
    signal?.throwIfAborted();
    const lag = createLagMonitor(subscriptions);
    const { logger } = openLogger(settings.LOG_LEVEL === "silent" ? "silent" : "error");
    const through = (log: EventLog) => lag.monitor(log);
    const process = await start({ ...settings, ROLES: [...roles] }, { clock, logger, through, leavesRetention: true });
    const failed = process.failure.then((error) => Promise.reject(error));
    failed.catch(() => undefined);
    try {
      const startedAt = clock.now();
      while (!(await Promise.race([lag.isCaughtUp(), failed]))) {
        signal?.throwIfAborted();
        if (clock.now() - startedAt > assignmentTimeoutMs && !(await lag.isAssigned())) throw stillRunning(roles);
        await clock.sleep(pollEveryMs, signal);
      }
    } finally {
      await process.stop();
    }
  }
}

/** Monitors the consumer lag of subscriptions in this process. */
export function createLagMonitor(subscriptions: readonly Subscription[]) {
  let monitored: ReturnType<typeof watchProgress> | undefined;

  const ends = async (topic: Topic): Promise<readonly number[]> => (await monitored?.log.ends(topic)) ?? [];
  const placesOf = ({ group, topic }: Subscription): readonly Place[] =>
    monitored?.places().filter((place) => place.group === group && place.topic === topic) ?? [];

  async function hasNoLag(subscription: Subscription): Promise<boolean> {
    const done = new Map(placesOf(subscription).map((place) => [place.partition, place.done()]));
    return (await ends(subscription.topic)).every((end, partition) => (done.get(partition) ?? -1) >= end);
  }

  return {
    /** Returns the log to consume through. */
    monitor(log: EventLog): EventLog {
      monitored = watchProgress(log);
      return monitored.log;
    },

    /** Returns true when this process has been assigned all partitions of all subscriptions. */
    async isAssigned(): Promise<boolean> {
      const all = await Promise.all(subscriptions.map(({ topic }) => ends(topic)));
      return subscriptions.every(
        (subscription, index) => monitored !== undefined && placesOf(subscription).length === all[index]?.length,
      );
    },

    /** Returns true when every message of the subscriptions has been processed here. */
    async isCaughtUp(): Promise<boolean> {
      return monitored !== undefined && (await Promise.all(subscriptions.map(hasNoLag))).every(Boolean);
    },
  };
}
