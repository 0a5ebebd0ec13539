import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import { addTags } from "../../routing/call/tags.ts";
import type { CallStep } from "../../telephony/call-step.ts";
import type { OpenCall } from "../../telephony/open-call.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { publishTo, signalMessage } from "../../telephony/outbox.ts";
import type { LateData } from "./late-data.ts";
import type { Plan } from "./plan.ts";

export interface CarryOutDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly openCalls: Pick<OpenCallStore, "step">;
  readonly lateData: Pick<LateData, "giveToArriving">;
}

/** Does what a plan says, or what is left of it. */
export async function carryOut(deps: CarryOutDeps, orgId: OrgId, { signal, keep }: Plan): Promise<void> {
  if (signal !== null) await tellOfCall(deps, orgId, signal);
  if (keep !== null) await deps.lateData.giveToArriving(orgId, keep);
}

/**
 * A call that its switch still reports on is told in the order of its reports, behind its beginning too, and is routed
 * by what is new of it from its next decision on.
 */
async function tellOfCall({ log, openCalls }: CarryOutDeps, orgId: OrgId, signal: Signal): Promise<void> {
  const messages = [signalMessage(signal)];
  const step = await openCalls.step(
    orgId,
    signal.call_id,
    (call): CallStep => ({ call: withUpdate(call, signal), messages }),
  );
  if (step === null) await publishTo(log)(messages);
}

function withUpdate(call: OpenCall, signal: Signal): OpenCall {
  if (signal.kind !== "tagged" && signal.kind !== "fields") return call;
  const kept = Object.fromEntries(Object.entries(call.tags).filter(([name]) => !signal.remove.includes(name)));
  const tagged = { ...call, tags: addTags(kept, signal.tags) };
  if (signal.kind === "tagged") return tagged;
  const { caller_zip: zip = call.zip, caller_state: state_code = call.state_code } = signal;
  return { ...tagged, zip, state_code };
}
