import type { Clock } from "../../../ingest/clock.ts";
import type { Consumer, EventLog } from "../../../ingest/log/log.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { nothingStored } from "../../../warehouse/warehouse-disabled.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import { type CallFields, type CallRecord, toCallerNumber, toRecord } from "./call-record.ts";
import { dayMs, dayOf } from "./counters.ts";
import { followCalls, storedPositions } from "./follow-calls.ts";
import { loadCalls, loadOlder, loadOrganizations, type Span } from "./load-calls.ts";
import { createOrgCalls, type OrgCalls, type Retention } from "./org-calls.ts";

export interface CallStoreDeps {
  readonly log: EventLog;
  /** Null where none is asked: only what the log still has is known then. */
  readonly warehouse: Warehouse | null;
  readonly clock: Clock;
  /** For so many days back an organization's calls are known one by one; asked again and again, for config changes. */
  lookbackDays(orgId: string): number;
  /** Calls known one by one, of all organizations together; exceeded by no more than a few of the newest. */
  readonly maxCalls?: number;
  /** Ends the reading, which then rejects or comes to its end early. */
  readonly signal?: AbortSignal;
  onTrouble(error: unknown): void;
}

/** A call as telephony knows it before its events come; what it does not name is not decided yet. */
export type NotedCall = Pick<CallFields, "org_id" | "call_id" | "started_at"> &
  Partial<Pick<CallFields, "caller_id" | "campaign_id" | "publisher_id" | "target_id" | "rtb_id" | "buyer_id">>;

/** Some 290 MB. */
const defaultMaxCalls = 1_000_000;
const maintainEveryMs = 60_000;
const eventsBetweenLooks = 5_000;

/** A calendar month in any zone; it covers a month of predictive routing and of preconverted callers, too. */
const minDays = 32;

/** Returns how many days back routing looks for duplicates by this config. */
export function longestIntervalDays(config: OrgConfig): number {
  const rules = [...config.all("target"), ...config.all("rtb_formula")].filter((each) => each.consider_duplicate);
  return rules.reduce((days, each) => Math.max(days, each.consider_duplicate_interval), 0);
}

/** Keeps whole days, so that earlier counts can be kept by the day. */
export const retentionOf = (days: number, now: number): Retention => ({
  callsFrom: dayOf(now - Math.max(days, minDays) * dayMs),
  hoursFrom: dayOf(now - minDays * dayMs),
});

/**
 * The calls and counters of every organization in the memory of this process: read from the warehouse once, then kept up with the
 * log, of which each process reads all. Resolves when it has counted all that the log had when it was opened.
 */
