import { type Clock, isoTime } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { Queryable } from "../database/database.ts";
import { type Arrival, type Entry, type EntryDeps, enter } from "../routing/call/entry.ts";
import { type NextDeps, runDialPlan } from "../routing/call/run-dial-plan.ts";
import type { NotedCall } from "../routing/call-stats/call-store.ts";
import { reserve } from "../routing/call-stats/reservations.ts";
import type { RecordedTrace } from "../routing/decision-trace.ts";
import type { CallStep, ContextOf, CountStep } from "./call-step.ts";
import { type ArrivingCall, type Instruction, noAction } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";
import { toMessages } from "./outbox.ts";
import { routeStep } from "./route-step.ts";

export interface CallSetupDeps extends EntryDeps, NextDeps {
  readonly openCalls: Pick<OpenCallStore, "open">;
  readonly clock: Clock;
  readonly contextOf: ContextOf;
  readonly countStep: CountStep;
  /** Lease of this process on a call that is to be routed. */
  lease(): OpenCall["lease"];
  /** Returns the call with what was sent about its caller while it came in; null where that is nothing. */
  giveLateData(of: { caller: string; callId: CallId; orgId: OrgId }): Promise<OpenCall | null>;
}

/**
 * Creates the function that sets up a call: it is checked, reserves its concurrency and is stored, or is rejected. What can
 * be decided without asking a buyer is decided and stored in the same transaction.
 */
export function createCallSetup(deps: CallSetupDeps) {
  const { openCalls, clock, contextOf, countStep } = deps;

  /** Adds the first routing decision to the step. */
  async function routeAtOnce(db: Queryable, first: CallStep): Promise<CallStep> {
    const { call } = first;
    if (call.state !== "routing") return first;
    const { trace, ...context } = contextOf(call.org_id, call.skew_ms ?? 0);
    const next = await runDialPlan(deps, {
      call,
      trace,
      ...context,
      deadlineAt: context.now,
      overtaken: never,
      mayAsk: false,
    });
    const routed = await routeStep({ call, next, trace, db, now: clock.now(), config: context.config });
    return { ...first, ...routed, messages: [...first.messages, ...routed.messages] };
  }

  /** Null where there is a call of this id already. */
  return async (orgId: OrgId, callId: CallId, arriving: ArrivingCall): Promise<OpenCall | null> => {
    const skew_ms = arriving.at === undefined ? null : Date.parse(arriving.at) - clock.now();
    const { trace, ...context } = contextOf(orgId, skew_ms ?? 0);
    const arrival = toArrival(callId, arriving);
    const entry = await enter(deps, arrival, { trace, ...context });
    const about = { org_id: orgId, call_id: callId, at: arriving.at ?? isoTime(context.now) };
    const stored = await openCalls.open({ callId, orgId }, async (db): Promise<CallStep> => {
      const full = entry.refusal === null ? await reserveEntry(db, entry, { orgId, callId, now: context.now }) : null;
      const held = { skew_ms, lease: deps.lease() };
      return routeAtOnce(db, firstStep({ entry, trace, arriving, arrival, about }, entry.refusal ?? full, held));
    });
    const call = countStep(stored)?.call ?? null;
    if (call === null || call.caller === null || call.state === "ended") return call;
    return (await deps.giveLateData({ caller: call.caller, callId, orgId })) ?? call;
  };
}

const never = new AbortController().signal;

interface NewCall {
  readonly entry: Entry;
  readonly trace: RecordedTrace;
  readonly arriving: ArrivingCall;
  readonly arrival: Arrival;
  readonly about: { readonly org_id: OrgId; readonly call_id: CallId; readonly at: string };
}

/** The first step of a call: it is left to be routed, or rejected at once. */
function firstStep(
  { entry, trace, arriving, arrival, about }: NewCall,
  refusal: string | null,
  { skew_ms, lease }: Pick<OpenCall, "skew_ms" | "lease">,
): CallStep {
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
  const base = { ...entry.call, org_id, call_id, provider, started_at: at, skew_ms, ...initialState };
  if (refusal === null) {
    const call: OpenCall = { ...base, state: "routing", lease, instruction: noAction };
    return { call, messages: toMessages(call, trace, [incoming]), holders: limitedHolds(entry), noted };
  }
  const instruction: Instruction = { action: "reject", say: [], reason: refusal };
  const call: OpenCall = { ...base, state: "ended", lease: null, dial_plan: [], instruction };
  const signals: SignalInput[] = [incoming, { kind: "failed", ...about, reason: refusal }];
  return { call, messages: toMessages(call, trace, signals), noted };
}
const initialState = {
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

/** Holds of the call's campaign and publisher that have a limit; the others are taken up with the first dial. */
const limitedHolds = ({ holds }: Entry) => holds.filter(({ limit }) => limit !== null && limit > 0);

/** Reserves the concurrency of the campaign and the publisher; returns why it cannot, or null. */
async function reserveEntry(
  db: Queryable,
  entry: Entry,
  holding: { orgId: string; callId: string; now: number },
): Promise<string | null> {
  const holds = limitedHolds(entry);
  if (holds.length === 0) return null;
  const reserved = await reserve(db, holding, holds);
  return reserved.ok ? null : `${reserved.full.kind}_concurrency`;
}

export function toArrival(
  call_id: CallId,
  { from, to, caller_zip, caller_state, tags }: Omit<ArrivingCall, "provider">,
): Arrival {
  const caller = toE164(from);
  return { call_id, from: caller ?? from, caller, to: toE164(to) ?? to, zip: caller_zip, state: caller_state, tags };
}
