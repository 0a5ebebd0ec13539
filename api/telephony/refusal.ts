import { refusedReason } from "../../ingest/call.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { Queryable } from "../database/database.ts";
import { release } from "../routing/figures/reservations.ts";
import type { CallName, CallStep, StepDeps, Written } from "./call-steps.ts";
import type { OpenCall } from "./open-call.ts";
import { changeRow, holdRow } from "./open-call-rows.ts";
import { toSignal } from "./told.ts";

export interface Refusal {
  /**
   * What its switch has of the call: `failure` was an answer of ours that failed, `nothing` one that came to nobody,
   * `abandoned` none, as the process that was to give it is gone.
   */
  readonly heard: "failure" | "nothing" | "abandoned";
  /** Lets others have what the call has taken; also where there is no call, as the taking comes before it. */
  giveBack(db: Queryable): Promise<void>;
}

/** Null where the call is none that may be refused. */
export function writeRefusal(
  { database, clock }: StepDeps,
  { callId, orgId }: CallName,
  { heard, giveBack }: Refusal,
): Promise<Written<CallStep> | null> {
  return database.transaction(async (db) => {
    const row = await holdRow(db, orgId, callId);
    if (row === null || mayBeRefused(row, heard)) await giveBack(db);
    if (row === null || !mayBeRefused(row, heard)) return null;
    const now = clock.now();
    const { skew_ms } = row.call;
    const call = toRefused(row.call, isoTime(now));
    const failed = toSignal({
      kind: "failed",
      org_id: orgId,
      call_id: row.call.call_id,
      reason: refusedReason,
      at: isoTime(now + (skew_ms ?? 0)),
    });
    await release(db, callId);
    const untold = [...row.untold, failed];
    await changeRow(db, callId, { call, untold, at: isoTime(now) });
    return { step: { call, tell: [failed] }, untold, version: row.version };
  });
}

const toRefused = (call: OpenCall, at: string): OpenCall => ({
  ...call,
  state: "ended",
  lease: null,
  agenda: [],
  refused_at: call.dials + call.turns <= 1 ? at : null,
  instruction: { action: call.heard || call.dials > 0 ? "hangup" : "reject", say: [], reason: refusedReason },
});

/**
 * Who tells of a call twice, as a carrier does that waits no longer, may have been answered the second time: then the log
 * has all that the call's row had for it, and the call is not the first one's to end.
 */
function mayBeRefused(
  { call, untold }: { readonly call: OpenCall; readonly untold: readonly unknown[] },
  heard: Refusal["heard"],
): boolean {
  const steps = call.dials + call.turns;
  if (call.state === "routing") return heard === "abandoned" || steps === 0;
  const isFirst = (call.state === "dialing" || call.state === "menu") && steps === 1;
  return isFirst && (heard === "nothing" || (heard === "failure" && untold.length > 0));
}
