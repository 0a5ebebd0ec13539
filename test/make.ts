import { type Resource, type ResourceInput, toDocument } from "../api/config/registry.ts";
import { type AuditRecord, auditRecordSchema } from "../ingest/audit.ts";
import type { Call } from "../ingest/call.ts";
import {
  type IncomingRequest,
  incomingRequestSchema,
  type OutgoingRequest,
  outgoingRequestSchema,
} from "../ingest/delivery.ts";
import type { CallEvent, CallEventName } from "../ingest/event.ts";
import { applySignal } from "../ingest/lifecycle/fold.ts";
import type { CallId, OrgId } from "../ingest/primitives.ts";
import {
  type InboundRtbRequest,
  inboundRtbRequestSchema,
  type OutboundRtbRequest,
  outboundRtbRequestSchema,
} from "../ingest/rtb.ts";
import { type Signal, type SignalInput, signalSchema } from "../ingest/signal.ts";
import { type CallTrace, callTraceSchema } from "../ingest/trace.ts";

/** Makers of examples: each gives a whole and valid thing, and takes what a test cares about. */

export const orgOne = "org_one" as OrgId;
export const orgTwo = "org_two" as OrgId;
export const startOfTime = Date.parse("2026-11-02T15:00:00.000Z");

const organizations = new Map<string, number>([[orgOne, 0]]);

/** A tracking number that no other organization has: one of the hundreds of lines that each one has for itself. */
export function ownNumber(orgId: string, line = 100): string {
  const place = organizations.get(orgId) ?? organizations.size;
  organizations.set(orgId, place);
  return `+1800${String(5_550_000 + place * 1000 + line).slice(-7)}`;
}

/** ISO time so many seconds after the example call began. */
export const secondsIn = (seconds: number): string => new Date(startOfTime + seconds * 1000).toISOString();

type Given<K extends SignalInput["kind"]> = Partial<Extract<SignalInput, { kind: K }>>;
const about = { org_id: orgOne, call_id: "call-1" as CallId, at: secondsIn(0) };

export const anIncoming = (given: Given<"incoming"> = {}): Signal =>
  signalSchema.parse({
    kind: "incoming",
    ...about,
    from: "+12125550123",
    to: "+18005550100",
    campaign: { id: "cmp-1", name: "Solar East" },
    publisher: { id: "pub-1", name: "Blue Lake Media" },
    publisher_terms: { payout: 20, condition: "call_length_connected", condition_seconds: 10 },
    ...given,
  });

export const aDialing = (given: Given<"dialing"> = {}): Signal =>
  signalSchema.parse({
    kind: "dialing",
    ...about,
    target: { id: "tgt-1", name: "Sunny Roofs", type: "number" },
    buyer: { id: "buy-1", name: "Sunny Group" },
    buyer_terms: { revenue: 30, condition: "call_length_connected", condition_seconds: 10 },
    ...given,
  });

export const aTagged = (given: Given<"tagged"> = {}): Signal =>
  signalSchema.parse({ kind: "tagged", ...about, tags: { ivr_choice: "solar" }, ...given });
export const aDialFailed = (given: Given<"dial_failed"> = {}): Signal =>
  signalSchema.parse({ kind: "dial_failed", ...about, reason: "busy", ...given });
export const anAnswered = (given: Given<"answered"> = {}): Signal =>
  signalSchema.parse({ kind: "answered", ...about, ...given });
export const aHungUp = (given: Given<"hung_up"> = {}): Signal =>
  signalSchema.parse({ kind: "hung_up", ...about, ...given });
export const aFailed = (given: Given<"failed"> = {}): Signal =>
  signalSchema.parse({ kind: "failed", ...about, reason: "busy", ...given });
export const aRecorded = (given: Given<"recorded"> = {}): Signal =>
  signalSchema.parse({ kind: "recorded", ...about, recording_url: "https://switch.example/r/1", ...given });

const bySystem = (id: string) => ({ id, source: "incoming_webhook:hook-1" });
type Updating<K extends "adjusted" | "fields"> = Omit<Given<K>, "update"> & { id?: string };

/** Updates from outside; `id` tells one from another. */
export const anAdjusted = ({ id = "update-1", ...given }: Updating<"adjusted"> = {}): Signal =>
  signalSchema.parse({ kind: "adjusted", ...about, at: secondsIn(600), update: bySystem(id), ...given });
export const aFields = ({ id = "update-1", ...given }: Updating<"fields"> = {}): Signal =>
  signalSchema.parse({ kind: "fields", ...about, at: secondsIn(600), update: bySystem(id), ...given });
