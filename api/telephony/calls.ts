import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { NextDeps } from "../routing/call/next.ts";
import type { Facts } from "../routing/facts.ts";
import type { NotedCall } from "../routing/figures/call-figures.ts";
import type { HeldCalls } from "../routing/figures/held-calls.ts";
import { release, releaseDial } from "../routing/figures/reservations.ts";
import { createJournal } from "../routing/journal.ts";
import { callIdAfter, callIdOf } from "./call-sid.ts";
import type { DecisionAt, Heed, Step } from "./decision.ts";
import type { ArrivingCall, Instruction, Report, Reported } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";
import { createOpening, type OpeningDeps } from "./opening.ts";
import { type Refusals, toTaking } from "./refusals.ts";
import { applyReport } from "./report-step.ts";
import { createRouter } from "./router.ts";
import { toTold } from "./told.ts";

export interface CallDeps extends Omit<OpeningDeps, "decisionAt" | "heed" | "lease">, NextDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly openCalls: OpenCallStore;
  readonly refusals: Pick<Refusals, "refuse">;
  readonly held: Pick<HeldCalls, "reserved" | "released">;
  /** What routing of the next call is to know of this one at once. */
  note(call: NotedCall): void;
  readonly clock: Clock;
  factsOf(orgId: OrgId): Facts;
}

/** Takes calls in from any switch: decides, makes the facts durable, and tells what to do. */
export function createCalls(deps: CallDeps) {
  const { openCalls, clock, refusals } = deps;
  const decisionAt = decisionsOf(deps);
  const heed = heeder(deps);
  const router = createRouter({ ...deps, decisionAt, heed });
  const open = createOpening({ ...deps, decisionAt, heed, lease: router.lease });
  const skewOf = (at: string | undefined): number => (at === undefined ? 0 : Date.parse(at) - clock.now());

  return {
    /**
     * A call at the door; one that is told twice by its switch's name for it is one call. Where it cannot be answered it
     * is refused: it ends, and the next one by its name is another. `gone` aborts when nobody waits for the answer.
     */
    async arrive(orgId: OrgId, arriving: ArrivingCall, gone?: AbortSignal): Promise<Instruction & { call_id: CallId }> {
      const isNamed = arriving.call_sid !== undefined;
      let callId = callIdOf(orgId, arriving);
      try {
        let known = isNamed ? await openCalls.findTold(orgId, callId) : null;
        for (; known !== null && known.refused_at !== null; known = await openCalls.findTold(orgId, callId))
          callId = callIdAfter(callId);
        const call = known ?? (await open(orgId, callId, arriving)) ?? (await openCalls.findTold(orgId, callId));
        if (call === null) throw new Error(`call ${callId} was neither there nor could be opened`);
        const instruction = await router.instructionOf(call);
        // Without a name of its own nobody can ask for it again, nor say anything of it.
        if (gone?.aborted && !isNamed) await refusals.refuse(toTaking(orgId, callId, arriving), "nothing");
        return { ...instruction, call_id: callId };
      } catch (error) {
        await refusals.refuse(toTaking(orgId, callId, arriving), "failure");
        throw error;
      }
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

const decisionsOf =
  ({ snapshot, factsOf, clock }: CallDeps): DecisionAt =>
  (orgId, skewMs) => ({
    config: configOf(snapshot, orgId),
    facts: factsOf(orgId),
    now: clock.now(),
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

/** What a call holds between two dials. */
const holdersOf = ({ campaign_id, publisher }: OpenCall) => [
  ...(campaign_id === null ? [] : [{ kind: "campaign", id: campaign_id } as const]),
  ...(publisher === null ? [] : [{ kind: "publisher", id: publisher.id } as const]),
];

function configOf(snapshot: CallDeps["snapshot"], orgId: OrgId): OrgConfig {
  const config = snapshot.config(orgId);
  if (config === undefined) throw new Error(`organization ${orgId} has a key but no config`);
  return config;
}
