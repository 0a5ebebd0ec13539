import { demoOrganizations } from "../../../api/demo/documents.ts";
import { demoHistory } from "../../../api/demo/history.ts";
import { type AuditRecord, auditRecordSchema } from "../../../ingest/audit.ts";
import type { Call } from "../../../ingest/call.ts";
import {
  type IncomingRequest,
  incomingRequestSchema,
  type OutgoingRequest,
  outgoingRequestSchema,
} from "../../../ingest/delivery.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import type { NewMessage } from "../../../ingest/log/log.ts";
import {
  type InboundRtbRequest,
  inboundRtbRequestSchema,
  type OutboundRtbRequest,
  outboundRtbRequestSchema,
} from "../../../ingest/rtb.ts";
import { type Signal, signalSchema } from "../../../ingest/signal.ts";
import { type CallTrace, callTraceSchema } from "../../../ingest/trace.ts";

/** A Saturday afternoon in New York. */
export const now = Date.parse("2026-11-21T20:04:05.678Z");
export const organizations = demoOrganizations({ seed: 7, now, receiverUrl: "http://127.0.0.1:4000" });

export function messagesOf(calls: number, seed = 7): NewMessage[] {
  return [...demoHistory(organizations, { seed, calls, now, days: 90 })].flatMap(({ messages }) => messages);
}

export interface Collected {
  readonly messages: readonly NewMessage[];
  readonly signals: ReadonlyMap<string, readonly Signal[]>;
  readonly calls: ReadonlyMap<string, Call>;
  readonly events: readonly CallEvent[];
  readonly outgoing: readonly OutgoingRequest[];
  readonly incoming: readonly IncomingRequest[];
  readonly inbound: readonly InboundRtbRequest[];
  readonly outbound: readonly OutboundRtbRequest[];
  readonly traces: readonly CallTrace[];
  readonly audit: readonly AuditRecord[];
}

/** The history as its readers see it: every message parsed by its schema, every call folded. */
export function collect(messages: readonly NewMessage[]): Collected {
  const signals = new Map<string, Signal[]>();
  const [outgoing, incoming]: [OutgoingRequest[], IncomingRequest[]] = [[], []];
  const [traces, audit]: [CallTrace[], AuditRecord[]] = [[], []];
  const [inbound, outbound]: [InboundRtbRequest[], OutboundRtbRequest[]] = [[], []];
  for (const { topic, key, value } of messages) {
    const record = JSON.parse(value) as { kind: string };
    if (topic === "call-signals") signals.set(key, [...(signals.get(key) ?? []), signalSchema.parse(record)]);
    else if (topic === "call-traces") traces.push(callTraceSchema.parse(record));
    else if (topic === "audit-log") audit.push(auditRecordSchema.parse(record));
    else if (record.kind === "outgoing") outgoing.push(outgoingRequestSchema.parse(record));
    else if (record.kind === "incoming") incoming.push(incomingRequestSchema.parse(record));
    else if (record.kind === "inbound") inbound.push(inboundRtbRequestSchema.parse(record));
    else outbound.push(outboundRtbRequestSchema.parse(record));
  }
  const calls = new Map<string, Call>();
  const events: CallEvent[] = [];
  for (const [id, told] of signals) {
    for (const [position, signal] of told.entries()) {
      const applied = applySignal(calls.get(id), signal, position);
      if (applied.kind !== "applied") throw new Error(`${signal.kind} of ${id} is ${applied.kind}`);
      calls.set(id, applied.call);
      events.push(...applied.events);
    }
  }
  return { messages, signals, calls, events, outgoing, incoming, inbound, outbound, traces, audit };
}
