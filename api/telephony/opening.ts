import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { type EntryDeps, enter } from "../routing/call/entry.ts";
import type { DecisionAt, Heed, Step } from "./decision.ts";
import { firstStep, reserveEntry, toArrival } from "./first-step.ts";
import type { ArrivingCall } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";

export interface OpeningDeps extends EntryDeps {
  readonly openCalls: Pick<OpenCallStore, "open">;
  readonly clock: Clock;
  readonly decisionAt: DecisionAt;
  readonly heed: Heed;
  /** For a call that is left to be routed. */
  lease(): OpenCall["lease"];
  /** The call with what was sent for it while it came in; null where that is nothing. */
  giveLateData(of: { caller: string; callId: CallId; orgId: OrgId }): Promise<OpenCall | null>;
}

/** Opens calls that come in: each is judged, given its place and made durable, or turned away. */
export function createOpening(deps: OpeningDeps) {
  const { openCalls, clock, decisionAt, heed } = deps;

  /** Null where there is a call of this id already. */
  async function open(orgId: OrgId, callId: CallId, arriving: ArrivingCall): Promise<OpenCall | null> {
    const skew_ms = arriving.at === undefined ? null : Date.parse(arriving.at) - clock.now();
    const { journal, ...decision } = decisionAt(orgId, skew_ms ?? 0);
    const arrival = toArrival(callId, arriving);
    const entry = await enter(deps, arrival, { journal, ...decision });
    const about = { org_id: orgId, call_id: callId, at: arriving.at ?? isoTime(decision.now) };
    const opened = await openCalls.open({ callId, orgId }, async (db): Promise<Step> => {
      const full = entry.refusal === null ? await reserveEntry(db, entry, { orgId, callId, now: decision.now }) : null;
      return firstStep({ entry, journal, arriving, arrival, about }, entry.refusal ?? full, {
        skew_ms,
        lease: deps.lease(),
      });
    });
    return withLateData(heed(opened)?.call ?? null);
  }

  async function withLateData(call: OpenCall | null): Promise<OpenCall | null> {
    if (call === null || call.caller === null || call.state !== "routing") return call;
    const { caller, call_id: callId, org_id: orgId } = call;
    return (await deps.giveLateData({ caller, callId, orgId })) ?? call;
  }

  return open;
}
