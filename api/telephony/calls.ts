import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { Queryable } from "../database/database.ts";
import { toE164 } from "../notation/phone.ts";
import { type Arrival, type Entry, type EntryDeps, enter } from "../routing/call/entry.ts";
import type { NextDeps } from "../routing/call/next.ts";
import type { Facts } from "../routing/facts.ts";
import type { NotedCall } from "../routing/figures/call-figures.ts";
import type { HeldCalls } from "../routing/figures/held-calls.ts";
import { release, releaseDial, reserve } from "../routing/figures/reservations.ts";
import { createJournal, type KeptJournal } from "../routing/journal.ts";
import { callIdOf } from "./call-sid.ts";
import type { DecisionAt, Heed, Step } from "./decision.ts";
import type { ArrivingCall, Instruction, Report, Reported } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";
import { applyReport, nothing } from "./report-step.ts";
import { createRouter } from "./router.ts";
import { toTold } from "./told.ts";

export interface CallDeps extends EntryDeps, NextDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly openCalls: OpenCallStore;
  readonly held: Pick<HeldCalls, "reserved" | "released">;
  /** The call with what was sent for it while it came in; null where that is nothing. */
  giveLateData(of: { caller: string; callId: CallId; orgId: OrgId }): Promise<OpenCall | null>;
  /** What routing of the next call is to know of this one at once. */
  note(call: NotedCall): void;
  readonly clock: Clock;
  factsOf(orgId: OrgId): Facts;
}

/** Takes calls in from any switch: decides, makes the facts durable, and tells what to do. */
export function createCalls(deps: CallDeps) {
  const { openCalls, clock } = deps;
  const decisionAt = decider(deps);
  const heed = heeder(deps);
  const router = createRouter({ ...deps, decisionAt, heed });
  const skewOf = (at: string | undefined): number => (at === undefined ? 0 : Date.parse(at) - clock.now());

  async function open(orgId: OrgId, callId: CallId, arriving: ArrivingCall): Promise<OpenCall | null> {
    const skew_ms = arriving.at === undefined ? null : skewOf(arriving.at);
    const { journal, ...decision } = decisionAt(orgId, skew_ms ?? 0);
    const arrival = toArrival(callId, arriving);
    const entry = await enter(deps, arrival, { journal, ...decision });
    const about = { org_id: orgId, call_id: callId, at: arriving.at ?? isoTime(decision.now) };
    const opened = await openCalls.open({ callId, orgId }, async (db): Promise<Step> => {
      const full = entry.refusal === null ? await reserveEntry(db, entry, { orgId, callId, now: decision.now }) : null;
      return openStep({ entry, journal, arriving, arrival, about }, entry.refusal ?? full, {
        ...{ skew_ms, lease: router.lease() },
      });
    });
    return withLateData(heed(opened)?.call ?? null);
  }

  async function withLateData(call: OpenCall | null): Promise<OpenCall | null> {
    if (call === null || call.caller === null || call.state !== "routing") return call;
    const { caller, call_id: callId, org_id: orgId } = call;
    return (await deps.giveLateData({ caller, callId, orgId })) ?? call;
  }

  return {
    /** A call at the door; one that is told twice by its switch's name for it is one call. */
    async arrive(orgId: OrgId, arriving: ArrivingCall): Promise<Instruction & { call_id: CallId }> {
      const callId = callIdOf(orgId, arriving);
      const known = arriving.call_sid === undefined ? null : await openCalls.findTold(orgId, callId);
      const call = known ?? (await open(orgId, callId, arriving)) ?? (await openCalls.findTold(orgId, callId));
      if (call === null) throw new Error(`call ${callId} was neither there nor could be opened`);
      return { ...(await router.instructionOf(call)), call_id: callId };
    },

    /** What a switch says of a call; null when the organization has no such call. */
    async report(orgId: OrgId, id: string, given: Report): Promise<Reported | null> {
      const at = given.at ?? isoTime(clock.now());
      const skewMs = skewOf(given.at);
      let kind: Reported["kind"] = "stale";
      const step = heed(
        await openCalls.step(orgId, id, async (call, db): Promise<Step> => {
          const skew_ms = call.skew_ms === null ? null : skewMs;
          const { config, journal } = decisionAt(orgId, skew_ms ?? 0);
          const applied = applyReport(call, given, { config, journal, at });
          kind = applied === null ? "stale" : "taken";
          if (applied === null) return { call, tell: [] };
          const left = { ...applied.call, skew_ms };
          const tell = toTold(call, journal, applied.signals);
          if (left.state === "ended") await release(db, call.call_id);
          if (left.state !== "routing") return { call: left, tell };
          await releaseDial(db, call.call_id);
          return { call: { ...left, lease: router.lease() }, tell, holders: holdersOf(left) };
        }),
      );
      if (step === null) return null;
      const { call } = step;
      if (call.state === "ended") router.overtake(call.call_id);
      return { kind, callId: call.call_id, instruction: await instructionAfter(given, call) };
    },
  };

  /** Who tells that it rings asks for nothing, so nobody is routed for it. */
  async function instructionAfter({ type }: Report, call: OpenCall): Promise<Instruction> {
    const asks = type !== "ringing" && type !== "answer" && type !== "recorded";
    return asks ? router.instructionOf(call) : call.instruction;
  }
}
export type Calls = ReturnType<typeof createCalls>;

