import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { createDecider, type DeciderDeps } from "./decider.ts";
import type { Instruction } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";
import { nothing } from "./report-step.ts";

interface Routing {
  readonly decided: Promise<OpenCall | null>;
  readonly overtaken: AbortController;
}

/** Tells where calls go: one decision for a call at a time, in whichever process its step was made. */
export function createRouter(deps: DeciderDeps) {
  const { lease, decide } = createDecider(deps);
  /** Calls that this process is routing: two reports of one moment wait for the same decision. */
  const routing = new Map<string, Routing>();

  function routeOnce(orgId: OrgId, callId: CallId): Promise<OpenCall | null> {
    const known = routing.get(callId);
    if (known !== undefined) return known.decided;
    const overtaken = new AbortController();
    const decided = decide(orgId, callId, overtaken.signal).finally(() => routing.delete(callId));
    routing.set(callId, { decided, overtaken });
    return decided;
  }

  return {
    lease,
    /** The call's present instruction, decided on first where it is still to be. */
    async instructionOf(call: OpenCall): Promise<Instruction> {
      let current: OpenCall | null = call;
      while (current?.state === "routing") {
        const decided: OpenCall | null = await routeOnce(call.org_id, call.call_id);
        // A decision that was under way may be on an earlier round than the report that asks now.
        current = decided !== null && decided.round < current.round ? current : decided;
      }
      return current?.instruction ?? nothing;
    },
    /** The call is over: nobody is asked for it any more. */
    overtake(callId: CallId): void {
      routing.get(callId)?.overtaken.abort();
    },
  };
}
