import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { Queryable } from "../config/database.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { type Entry, type EntryDeps, enter } from "../routing/call/entry.ts";
import { findNext, type NextDeps } from "../routing/call/next.ts";
import { addTags, newTags } from "../routing/call/tags.ts";
import type { Facts, Holder } from "../routing/facts.ts";
import type { NotedCall } from "../routing/figures/call-figures.ts";
import type { HeldCalls } from "../routing/figures/held-calls.ts";
import { release, reserve } from "../routing/figures/reservations.ts";
import { createJournal } from "../routing/journal.ts";
import { toE164 } from "../routing/phone.ts";
import { callIdOf } from "./call-sid.ts";
import type { ArrivingCall, Instruction, Report, Reported } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import type { CallStep, OpenCallStore } from "./open-calls.ts";
import { applyReport, nothing } from "./report-step.ts";
import { routeStep } from "./route-step.ts";
import { toTold } from "./told.ts";

export interface CallDeps extends EntryDeps, NextDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly openCalls: OpenCallStore;
  readonly held: Pick<HeldCalls, "reserved" | "released">;
  /** What routing of the next call is to know of this one at once. */
  note(call: NotedCall): void;
  readonly clock: Clock;
  factsOf(orgId: OrgId): Facts;
}

/** A step, with what the call holds from then on; undefined where that stays as it is. */
interface Step extends CallStep {
  readonly holders?: readonly Holder[] | undefined;
  /** What is new of it for routing. */
  readonly noted?: NotedCall | undefined;
}

const begun = { dial_heard_at: null, round: 1, menu: null, turns: 0, ringing: 0, failure_reason: null };