const decider =
  ({ snapshot, factsOf, clock }: CallDeps): DecisionAt =>
  (orgId, skewMs) => ({
    ...{ config: configOf(snapshot, orgId), facts: factsOf(orgId), now: clock.now() },
    journal: createJournal({ now: () => clock.now() + skewMs }),
  });

const heeder =
  ({ held, note }: CallDeps): Heed =>
  (step) => {
    if (step === null) return null;
    const { call, holders, noted } = step;
    if (noted !== undefined) note(noted);
    if (call.state === "ended") held.released(call.call_id);
    else if (holders !== undefined) held.reserved({ orgId: call.org_id, callId: call.call_id }, holders);
    return step;
  };

function toArrival(call_id: CallId, { from, to, caller_zip, caller_state, tags }: ArrivingCall): Arrival {
  const caller = toE164(from);
  return { call_id, from: caller ?? from, caller, to: toE164(to) ?? to, zip: caller_zip, state: caller_state, tags };
}

interface Opening {
  readonly entry: Entry;
  readonly journal: KeptJournal;
  readonly arriving: ArrivingCall;
  readonly arrival: Arrival;
  readonly about: { readonly org_id: OrgId; readonly call_id: CallId; readonly at: string };
}

/** The first step of a call: left to be routed, or turned away at once. */
function openStep(
  { entry, journal, arriving, arrival, about }: Opening,
  refusal: string | null,
  { skew_ms, lease }: Pick<OpenCall, "skew_ms" | "lease">,
): Step {
  const { org_id, call_id, at } = about;
  const { provider, call_sid = null } = arriving;
  const incoming: SignalInput = {
    ...{ kind: "incoming", ...about, call_sid, from: arrival.from, to: arrival.to },
    ...entry.incoming,
  };
  const noted: NotedCall = {
    ...{ org_id, call_id, started_at: at, caller_id: arrival.caller, campaign_id: entry.call.campaign_id },
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
  ...{ round: 1, menu: null, turns: 0, ringing: 0, dial_heard_at: null, connected_at: null, failure_reason: null },
  heard: false,
};

/** Only what is limited is taken up before the first dial: the rest nobody counts by. */
const limited = ({ holds }: Entry) => holds.filter(({ limit }) => limit !== null && limit > 0);

/** What a call holds between two dials. */
const holdersOf = ({ campaign_id, publisher }: OpenCall) => [
  ...(campaign_id === null ? [] : [{ kind: "campaign", id: campaign_id } as const]),
  ...(publisher === null ? [] : [{ kind: "publisher", id: publisher.id } as const]),
];

/** The campaign's or the publisher's place for a call; why it has none (semantics 8.2, check 8). */
async function reserveEntry(
  db: Queryable,
  entry: Entry,
  holding: { orgId: string; callId: string; now: number },
): Promise<string | null> {
  const holds = limited(entry);
  if (holds.length === 0) return null;
  const reserved = await reserve(db, holding, holds);
  return reserved.ok ? null : `${reserved.full.kind}_concurrency`;
}

function configOf(snapshot: CallDeps["snapshot"], orgId: OrgId): OrgConfig {
  const config = snapshot.config(orgId);
  if (config === undefined) throw new Error(`organization ${orgId} has a key but no config`);
  return config;
}