export const aRetagged = ({ id = "update-1", ...given }: Omit<Given<"tagged">, "update"> & { id?: string } = {}) =>
  signalSchema.parse({ kind: "tagged", ...about, at: secondsIn(600), tags: {}, update: bySystem(id), ...given });

/** The event of this name in the life of a call made of these signals; by default one of 16 connected seconds. */
export function anEvent(name: CallEventName, signals: readonly Signal[] = signalsOfCall(16)): CallEvent {
  let call: Call | undefined;
  const events: CallEvent[] = [];
  for (const [position, signal] of signals.entries()) {
    const applied = applySignal(call, signal, position);
    if (applied.kind !== "applied") throw new Error(`${signal.kind} cannot follow here: ${applied.kind}`);
    call = applied.call;
    events.push(...applied.events);
  }
  const found = events.find(({ event }) => event === name);
  if (found === undefined) throw new Error(`no ${name} among ${events.map(({ event }) => event).join(", ")}`);
  return found;
}

export const anOutgoingWebhook = (
  given: Partial<ResourceInput<"outgoing_webhook">> = {},
): Resource<"outgoing_webhook"> =>
  toDocument("outgoing_webhook", {
    id: "hook-1",
    org_id: orgOne,
    created_at: secondsIn(0),
    updated_at: secondsIn(0),
    name: "CRM",
    event_type_id: "call.completed",
    url: "https://crm.example/calls",
    ...given,
  });

/** A connected call of so many seconds, from its first signal to its last. */
export function signalsOfCall(
  seconds: number,
  { tags = {}, ...whose }: { call_id?: CallId; org_id?: OrgId; tags?: Record<string, string> } = {},
): Signal[] {
  return [
    anIncoming({ ...whose, tags }),
    aDialing(whose),
    anAnswered(whose),
    aHungUp({ ...whose, at: secondsIn(seconds) }),
  ];
}

const recorded = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(1) };

export const anOutgoingRequest = (given: Partial<OutgoingRequest> = {}): OutgoingRequest =>
  outgoingRequestSchema.parse({
    kind: "outgoing",
    ...recorded,
    id: "out-1",
    outgoing_webhook_config_id: "hook-1",
    webhook_config_name: "CRM",
    event_type_id: "call.completed",
    event_id: "call-1:call.completed",
    call_id: "call-1",
    url: "https://crm.example/calls?x=1",
    path: "/calls",
    query_string: "x=1",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
    attempt: 1,
    outcome: "delivered",
    response_status_code: 200,
    response_body: "ok",
    response_headers: {},
    response_time_ms: 12,
    ...given,
  });

export const anIncomingRequest = (given: Partial<IncomingRequest> = {}): IncomingRequest =>
  incomingRequestSchema.parse({
    kind: "incoming",
    ...recorded,
    id: "in-1",
    incoming_webhook_config_id: "receiver-1",
    webhook_config_name: "Leads",
    webhook_config_type: "call_data",
    transaction_id: "t-1",
    method: "POST",
    path: "/call-data",
    body: "{}",
    response_status_code: 200,
    ...given,
  });

export const anInboundPing = (given: Partial<InboundRtbRequest> = {}): InboundRtbRequest =>
  inboundRtbRequestSchema.parse({
    kind: "inbound",
    org_id: orgOne,
    created_at: secondsIn(0),
    request_id: "ping-1",
    inbound_rtb_id: "inbound_1",
    outcome: "routes",
    total_routes: 2,
    allocated_count: 1,
    best_payout: 12.5,
    processing_ms: 31.5,
    ...given,
  });

export const anOutboundPing = (given: Partial<OutboundRtbRequest> = {}): OutboundRtbRequest =>
  outboundRtbRequestSchema.parse({
    kind: "outbound",
    org_id: orgOne,
    created_at: secondsIn(0),
    id: "bid-1",
    rtb_id: "rtb-1",
    rtb_name: "Bidder",
    outcome: "bid",
    bid: 20,
    effective_bid: 20,
    total_ms: 80,
    steps_count: 1,
    ...given,
  });

export const anAuditRecord = (given: Partial<AuditRecord> = {}): AuditRecord =>
  auditRecordSchema.parse({
    id: "audit-1",
    org_id: orgOne,
    created_at: secondsIn(0),
    actor_type: "api_key",
    actor_id: "key-1",
    action: "update",
    entity_type: "target",
    entity_id: "tgt-1",
    changes: [{ field: "revenue", old: 1, new: 2 }],
    ...given,
  });

export const aCallTrace = (given: Partial<CallTrace> = {}): CallTrace =>
  callTraceSchema.parse({
    id: "trace-1",
    org_id: orgOne,
    call_id: "call-1",
    occurred_at: secondsIn(0),
    event: "plan.selected",
    ...given,
  });
