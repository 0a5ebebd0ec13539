import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import type { Parts } from "../parts.ts";
import { repeat } from "../process/repeat.ts";
import { releaseForgotten } from "../routing/figures/reservations.ts";
import type { Routing } from "../routing/open-routing.ts";
import { findCall } from "./call-sid.ts";
import { type CallDeps, createCalls } from "./calls.ts";
import { createOpenCallStore, type OpenCallStore } from "./open-calls.ts";
import { createRefusals } from "./refusals.ts";
import { tellingTo } from "./told.ts";

/** What a step had to tell and could not is told by whoever finds it so much later. */
const tellLateMs = 10_000;
const refuseLateMs = 1000;
/** How late a place is free, or a call over, of which nobody has said so. */
const tendEveryMs = 60_000;
const sweepEveryMs = 60 * 60 * 1000;

/** The calls that switches still report on; what an earlier run had written and not yet told is told first. */
export async function openCallStore({ log, database, clock, closers, onTrouble }: Parts): Promise<OpenCallStore> {
  const trouble = onTrouble("telephony");
  const openCalls = createOpenCallStore({ database, clock, publish: tellingTo(log, trouble), onTrouble: trouble });
  await openCalls.tellLeftOver();
  const tellLate = () => openCalls.tellLeftOver(tellLateMs);
  closers.add("telling of calls", repeat({ clock, everyMs: tellLateMs, work: tellLate, onTrouble: trouble }));
  const sweep = () => openCalls.sweep();
  closers.add("sweep of calls", repeat({ clock, everyMs: sweepEveryMs, work: sweep, onTrouble: trouble }));
  return openCalls;
}

/** What customers' systems have told of callers, here or before they call. */
interface CallerData extends Pick<CallDeps, "takeCallerData" | "giveLateData"> {
  giveBackCallerData(db: Queryable, of: { orgId: OrgId; caller: string; callId: CallId }): Promise<void>;
  /** Forgets what has waited for too long. */
  tidy(): Promise<void>;
}

export interface TelephonyDeps {
  readonly openCalls: OpenCallStore;
  readonly routing: Routing;
  readonly receiver: CallerData;
}

/** What takes calls in from switches, and from carriers by their names for calls. */
export function openTelephony(parts: Parts, { openCalls, routing, receiver }: TelephonyDeps) {
  const { snapshot, database, clock, closers, settings, logger, onTrouble } = parts;
  const { ask, live, pinger, checkTcpa, pings } = routing;
  const trouble = onTrouble("telephony");
  const refusals = createRefusals({
    openCalls,
    held: live.held,
    onTrouble: trouble,
    async giveBack(db, { caller, ...taking }) {
      await pings.giveBack(db, taking);
      if (caller !== null) await receiver.giveBackCallerData(db, { ...taking, caller });
    },
  });
  const calls = createCalls({
    snapshot,
    openCalls,
    refusals,
    clock,
    ask,
    sender: pinger,
    random: Math.random,
    factsOf: live.factsOf,
    held: live.held,
    note: live.note,
    checkTcpa,
    takeAllocation: pings.take,
    takeCallerData: receiver.takeCallerData,
    giveLateData: receiver.giveLateData,
  });
  const forget = async () => {
    await routing.tidy();
    await receiver.tidy();
  };
  closers.add("sweep of routing", repeat({ clock, everyMs: sweepEveryMs, work: forget, onTrouble: trouble }));
  const tend = async () => {
    await releaseForgotten(database, clock.now());
    await refusals.endAbandoned();
  };
  closers.add("refusals of calls", repeat({ clock, everyMs: refuseLateMs, work: refusals.retry, onTrouble: trouble }));
  closers.add("tending of calls", repeat({ clock, everyMs: tendEveryMs, work: tend, onTrouble: trouble }));
  const carriers = {
    snapshot,
    clock,
    settings,
    warn: (message: string) => logger.warn(message),
    calls: { ...calls, find: findCall(openCalls) },
  };
  return { calls, carriers };
}
