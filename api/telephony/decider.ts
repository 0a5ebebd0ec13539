import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { findNext, type NextDeps } from "../routing/call/next.ts";
import { addTags, newTags } from "../routing/call/tags.ts";
import type { KeptJournal } from "../routing/journal.ts";
import type { DecisionAt, Heed } from "./decision.ts";
import type { OpenCall } from "./open-call.ts";
import type { OpenCallStore } from "./open-calls.ts";
import { type RouteStep, routeStep } from "./route-step.ts";
import { toTold } from "./told.ts";

export interface DeciderDeps extends NextDeps {
  readonly openCalls: OpenCallStore;
  readonly clock: Clock;
  readonly decisionAt: DecisionAt;
  readonly heed: Heed;
}

/** Buyers that are asked in turn may take so long together: a caller waits no longer. */
const walkMs = 30_000;
/** A process that has not decided by then has died; whoever is asked goes on in its place. */
const leaseMs = walkMs + 5000;
const lookAgainMs = 200;

/** Decides where a call goes, in the process that has its lease; another one only when that has died. */
export function createDecider(deps: DeciderDeps) {
  const { openCalls, clock, decisionAt, heed } = deps;
  const own = uuidv7();

  /** For the step that leaves a call to be routed: this process does it. */
  const lease = () => ({ by: own, until: clock.now() + leaseMs });

  /** Decides until the call is dialed, asks its caller something, or is over. */
  async function decide(orgId: OrgId, callId: CallId, overtaken: AbortSignal): Promise<OpenCall | null> {
    let call = await openCalls.find(orgId, callId);
    const deadlineAt = clock.now() + walkMs;
    while (call?.state === "routing") {
      if (!isOwn(call)) return await takeOver(orgId, call, overtaken);
      const before: OpenCall = call;
      const { journal, ...decision } = decisionAt(orgId, before.skew_ms ?? 0);
      const next = await findNext(deps, { call: before, journal, ...decision, deadlineAt, overtaken });
      const step = await openCalls.step(orgId, callId, (current, db): Promise<RouteStep> | RouteStep => {
        // Of its own for each try: a transaction that is begun anew tells its way once.
        const told = journal.fork();
        if (current.state !== "routing" || current.round !== before.round) return overtakenBy(current, told);
        // Tags that came from outside meanwhile stay; what the decision adds is beside what it knew.
        const tags = addTags(current.tags, newTags(next.tags, before.tags));
        const { config, now } = { ...decision, now: clock.now() };
        return routeStep({ call: current, next: { ...next, tags }, journal: told, db, now, config });
      });
      call = heed(step)?.call ?? null;
    }
    return call;
  }

  const isOwn = ({ lease: held }: OpenCall): boolean => held === null || held.by === own;

  /** Waits for another process's decision, and decides in its place when it has died. */
  async function takeOver(orgId: OrgId, call: OpenCall, overtaken: AbortSignal): Promise<OpenCall | null> {
    while ((call.lease?.until ?? 0) > clock.now()) {
      await clock.sleep(lookAgainMs, overtaken);
      const found = await openCalls.find(orgId, call.call_id);
      if (found?.state !== "routing" || found.round !== call.round) return found;
    }
    await openCalls.step(orgId, call.call_id, (current) => ({
      call: current.state === "routing" && current.round === call.round ? { ...current, lease: lease() } : current,
      tell: [],
    }));
    return decide(orgId, call.call_id, overtaken);
  }

  return { lease, decide };
}

/** A hangup, or another process's decision, came first: buyers were asked, and none has won. */
function overtakenBy(call: OpenCall, { lines, requests }: KeptJournal): RouteStep {
  const lost = requests.map((request) => ({ ...request, won: false }));
  return { call, tell: toTold(call, { lines, requests: lost }, []) };
}
