import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { NextDeps } from "../routing/call/run-dial-plan.ts";
import { release, releaseDial } from "../routing/call-stats/reservations.ts";
import { type CallSetupDeps, createCallSetup } from "./call-setup.ts";
import { callIdAfter, callIdOf } from "./call-sid.ts";
import {
  type CallStep,
  type CountingDeps,
  type DecisionContextDeps,
  decisionContexts,
  stepCounter,
} from "./call-step.ts";
import { type ArrivingCall, type Instruction, noAction, type Report, type Reported } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";
import { toMessages } from "./outbox.ts";
import { applyReport } from "./report-step.ts";
import { createRouter } from "./router.ts";
import { toUnansweredCall, type UnansweredCalls } from "./unanswered-calls.ts";

export interface CallDeps
  extends Omit<CallSetupDeps, "contextOf" | "countStep" | "lease">,
    DecisionContextDeps,
    CountingDeps,
    NextDeps {
  readonly openCalls: OpenCallStore;
  readonly unanswered: Pick<UnansweredCalls, "refuse">;
  readonly clock: Clock;
}

/** Handles calls of any switch: takes in arrivals and reports, makes them durable, and returns the next instruction. */
export function createCalls(deps: CallDeps) {
  const { openCalls, clock, unanswered } = deps;
  const contextOf = decisionContexts(deps);
  const countStep = stepCounter(deps);
  const router = createRouter({ ...deps, contextOf, countStep });
  const setUp = createCallSetup({ ...deps, contextOf, countStep, lease: router.lease });

  /** The call of this id with its instruction: the one that is there, or a new one. */
  async function arriveAs(orgId: OrgId, callId: CallId, arriving: ArrivingCall): Promise<OpenCall | null> {
    const known = arriving.call_sid === undefined ? null : await openCalls.findPublished(orgId, callId);
    const call = known ?? (await setUp(orgId, callId, arriving)) ?? (await openCalls.findPublished(orgId, callId));
    if (call === null) throw new Error(`call ${callId} was neither there nor could be opened`);
    return router.routed(call);
  }

  return {
    /**
     * Takes in a call. One that its switch reports twice by the same name is one call. Where it cannot be answered it is
     * refused: it ends, and the next one by its name is another call. `gone` aborts when nobody waits for the answer.
     */
    async arrive(orgId: OrgId, arriving: ArrivingCall, gone?: AbortSignal): Promise<Instruction & { call_id: CallId }> {
      const isNamed = arriving.call_sid !== undefined;
      let callId = callIdOf(orgId, arriving);
      try {
        let routed = await arriveAs(orgId, callId, arriving);
        // An earlier request by the same name may have failed and ended its call, just now at the latest.
        for (
          ;
          isNamed && routed !== null && routed.refused_at !== null;
          routed = await arriveAs(orgId, callId, arriving)
        )
          callId = callIdAfter(callId);
        // Without a name nobody can ask for the call again, nor report on it.
        if (gone?.aborted && !isNamed)
          await unanswered.refuse(toUnansweredCall(orgId, callId, arriving), "disconnected");
        return { ...(routed?.instruction ?? noAction), call_id: callId };
      } catch (error) {
        await unanswered.refuse(toUnansweredCall(orgId, callId, arriving), "failed");
        throw error;
      }
    },

    /** Applies a switch's report on a call; null when the organization has no such call. */
    async report(orgId: OrgId, id: string, report: Report): Promise<Reported | null> {
      const at = report.at ?? isoTime(clock.now());
      const skewMs = report.at === undefined ? 0 : Date.parse(report.at) - clock.now();
      let kind: Reported["kind"] = "stale";
      const step = countStep(
        await openCalls.step(orgId, id, async (call, db): Promise<CallStep> => {
          const skew_ms = call.skew_ms === null ? null : skewMs;
          const { config, trace } = contextOf(orgId, skew_ms ?? 0);
          const applied = applyReport(call, report, { config, trace, at });
          kind = applied === null ? "stale" : "taken";
          if (applied === null) return { call, messages: [] };
          const left = { ...applied.call, skew_ms };
          const messages = toMessages(call, trace, applied.signals);
          if (left.state === "ended") await release(db, call.call_id);
          if (left.state !== "routing") return { call: left, messages };
          await releaseDial(db, call.call_id);
          return { call: { ...left, lease: router.lease() }, messages, holders: holdersOf(left) };
        }),
      );
      if (step === null) return null;
      const { call } = step;
      if (call.state === "ended") router.abort(call.call_id);
      const routed = asksForInstruction(report) ? await router.routed(call) : call;
      return { kind, callId: call.call_id, instruction: routed?.instruction ?? noAction };
    },
  };
}
export type Calls = ReturnType<typeof createCalls>;

/** Reports that a switch sends beside the call's course start no decision. */
const asksForInstruction = ({ type }: Report): boolean =>
  type !== "ringing" && type !== "answer" && type !== "recorded";

/** Holders whose concurrency a call takes up between two dials. */
const holdersOf = ({ campaign_id, publisher }: OpenCall) => [
  ...(campaign_id === null ? [] : [{ kind: "campaign", id: campaign_id } as const]),
  ...(publisher === null ? [] : [{ kind: "publisher", id: publisher.id } as const]),
];
