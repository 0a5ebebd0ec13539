import type { Clock } from "../../../ingest/clock.ts";
import type { Consumer, EventLog } from "../../../ingest/log/log.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { nothingStored } from "../../../warehouse/warehouse-disabled.ts";
import { createBoundedFigures } from "./bounded-figures.ts";
import { type CallFields, type CallRecord, toCallerNumber, toRecord } from "./call-record.ts";
import { followCalls, storedPositions } from "./follow-calls.ts";
import { loadOrganizations } from "./load-calls.ts";
import { reachOf } from "./reach.ts";
import { createReadBack } from "./read-back.ts";

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

/**
 * Every organization's calls in the memory of this process: read from the warehouse once, then kept up with the log, of
 * which each process reads all. Resolves when it knows all that the log had when it was opened.
 */
export async function openCallFigures(deps: CallFiguresDeps) {
  const { log, clock, signal, onTrouble, maxCalls = defaultMaxCalls } = deps;
  const warehouse = deps.warehouse ?? nothingStored;
  const kept = createBoundedFigures(maxCalls, onTrouble);
  const reach = (orgId: string) => reachOf(deps.lookbackDays(orgId), clock.now());
  const back = createReadBack({ warehouse, kept, reach, onTrouble });
  const closing = new AbortController();
  let events = 0;

  async function tendAll(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(tendEveryMs, closing.signal);
      if (closing.signal.aborted) return;
      for (const [orgId, figures] of kept.all()) await back.tend(orgId, figures).catch(onTrouble);
      kept.keepWithinBound();
    }
  }

  function apply(call: CallFields): void {
    kept.of(call.org_id).apply(toRecord(call));
    events += 1;
    if (events % eventsBetweenLooks === 0) kept.keepWithinBound();
  }

  const from = deps.warehouse === null ? [] : await storedPositions(log, warehouse);
  for (const orgId of await loadOrganizations(warehouse)) await back.load(orgId);
  const follower: Consumer = await followCalls({ log, from, apply, signal, onTrouble });
  const tending = tendAll();

  return {
    ofOrganization: kept.of,
    earlierCalls: (orgId: string, caller: string) => kept.of(orgId).earlierCalls(toCallerNumber(caller)),
    /** What this process's telephony does with a call, at once; its events change nothing that was noted rightly. */
    note(call: NotedCall): void {
      kept.of(call.org_id).note(toRecord({ ...unknownYet, ...call }));
    },
    /** Calls that ring, of which telephony may know more than the log. */
    *ringing(): Generator<readonly [orgId: string, call: CallRecord]> {
      for (const [orgId, figures] of kept.all()) for (const call of figures.ringing()) yield [orgId, call];
    },
    /** Takes what others of this process knew of a call that rings. */
    take: (orgId: string, call: CallRecord): void => kept.of(orgId).note(call),
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