/** Takes calls in from any switch: decides, makes the facts durable, and tells what to do. */
export function createCalls(deps: CallDeps) {
  const { snapshot, openCalls, held, clock, factsOf } = deps;
  /** Calls that this process is routing: two reports of one moment wait for the same decision. */
  const routing = new Map<string, Promise<OpenCall | null>>();

  const decisionAt = (orgId: OrgId, skewMs: number) => ({
    ...{ config: configOf(snapshot, orgId), facts: factsOf(orgId), now: clock.now() },
    journal: createJournal({ now: () => clock.now() + skewMs }),
  });
  const skewOf = (at: string | undefined): number => (at === undefined ? 0 : Date.parse(at) - clock.now());

  /** After a step: what is in use is known here at once. */
  function heed<S extends Step>(step: S | null): S | null {
    if (step === null) return null;
    const { call, holders, noted } = step;
    if (noted !== undefined) deps.note(noted);
    if (call.state === "ended") held.released(call.call_id);
    else if (holders !== undefined) held.reserved({ orgId: call.org_id, callId: call.call_id }, holders);
    return step;
  }

  /** Decides until the call is dialed, asks its caller something, or is over. */
  async function route(orgId: OrgId, callId: CallId): Promise<OpenCall | null> {
    let call = await openCalls.find(orgId, callId);
    while (call?.state === "routing") {
      const { journal, ...decision } = decisionAt(orgId, call.skew_ms ?? 0);
      const before = call;
      const next = await findNext(deps, { call: before, journal, ...decision });
      const step = await openCalls.step(orgId, callId, async (current, db): Promise<Step> => {
        // A hangup, or another process's decision, came first.
        if (current.state !== "routing" || current.round !== before.round) return { call: current, tell: [] };
        // Tags that came from outside meanwhile stay; what the decision adds is beside what it knew.
        const tags = addTags(current.tags, newTags(next.tags, before.tags));
        return routeStep({
          call: current,
          next: { ...next, tags },
          journal,
          db,
          now: clock.now(),
          config: decision.config,
        });
      });
      call = heed(step)?.call ?? null;
    }
    return call;
  }

  function routeOnce(orgId: OrgId, callId: CallId): Promise<OpenCall | null> {
    const known = routing.get(callId);
    if (known !== undefined) return known;
    const decided = route(orgId, callId).finally(() => routing.delete(callId));
    routing.set(callId, decided);
    return decided;
  }

  /** The call's present instruction, decided on first where it is still to be. */
  async function instructionOf(call: OpenCall): Promise<Instruction> {
    if (call.state !== "routing") return call.instruction;
    return (await routeOnce(call.org_id, call.call_id))?.instruction ?? nothing;
  }

  async function arrive(orgId: OrgId, arriving: ArrivingCall): Promise<Instruction & { call_id: CallId }> {
    const callId = callIdOf(orgId, arriving);
    const known = arriving.call_sid === undefined ? null : await openCalls.find(orgId, callId);
    const call = known ?? (await open(orgId, callId, arriving)) ?? (await openCalls.find(orgId, callId));
    if (call === null) throw new Error(`call ${callId} was neither there nor could be opened`);
    const instruction = await instructionOf(call);
    return { ...turnedAway(call.turns > 0, instruction), call_id: callId };
  }

  async function open(orgId: OrgId, callId: CallId, arriving: ArrivingCall): Promise<OpenCall | null> {
    const skew_ms = arriving.at === undefined ? null : skewOf(arriving.at);
    const { journal, ...decision } = decisionAt(orgId, skew_ms ?? 0);
    const caller = toE164(arriving.from);
    const { from, to, caller_zip: zip, caller_state: state, tags } = arriving;
    const arrival = { call_id: callId, from: caller ?? from, caller, to: toE164(to) ?? to, zip, state, tags };
    const entry = await enter(deps, arrival, { journal, ...decision });
    const about = { org_id: orgId, call_id: callId, at: arriving.at ?? isoTime(decision.now) };
    const incoming: SignalInput = {
      ...{ kind: "incoming", ...about, call_sid: arriving.call_sid ?? null, from: arrival.from, to: arrival.to },
      ...entry.incoming,
    };
    const opened = await openCalls.open(callId, async (db): Promise<Step> => {
      const full = entry.refusal === null ? await reserveEntry(db, entry, { orgId, callId, now: decision.now }) : null;
      const refusal = entry.refusal ?? full;
      const noted: NotedCall = {
        ...{ org_id: orgId, call_id: callId, started_at: about.at, caller_id: caller },
        ...{ campaign_id: entry.call.campaign_id, publisher_id: entry.call.publisher?.id ?? null },
      };
      const base = { ...entry.call, ...about, started_at: about.at, skew_ms, ...begun };
      if (refusal === null) {
        const call: OpenCall = { ...base, state: "routing", instruction: nothing };
        return { call, tell: toTold(call, journal, [incoming]), holders: limited(entry), noted };
      }
      const over: Instruction = { action: "hangup", say: [], reason: refusal };
      const call: OpenCall = { ...base, state: "ended", agenda: [], instruction: over };
      return { call, tell: toTold(call, journal, [incoming, { kind: "failed", ...about, reason: refusal }]), noted };
    });
    return heed(opened)?.call ?? null;
  }

  /** What a switch says of a call; null when the organization has no such call. */
  async function report(orgId: OrgId, id: string, given: Report): Promise<Reported | null> {
    const at = given.at ?? isoTime(clock.now());
    const skewMs = skewOf(given.at);
    let kind: Reported["kind"] = "stale";
    const step = await openCalls.step(orgId, id, async (call, db): Promise<Step> => {
      const skew_ms = call.skew_ms === null ? null : skewMs;
      const { config, journal } = decisionAt(orgId, skew_ms ?? 0);
      const applied = applyReport(call, given, { config, journal, at });
      kind = applied === null ? "stale" : "taken";
      if (applied === null) return { call, tell: [] };
      if (applied.call.state === "ended") await release(db, call.call_id);
      return { call: { ...applied.call, skew_ms }, tell: toTold(call, journal, applied.signals) };
    });
    if (step === null) return null;
    const { call } = heed(step) ?? step;
    return { kind, callId: call.call_id, instruction: await instructionOf(call) };
  }

  return { arrive, report };
}
export type Calls = ReturnType<typeof createCalls>;

/** A caller who has heard nothing yet is not hung up but turned away. */
const turnedAway = (hasHeard: boolean, instruction: Instruction): Instruction =>
  instruction.action === "hangup" && instruction.say.length === 0 && !hasHeard
    ? { ...instruction, action: "reject" }
    : instruction;

/** Only what is limited is taken up before the first dial: the rest nobody counts by. */
const limited = ({ holds }: Entry) => holds.filter(({ limit }) => limit !== null && limit > 0);

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