export async function openCallStore(deps: CallStoreDeps) {
  const { log, clock, signal, onTrouble, maxCalls = defaultMaxCalls } = deps;
  const warehouse = deps.warehouse ?? nothingStored;
  const organizations = new Map<string, OrgCalls>();
  const closing = new AbortController();
  let isTruncated = false;
  let events = 0;

  function callsOf(orgId: string): OrgCalls {
    const known = organizations.get(orgId) ?? createOrgCalls();
    organizations.set(orgId, known);
    return known;
  }

  /** Evicts the oldest calls of the organization that has most, so that none is crowded out by another. */
  function keepWithinBound(): void {
    const all = [...organizations.values()];
    const excess = all.reduce((sum, each) => sum + each.size(), 0) - maxCalls;
    const largest = all.toSorted((one, other) => other.size() - one.size())[0];
    if (excess <= 0 || largest === undefined) return;
    // A little more, so that not every call has to.
    largest.evict(excess + Math.floor(maxCalls / 100));
    if (!isTruncated) onTrouble(tooManyCalls(maxCalls));
    isTruncated = true;
  }

  /** Newest first; false when the bound left no room for all of them. */
  async function loadSpan(calls: OrgCalls, span: Span): Promise<boolean> {
    for await (const page of loadCalls(warehouse, span, { onUnreadable: onTrouble })) {
      for (const call of page) calls.load(call);
      keepWithinBound();
      if (calls.isTruncated()) return false;
    }
    return true;
  }

  const retention = (orgId: string) => retentionOf(deps.lookbackDays(orgId), clock.now());

  async function load(orgId: string): Promise<void> {
    const calls = callsOf(orgId);
    const wanted = retention(orgId);
    await loadSpan(calls, { orgId, from: wanted.callsFrom, to: Number.POSITIVE_INFINITY });
    const callsFrom = Math.max(wanted.callsFrom, calls.callsFrom());
    const hoursFrom = Math.min(wanted.hoursFrom, callsFrom);
    const older = await loadOlder(warehouse, { orgId, hoursFrom, callsFrom }, { onUnreadable: onTrouble });
    calls.loaded({ callsFrom, hoursFrom: wanted.hoursFrom }, older);
  }

  /** Forgets what nobody looks back to any more, and loads what is looked back to only now. */
  async function maintain(orgId: string, calls: OrgCalls): Promise<void> {
    const wanted = retention(orgId);
    const to = calls.callsFrom();
    calls.forget(wanted);
    if (wanted.callsFrom >= to || calls.isTruncated()) return;
    if (await loadSpan(calls, { orgId, from: wanted.callsFrom, to })) calls.extendTo(wanted.callsFrom);
  }

  async function maintainAll(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(maintainEveryMs, closing.signal);
      if (closing.signal.aborted) return;
      for (const [orgId, calls] of organizations) await maintain(orgId, calls).catch(onTrouble);
      keepWithinBound();
    }
  }

  function apply(call: CallFields): void {
    callsOf(call.org_id).apply(toRecord(call));
    events += 1;
    if (events % eventsBetweenLooks === 0) keepWithinBound();
  }

  const from = deps.warehouse === null ? [] : await storedPositions(log, warehouse);
  for (const orgId of await loadOrganizations(warehouse)) await load(orgId);
  const follower: Consumer = await followCalls({ log, from, apply, signal, onTrouble });
  const maintaining = maintainAll();

  return {
    ofOrganization: callsOf,
    earlierCalls: (orgId: string, caller: string) => callsOf(orgId).earlierCalls(toCallerNumber(caller)),
    callsKnownSince: (orgId: string): number =>
      deps.warehouse === null ? Number.POSITIVE_INFINITY : callsOf(orgId).callsFrom(),
    /** Takes what this process's telephony does with a call, at once; its events change nothing that was noted rightly. */
    note(call: NotedCall): void {
      callsOf(call.org_id).note(toRecord({ ...unknownYet, ...call }));
    },
    /** Calls that ring, of which telephony may know more than the log. */
    *ringing(): Generator<readonly [orgId: string, call: CallRecord]> {
      for (const [orgId, calls] of organizations) for (const call of calls.ringing()) yield [orgId, call];
    },
    /** Takes a call that rings from another call store of this process. */
    take: (orgId: string, call: CallRecord): void => callsOf(orgId).note(call),
    /** Rejects with what ended the reading of the log. */
    finished: follower.finished,
    async close(): Promise<void> {
      closing.abort();
      await follower.stop();
      await maintaining;
    },
  };
}
export type CallStore = Awaited<ReturnType<typeof openCallStore>>;

const unknownYet: Omit<CallFields, "org_id" | "call_id" | "started_at"> = {
  version: -1,
  status: "incoming",
  connected_at: null,
  duration: null,
  connect_duration: null,
  caller_id: null,
  campaign_id: null,
  publisher_id: null,
  target_id: null,
  rtb_id: null,
  buyer_id: null,
  converted: false,
  receivable: false,
  revenue: null,
  payout: null,
  failure_reason: null,
};

const tooManyCalls = (maxCalls: number) =>
  new Error(
    `Routing keeps ${maxCalls} calls in memory, and there are more that it looks back to: the oldest are no longer known as earlier calls of their callers. What caps count is not affected.`,
  );
