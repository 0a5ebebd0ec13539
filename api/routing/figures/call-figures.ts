import type { Clock } from "../../../ingest/clock.ts";
import type { Consumer, EventLog } from "../../../ingest/log/log.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { nothingStored } from "../../../warehouse/warehouse-disabled.ts";
import { type CallFields, type CallRecord, toCallerNumber, toRecord } from "./call-record.ts";
import { followCalls, storedPositions } from "./follow-calls.ts";
import { loadCalls, loadOlder, loadOrganizations } from "./load-calls.ts";
import { createOrgFigures, type OrgFigures } from "./org-figures.ts";
import { reachOf } from "./reach.ts";

export interface CallFiguresDeps {
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

/** A call as telephony knows it before any event tells of it; what it does not name is not decided yet. */
export type NotedCall = Pick<CallFields, "org_id" | "call_id" | "started_at"> &
  Partial<Pick<CallFields, "caller_id" | "campaign_id" | "publisher_id" | "target_id" | "rtb_id" | "buyer_id">>;

/** Some 180 MB. */
const defaultMaxCalls = 1_000_000;
const tendEveryMs = 60_000;
const eventsBetweenLooks = 5_000;

const unknownYet: Omit<CallFields, "org_id" | "call_id" | "started_at"> = {
  ...{ version: -1, status: "incoming", connected_at: null, duration: null, connect_duration: null },
  ...{ caller_id: null, campaign_id: null, publisher_id: null, target_id: null, rtb_id: null, buyer_id: null },
  ...{ converted: false, receivable: false, revenue: null, payout: null },
};

/**
 * Every organization's calls in the memory of this process: read from the warehouse once, then kept up with the log, of
 * which each process reads all. Resolves when it knows all that the log had when it was opened.
 */
export async function openCallFigures(deps: CallFiguresDeps) {
  const { log, clock, signal, onTrouble, maxCalls = defaultMaxCalls } = deps;
  const warehouse = deps.warehouse ?? nothingStored;
  const organizations = new Map<string, OrgFigures>();
  const closing = new AbortController();
  let isCut = false;
  let events = 0;

  const reach = (orgId: string) => reachOf(deps.lookbackDays(orgId), clock.now());

  function of(orgId: string): OrgFigures {
    const known = organizations.get(orgId) ?? createOrgFigures();
    organizations.set(orgId, known);
    return known;
  }

  /** Takes the oldest calls from the organization that has most, so that none is crowded out by another. */
  function keepWithinBound(): void {
    const all = [...organizations.values()];
    const excess = all.reduce((sum, each) => sum + each.size(), 0) - maxCalls;
    const largest = all.toSorted((one, other) => other.size() - one.size())[0];
    if (excess <= 0 || largest === undefined) return;
    // A little more, so that not every call has to.
    largest.cut(excess + Math.floor(maxCalls / 100));
    if (!isCut) onTrouble(tooManyCalls(maxCalls));
    isCut = true;
  }

  async function load(orgId: string): Promise<void> {
    const figures = of(orgId);
    const wanted = reach(orgId);
    for await (const page of loadCalls(warehouse, { orgId, from: wanted.callsFrom, to: Number.POSITIVE_INFINITY })) {
      for (const call of page) figures.load(call);
      keepWithinBound();
      if (figures.isCut()) break;
    }
    const callsFrom = Math.max(wanted.callsFrom, figures.callsFrom());
    const hoursFrom = Math.min(wanted.hoursFrom, callsFrom);
    const older = await loadOlder(warehouse, { orgId, hoursFrom, callsFrom });
    figures.loaded({ callsFrom, hoursFrom: wanted.hoursFrom }, older);
  }

  /** Forgets what nobody looks back to any more, and reads what is looked back to only now. */
  async function tend(orgId: string, figures: OrgFigures): Promise<void> {
    const wanted = reach(orgId);
    const to = figures.callsFrom();
    figures.forget(wanted);
    if (wanted.callsFrom >= to || figures.isCut()) return;
    for await (const page of loadCalls(warehouse, { orgId, from: wanted.callsFrom, to })) {
      for (const call of page) figures.load(call);
      keepWithinBound();
      if (figures.isCut()) return;
    }
    figures.reachesBackTo(wanted.callsFrom);
  }

  async function tendAll(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(tendEveryMs, closing.signal);
      if (closing.signal.aborted) return;
      for (const [orgId, figures] of organizations) await tend(orgId, figures).catch(onTrouble);
      keepWithinBound();
    }
  }

  function apply(call: CallFields): void {
    of(call.org_id).apply(toRecord(call));
    events += 1;
    if (events % eventsBetweenLooks === 0) keepWithinBound();
  }

  const from = deps.warehouse === null ? [] : await storedPositions(log, warehouse);
  for (const orgId of await loadOrganizations(warehouse)) await load(orgId);
  const follower: Consumer = await followCalls({ log, from, apply, signal, onTrouble });
  const tending = tendAll();

  return {
    ofOrganization: of,
    earlierCalls: (orgId: string, caller: string) => of(orgId).earlierCalls(toCallerNumber(caller)),
    /** What this process's telephony does with a call, at once; its events change nothing that was noted rightly. */
    note(call: NotedCall): void {
      of(call.org_id).note(toRecord({ ...unknownYet, ...call }));
    },
    /** Calls that ring, of which telephony may know more than the log. */
    *ringing(): Generator<readonly [orgId: string, call: CallRecord]> {
      for (const [orgId, figures] of organizations) for (const call of figures.ringing()) yield [orgId, call];
    },
    /** Takes what others of this process knew of a call that rings. */
    take: (orgId: string, call: CallRecord): void => of(orgId).note(call),
    /** Rejects with what ended the reading of the log. */
    finished: follower.finished,
    async close(): Promise<void> {
      closing.abort();
      await follower.stop();
      await tending;
    },
  };
}
export type CallFigures = Awaited<ReturnType<typeof openCallFigures>>;

const tooManyCalls = (maxCalls: number) =>
  new Error(
    `Routing keeps ${maxCalls} calls in memory, and there are more that it looks back to: the oldest are no longer known as earlier calls of their callers. What caps count is not affected.`,
  );
