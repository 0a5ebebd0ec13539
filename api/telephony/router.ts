import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { type NextDeps, runDialPlan } from "../routing/call/run-dial-plan.ts";
import { addTags, newTags } from "../routing/call/tags.ts";
import type { RecordedTrace } from "../routing/decision-trace.ts";
import type { CallStep, ContextOf, CountStep } from "./call-step.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";
import { toMessages } from "./outbox.ts";
import { routeStep } from "./route-step.ts";

export interface RouterDeps extends NextDeps {
  readonly openCalls: OpenCallStore;
  readonly clock: Clock;
  readonly contextOf: ContextOf;
  readonly countStep: CountStep;
}

/** Time for one decision: buyers that are asked one after the other may take so long together. */
const decisionMs = 30_000;
/** A process that has not decided by then has died; the next one that is asked decides in its place. */
const leaseMs = decisionMs + 5000;
const pollEveryMs = 200;

interface Decision {
  readonly decided: Promise<OpenCall | null>;
  readonly overtaken: AbortController;
}

/**
 * Decides where calls go: one decision for a call at a time, in the process that holds the lease on it, or in another one
 * when that has died.
 */
export function createRouter(deps: RouterDeps) {
  const { openCalls, clock, contextOf, countStep } = deps;
  const processId = uuidv7();
  /** Decisions under way in this process: two reports of one moment wait for the same one. */
  const decisions = new Map<string, Decision>();

  const lease = () => ({ by: processId, until: clock.now() + leaseMs });
  const isOwn = ({ lease: held }: OpenCall): boolean => held === null || held.by === processId;

  /** Decides until the call is dialed, waits for a digit of its caller, or is over. */
  async function decide(orgId: OrgId, callId: CallId, overtaken: AbortSignal): Promise<OpenCall | null> {
    let call = await openCalls.find(orgId, callId);
    const deadlineAt = clock.now() + decisionMs;
    while (call?.state === "routing") {
      if (!isOwn(call)) return await takeOver(orgId, call, overtaken);
      const before: OpenCall = call;
      const { trace, ...context } = contextOf(orgId, before.skew_ms ?? 0);
      const next = await runDialPlan(deps, { call: before, trace, ...context, deadlineAt, overtaken, mayAsk: true });
      const step = await openCalls.step(orgId, callId, (current, db): Promise<CallStep> | CallStep => {
        // A copy for each try: a transaction that is begun anew adds its lines once.
        const copy = trace.fork();
        if (current.state !== "routing" || current.round !== before.round) return overtakenStep(current, copy);
        // Tags that came from outside meanwhile stay; what the decision adds is beside what it knew.
        const tags = addTags(current.tags, newTags(next.tags, before.tags));
        const { config } = context;
        return routeStep({ call: current, next: { ...next, tags }, trace: copy, db, now: clock.now(), config });
      });
      call = countStep(step)?.call ?? null;
    }
    return call;
  }

  /** Waits for another process's decision, and decides in its place when its lease has run out. */
  async function takeOver(orgId: OrgId, call: OpenCall, overtaken: AbortSignal): Promise<OpenCall | null> {
    while ((call.lease?.until ?? 0) > clock.now()) {
      await clock.sleep(pollEveryMs, overtaken);
      const found = await openCalls.find(orgId, call.call_id);
      if (found?.state !== "routing" || found.round !== call.round) return found;
    }
    await openCalls.step(orgId, call.call_id, (current) => ({
      call: current.state === "routing" && current.round === call.round ? { ...current, lease: lease() } : current,
      messages: [],
    }));
    return decide(orgId, call.call_id, overtaken);
  }

  function decideOnce(orgId: OrgId, callId: CallId): Promise<OpenCall | null> {
    const known = decisions.get(callId);
    if (known !== undefined) return known.decided;
    const overtaken = new AbortController();
    const decided = decide(orgId, callId, overtaken.signal).finally(() => decisions.delete(callId));
    decisions.set(callId, { decided, overtaken });
    return decided;
  }

  return {
    /** Returns a lease of this process, for the step that leaves a call to be routed. */
    lease,
    /** Returns the call with its present instruction, after a decision where one is due; null once it is not kept. */
    async routed(call: OpenCall): Promise<OpenCall | null> {
      let current: OpenCall | null = call;
      while (current?.state === "routing") {
        const decided: OpenCall | null = await decideOnce(call.org_id, call.call_id);
        // A decision that was under way may be on an earlier round than the report that asks now.
        current = decided !== null && decided.round < current.round ? current : decided;
      }
      return current;
    },
    /** Aborts the decision on a call that is over. */
    abort(callId: CallId): void {
      decisions.get(callId)?.overtaken.abort();
    },
  };
}

/** The step where a hangup, or another process's decision, came first: buyers were asked, and none has won. */
function overtakenStep(call: OpenCall, { lines, requests }: RecordedTrace): CallStep {
  const lost = requests.map((request) => ({ ...request, won: false }));
  return { call, messages: toMessages(call, { lines, requests: lost }, []) };
}
