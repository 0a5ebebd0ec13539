import { type Clock, isoTime } from "../../../ingest/clock.ts";
import type { CallId, OrgId } from "../../../ingest/primitives.ts";
import type { Queryable } from "../../database/database.ts";
import { addTags } from "../../routing/call/tags.ts";
import type { CallStep } from "../../telephony/call-step.ts";
import type { OpenCall } from "../../telephony/open-call.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { signalMessage } from "../../telephony/outbox.ts";
import { type Caller, isDataWaiting, takeWaiting } from "./caller-data.ts";
import type { KeptData } from "./plan.ts";

export interface LateDataDeps {
  readonly database: Queryable;
  readonly openCalls: Pick<OpenCallStore, "findArriving" | "step">;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}
export interface Arriving extends Caller {
  readonly callId: CallId;
}

/**
 * Data of a caller that is sent in the moment in which the caller's call comes in: the call has looked for data before,
 * and the data for a call. So each looks once more when it is written down itself, and whichever is last finds the other.
 */
export function createLateData({ database, openCalls, clock, onTrouble }: LateDataDeps) {
  /** The call with what has been sent since it looked; null where that is nothing. */
  async function giveTo({ orgId, caller, callId }: Arriving): Promise<OpenCall | null> {
    if (!(await isDataWaiting(database, { orgId, caller }, clock.now()))) return null;
    const step = await openCalls.step(orgId, callId, async (call, db): Promise<CallStep> => {
      const now = clock.now();
      const tags = await takeWaiting(db, { orgId, caller, callId }, { now, onUnreadable: onTrouble });
      if (Object.keys(tags).length === 0) return { call, messages: [] };
      const at = isoTime(now + (call.skew_ms ?? 0));
      const signal = signalMessage({ kind: "tagged", org_id: orgId, call_id: callId, at, tags: { ...tags } });
      return { call: { ...call, tags: addTags(call.tags, tags) }, messages: [signal] };
    });
    return step?.call ?? null;
  }

  return {
    giveTo,
    /** The same, for whichever call of the caller has just come in, over already or not when the data were received. */
    async giveToArriving(
      orgId: OrgId,
      { caller, received_at }: Pick<KeptData, "caller" | "received_at">,
    ): Promise<void> {
      const callId = await openCalls.findArriving(orgId, caller, received_at);
      if (callId !== null) await giveTo({ orgId, caller, callId });
    },
  };
}
export type LateData = ReturnType<typeof createLateData>;
