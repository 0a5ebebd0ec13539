import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { NotedCall } from "../routing/call-stats/call-store.ts";
import type { HeldCalls } from "../routing/call-stats/held-calls.ts";
import type { CallStats, Holder } from "../routing/call-stats.ts";
import { createDecisionTrace, type RecordedTrace } from "../routing/decision-trace.ts";
import type { OpenCall } from "./open-call.ts";
import type { OutboxMessage } from "./outbox.ts";

/** A call after one report of its switch or one routing decision, with the messages about it for the log. */
export interface CallStep {
  readonly call: OpenCall;
  readonly messages: readonly OutboxMessage[];
  /** Holders whose concurrency the call takes up from now on; undefined where that stays as it is. */
  readonly holders?: readonly Holder[] | undefined;
  /** The call as routing counts it at once, before the log has come back with it. */
  readonly noted?: NotedCall | undefined;
}

/** Input of a decision, at one instant. */
export interface DecisionContext {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly now: number;
  readonly trace: RecordedTrace;
}
/** `skewMs`: how far the switch's clock, which the times of the trace follow, is ahead of ours. */
export type ContextOf = (orgId: OrgId, skewMs: number) => DecisionContext;

export interface DecisionContextDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
  statsOf(orgId: OrgId): CallStats;
}

export const decisionContexts =
  ({ snapshot, statsOf, clock }: DecisionContextDeps): ContextOf =>
  (orgId, skewMs) => {
    const config = snapshot.config(orgId);
    if (config === undefined) throw new Error(`organization ${orgId} has a key but no config`);
    return {
      config,
      stats: statsOf(orgId),
      now: clock.now(),
      trace: createDecisionTrace({ now: () => clock.now() + skewMs }),
    };
  };

export interface CountingDeps {
  readonly held: Pick<HeldCalls, "reserved" | "released">;
  /** Counts a call for duplicates and caps. */
  note(call: NotedCall): void;
}
/** Counts a committed step in this process's memory; null for a step that was not made. */
export type CountStep = <S extends CallStep>(step: S | null) => S | null;

export const stepCounter =
  ({ held, note }: CountingDeps): CountStep =>
  (step) => {
    if (step === null) return null;
    const { call, holders, noted } = step;
    if (noted !== undefined) note(noted);
    if (call.state === "ended") held.released(call.call_id);
    else if (holders !== undefined) held.reserved({ orgId: call.org_id, callId: call.call_id }, holders);
    return step;
  };
