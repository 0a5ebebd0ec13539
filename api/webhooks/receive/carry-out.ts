import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import { addTags } from "../../routing/call/tags.ts";
import type { OpenCall } from "../../telephony/open-call.ts";
import type { CallStep, OpenCallStore } from "../../telephony/open-calls.ts";
import { tellingTo, toSignal } from "../../telephony/told.ts";
import type { Plan } from "./plan.ts";

export interface CarryOutDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly openCalls: Pick<OpenCallStore, "step">;
}

/**
 * Does what a plan says, or what is left of it. A call that its switch still reports on is told in the order of its
 * reports, behind its beginning too, and is routed by its new tags from its next decision on.
 */
export async function carryOut({ log, openCalls }: CarryOutDeps, orgId: OrgId, { signal }: Plan): Promise<void> {
  if (signal === null) return;
  const told = [toSignal(signal)];
  const step = await openCalls.step(
    orgId,
    signal.call_id,
    (call): CallStep => ({ call: withTags(call, signal), tell: told }),
  );
  if (step === null) await tellingTo(log)(told);
}

function withTags(call: OpenCall, signal: Signal): OpenCall {
  if (signal.kind !== "tagged" && signal.kind !== "fields") return call;
  const kept = Object.fromEntries(Object.entries(call.tags).filter(([name]) => !signal.remove.includes(name)));
  return { ...call, tags: addTags(kept, signal.tags) };
}
