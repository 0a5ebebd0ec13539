import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { publishTo, signalMessage } from "../../telephony/outbox.ts";
import type { AdjustmentsPlan } from "./plan.ts";

export interface CarryOutDeps {
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "openAmong" | "step">;
}

/** Each carries its call as it stood. */
const signalsAtOnce = 100;

/** A call that its switch still reports on is told in the order of its reports, behind its beginning too. */
export async function carryOut(
  { log, openCalls }: CarryOutDeps,
  orgId: OrgId,
  signals: AdjustmentsPlan["signals"],
): Promise<void> {
  const publish = publishTo(log);
  const open = await openCalls.openAmong(
    orgId,
    signals.map(({ call_id }) => call_id),
  );
  const outboxes = signals.map((signal) => ({ id: signal.call_id, messages: [signalMessage(signal)] }));
  const others = outboxes.filter(({ id }) => !open.has(id));
  for (let first = 0; first < others.length; first += signalsAtOnce) {
    await publish(others.slice(first, first + signalsAtOnce).flatMap(({ messages }) => messages));
  }
  for (const { id, messages } of outboxes.filter(({ id }) => open.has(id))) {
    const step = await openCalls.step(orgId, id, (call) => ({ call, messages }));
    if (step === null) await publish(messages);
  }
}
