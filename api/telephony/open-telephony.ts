import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { AppContext } from "../app-context.ts";
import type { Queryable } from "../database/database.ts";
import { startBackgroundTask } from "../process/background-task.ts";
import { releaseForgotten } from "../routing/call-stats/reservations.ts";
import type { Routing } from "../routing/open-routing.ts";
import { findCall } from "./call-sid.ts";
import { type CallDeps, createCalls } from "./calls.ts";
import { createOpenCallStore, type OpenCallStore } from "./open-calls.ts";
import { publishTo } from "./outbox.ts";
import { createUnansweredCalls } from "./unanswered-calls.ts";

/** Messages that a step could not publish are published by any process so much later. */
const publishPendingEveryMs = 10_000;
const retryUnansweredEveryMs = 1000;
/** Concurrency that was never released, and calls without a process, are found so late at the most. */
const cleanUpEveryMs = 60_000;
const sweepEveryMs = 60 * 60 * 1000;

/** Opens the store of open calls; messages that an earlier run had not published are published first. */
export async function openCallStore({ log, database, clock, shutdown, onTrouble }: AppContext): Promise<OpenCallStore> {
  const trouble = onTrouble("telephony");
  const openCalls = createOpenCallStore({ database, clock, publish: publishTo(log, trouble), onTrouble: trouble });
  await openCalls.publishPending();
  const everyMs = publishPendingEveryMs;
  const publishPending = () => openCalls.publishPending(everyMs);
  shutdown.add("outbox of calls", startBackgroundTask({ clock, everyMs, work: publishPending, onTrouble: trouble }));
  const sweep = () => openCalls.sweep();
  shutdown.add(
    "sweep of calls",
    startBackgroundTask({ clock, everyMs: sweepEveryMs, work: sweep, onTrouble: trouble }),
  );
  return openCalls;
}

/** Data that customers' systems send about callers, before or while they call. */
interface CallerData extends Pick<CallDeps, "takeCallerData" | "giveLateData"> {
  giveBackCallerData(db: Queryable, of: { orgId: OrgId; caller: string; callId: CallId }): Promise<void>;
  /** Deletes data that has waited for too long. */
  sweep(): Promise<void>;
}

export interface TelephonyDeps {
  readonly openCalls: OpenCallStore;
  readonly routing: Routing;
  readonly receiver: CallerData;
}

/** Opens what handles calls of switches, and of carriers by their own names for calls. */
export function openTelephony(parts: AppContext, { openCalls, routing, receiver }: TelephonyDeps) {
  const { snapshot, database, clock, shutdown, settings, logger, onTrouble } = parts;
  const { ask, live, pinger, checkTcpa, pings } = routing;
  const trouble = onTrouble("telephony");
  const unanswered = createUnansweredCalls({
    openCalls,
    held: live.held,
    onTrouble: trouble,
    async giveBack(db, { caller, ...call }) {
      await pings.giveBack(db, call);
      if (caller !== null) await receiver.giveBackCallerData(db, { ...call, caller });
    },
  });
  const calls = createCalls({
    snapshot,
    openCalls,
    unanswered,
    clock,
    ask,
    sender: pinger,
    random: Math.random,
    statsOf: live.statsOf,
    held: live.held,
    note: live.note,
    checkTcpa,
    takeAllocation: pings.take,
    takeCallerData: receiver.takeCallerData,
    giveLateData: receiver.giveLateData,
  });
  const forget = async () => {
    await routing.tidy();
    await receiver.sweep();
  };
  shutdown.add(
    "sweep of routing",
    startBackgroundTask({ clock, everyMs: sweepEveryMs, work: forget, onTrouble: trouble }),
  );
  const cleanUp = async () => {
    await releaseForgotten(database, clock.now());
    await unanswered.endAbandoned();
  };
  shutdown.add(
    "unanswered calls",
    startBackgroundTask({ clock, everyMs: retryUnansweredEveryMs, work: unanswered.retry, onTrouble: trouble }),
  );
  shutdown.add(
    "clean-up of calls",
    startBackgroundTask({ clock, everyMs: cleanUpEveryMs, work: cleanUp, onTrouble: trouble }),
  );
  const carriers = {
    snapshot,
    clock,
    settings,
    warn: (message: string) => logger.warn(message),
    calls: { ...calls, find: findCall(openCalls) },
  };
  return { calls, carriers };
}
