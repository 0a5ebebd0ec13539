import { toE164 } from "../../ingest/phone-number.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { Queryable } from "../database/database.ts";
import type { Arrival, Entry } from "../routing/call/entry.ts";
import type { NotedCall } from "../routing/figures/call-figures.ts";
import { reserve } from "../routing/figures/reservations.ts";
import type { KeptJournal } from "../routing/journal.ts";
import type { Step } from "./decision.ts";
import type { ArrivingCall, Instruction } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import { nothing } from "./report-step.ts";
import { toTold } from "./told.ts";

export interface Opening {
  readonly entry: Entry;
  readonly journal: KeptJournal;
  readonly arriving: ArrivingCall;
  readonly arrival: Arrival;
  readonly about: { readonly org_id: OrgId; readonly call_id: CallId; readonly at: string };
}

/** The first step of a call: left to be routed, or turned away at once. */
export function firstStep(
  { entry, journal, arriving, arrival, about }: Opening,
  refusal: string | null,
  { skew_ms, lease }: Pick<OpenCall, "skew_ms" | "lease">,
): Step {
  const { org_id, call_id, at } = about;
  const { provider, call_sid = null } = arriving;
  const incoming: SignalInput = {
    kind: "incoming",
    ...about,
    call_sid,
    from: arrival.from,
    to: arrival.to,
    ...entry.incoming,
  };
  const noted: NotedCall = {
    org_id,
    call_id,
    started_at: at,
    caller_id: arrival.caller,
    campaign_id: entry.call.campaign_id,
    publisher_id: entry.call.publisher?.id ?? null,
  };
  const base = { ...entry.call, org_id, call_id, provider, started_at: at, skew_ms, ...begun };
  if (refusal === null) {
    const call: OpenCall = { ...base, state: "routing", lease, instruction: nothing };
    return { call, tell: toTold(call, journal, [incoming]), holders: limited(entry), noted };
  }
  const instruction: Instruction = { action: "reject", say: [], reason: refusal };
  const call: OpenCall = { ...base, state: "ended", lease: null, agenda: [], instruction };
  return { call, tell: toTold(call, journal, [incoming, { kind: "failed", ...about, reason: refusal }]), noted };
}
const begun = {
  round: 1,
  menu: null,
  turns: 0,
  ringing: 0,
  dial_heard_at: null,
  connected_at: null,
  failure_reason: null,
  heard: false,
  refused_at: null,
};

/** Only what is limited is taken up before the first dial: the rest nobody counts by. */
const limited = ({ holds }: Entry) => holds.filter(({ limit }) => limit !== null && limit > 0);

/** The campaign's or the publisher's place for a call; why it has none (semantics 8.2, check 8). */
export async function reserveEntry(
  db: Queryable,
  entry: Entry,
  holding: { orgId: string; callId: string; now: number },
): Promise<string | null> {
  const holds = limited(entry);
  if (holds.length === 0) return null;
  const reserved = await reserve(db, holding, holds);
  return reserved.ok ? null : `${reserved.full.kind}_concurrency`;
}

export function toArrival(call_id: CallId, { from, to, caller_zip, caller_state, tags }: ArrivingCall): Arrival {
  const caller = toE164(from);
  return { call_id, from: caller ?? from, caller, to: toE164(to) ?? to, zip: caller_zip, state: caller_state, tags };
}
