import { v7 as uuidv7 } from "uuid";
import type { Call } from "../../ingest/call.ts";
import type { CallEvent } from "../../ingest/event.ts";
import { applySignal } from "../../ingest/lifecycle/fold.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { Signal } from "../../ingest/signal.ts";
import type { TraceLine } from "../../ingest/trace.ts";
import { type Arrival, drawArrivals } from "./arrivals.ts";
import { drawTags } from "./attribution.ts";
import { auditRecordsOf } from "./audit-records.ts";
import { signalsOfCall } from "./call-signals.ts";
import { traceLinesOf } from "./call-traces.ts";
import { type CallerBook, createCallerBook, newCaller } from "./callers.ts";
import { deliveriesOf } from "./deliveries.ts";
import type { DemoOrganization } from "./documents.ts";
import { answerWithoutCall, answerWithRoutes, type PingRecords } from "./inbound-pings.ts";
import { incomingRequestsOf } from "./incoming-requests.ts";
import type { Organization } from "./organization.ts";
import type { Ping } from "./outbound-pings.ts";
import { between, chance, createRandom, pick, pickWeighted, type Random, wholeBetween } from "./random.ts";

export interface HistoryOptions {
  readonly seed: number;
  /** Number of calls in all. */
  readonly calls: number;
  /** Milliseconds since 1970; nothing is later. */
  readonly now: number;
  readonly days: number;
}

export interface HistoryChunk {
  readonly messages: readonly NewMessage[];
  /** Calls that begin in it. */
  readonly calls: number;
}

const minute = 60_000;
const callsPerChunk = 500;
/** The last call begins so long before `now` that it can end. */
const quietMs = 10 * minute;
/** Nothing that belongs to a call lies further before its beginning. */
const leadMs = 5 * minute;

/**
 * Returns the messages of the demo's organizations in the days before `now`, in order of time: signals, steps of routing, webhook requests of both directions,
 * RTB requests and changes of config. The same options give the same bytes. No signal names a webhook, so replaying the history sends nothing.
 */
export function* demoHistory(
  organizations: readonly DemoOrganization[],
  { seed, calls, now, days }: HistoryOptions,
): Generator<HistoryChunk> {
  const random = createRandom(`${seed}/history`);
  const arrivals = drawAllArrivals(random, organizations, { calls, now, days });
  const book = createCallerBook(random);
  // Chance of its own: what else is drawn stays as it is.
  const traceIds = createRandom(`${seed}/traces`);
  let pending = auditMessages(organizations, { seed, now, days, arrivals });
  for (let first = 0; first < arrivals.length; first += callsPerChunk) {
    const begun = arrivals.slice(first, first + callsPerChunk);
    for (const arrival of begun) pending.push(...messagesOfCall(random, book, { arrival, now, traceIds }));
    pending.sort((one, other) => one.at - other.at);
    const nextArrival = arrivals[first + callsPerChunk]?.at ?? Number.POSITIVE_INFINITY;
    const ready = pending.findIndex(({ at }) => at >= nextArrival - leadMs);
    const due = ready === -1 ? pending : pending.slice(0, ready);
    pending = ready === -1 ? [] : pending.slice(ready);
    yield { messages: due.map(({ message }) => message), calls: begun.length };
  }
}

interface Timed {
  readonly at: number;
  readonly message: NewMessage;
}

function drawAllArrivals(
  random: Random,
  organizations: readonly Organization[],
  { calls, now, days }: Omit<HistoryOptions, "seed">,
): readonly Arrival[] {
  const total = organizations.reduce((sum, { size }) => sum + size, 0);
  const span = { from: now - days * 24 * 60 * minute, to: now - quietMs };
  let left = calls;
  return organizations
    .flatMap((organization, index) => {
      const count = index === organizations.length - 1 ? left : Math.round((calls * organization.size) / total);
      left -= count;
      return drawArrivals(random, organization, { ...span, count });
    })
    .sort((one, other) => one.at - other.at);
}

/** All messages of one call, and of the pings around it. */
function messagesOfCall(
  random: Random,
  book: CallerBook,
  { arrival, now, traceIds }: { arrival: Arrival; now: number; traceIds: Random },
): Timed[] {
  const { at, organization, campaign } = arrival;
  const item = pickWeighted(random, campaign.items, ({ share }) => share) ?? campaign.items[0];
  if (item === undefined) throw new Error(`demo data: ${campaign.name} has no number`);
  const caller = book.next(campaign);
  const callId = drawId(random, at) as CallId;
  const asks = item.asksFirst === true && caller.state !== null && chance(random, 0.94);
  const about = { organization, campaign, item, caller, callId };
  const ping = asks ? answerWithRoutes(random, toPing(random, at - between(random, 2, 40) * 1000, about)) : null;
  const tags = drawTags(random, campaign, item);
  if (chance(random, 0.035)) tags["disposition"] = pick(random, dispositions);
  const signals = signalsOfCall(random, {
    ...arrival,
    callId,
    item,
    caller,
    tags,
    repeat: book.called(organization.org_id, caller),
    duplicateOf: book.duplicateOf(campaign, caller, at),
    inboundRequestId: ping?.inbound.request_id ?? null,
    won: ping?.won ?? null,
    endBefore: now - 30_000,
  });
  const { call, events } = foldAll(signals);
  book.remember(organization.org_id, campaign, caller, call.connected_at === null ? null : { callId, at });
  const others = ping === null ? [] : pingsWithoutCall(random, at, about).map((one) => answerWithoutCall(random, one));
  return [
    ...signals.map((signal) => timed("call-signals", callId, { at: signal.at, record: signal })),
    ...traceLinesOf(campaign, signals).map((line, seq) => toTrace(traceIds, { line, seq, about })),
    ...deliveriesOf(random, campaign, { events, now }).map(toDelivery),
    ...incomingRequestsOf(random, organization, { call, now }).map(toDelivery),
    ...(ping === null ? [] : [ping, ...others]).flatMap(toRtbMessages),
  ];
}

const dispositions = ["sale", "callback", "not_interested", "not_qualified"] as const;

type PingAbout = Omit<Ping, "at" | "id">;

const toPing = (random: Random, at: number, about: PingAbout): Ping => ({
  ...about,
  at: Math.floor(at),
  id: drawId(random, Math.floor(at)),
});

/** About six pings without a call for every five with one, in the minutes before it. */
function pingsWithoutCall(random: Random, at: number, about: PingAbout): Ping[] {
  return Array.from({ length: wholeBetween(random, 0, 2) + (chance(random, 0.2) ? 1 : 0) }, () =>
    toPing(random, at - between(random, 0.1, 4.9) * minute, {
      ...about,
      caller: newCaller(random, about.campaign),
      callId: null,
    }),
  );
}

/** The call after its last signal, and its events. */
function foldAll(signals: readonly Signal[]): { call: Call; events: CallEvent[] } {
  const events: CallEvent[] = [];
  let call: Call | undefined;
  for (const [position, signal] of signals.entries()) {
    const applied = applySignal(call, signal, position);
    if (applied.kind !== "applied")
      throw new Error(`demo history: signal ${signal.kind} of ${signal.call_id} is ${applied.kind}`);
    call = applied.call;
    events.push(...applied.events);
  }
  if (call === undefined) throw new Error("demo history: a call without a signal");
  return { call, events };
}

interface Traced {
  readonly line: TraceLine;
  readonly seq: number;
  readonly about: Pick<PingAbout, "organization" | "callId">;
}

function toTrace(ids: Random, { line, seq, about: { organization, callId } }: Traced): Timed {
  const id = drawId(ids, Date.parse(line.occurred_at), seq);
  const record = { v: 1, id, org_id: organization.org_id, call_id: callId, ...line };
  return timed("call-traces", String(callId), { at: line.occurred_at, record });
}

interface Audited extends Omit<HistoryOptions, "calls"> {
  readonly arrivals: readonly Arrival[];
}

function auditMessages(organizations: readonly DemoOrganization[], { seed, now, days, arrivals }: Audited): Timed[] {
  return organizations.flatMap((organization) => {
    const own = arrivals.filter((arrival) => arrival.organization === organization).map(({ at }) => at);
    const span = { arrivals: own, from: now - days * 24 * 60 * minute, to: now - quietMs };
    return auditRecordsOf(createRandom(`${seed}/audit/${organization.name}`), organization, span).map((record) =>
      timed("audit-log", record.entity_id, { at: record.created_at, record }),
    );
  });
}

const toDelivery = (record: { id: string; created_at: string }): Timed =>
  timed("webhook-deliveries", record.id, { at: record.created_at, record });

function toRtbMessages({ inbound, outbound }: PingRecords): Timed[] {
  const message = (id: string, record: InboundRtbRequest | OutboundRtbRequest) =>
    timed("rtb-requests", id, { at: record.created_at, record });
  return [message(inbound.request_id, inbound), ...outbound.map((record) => message(record.id, record))];
}

const timed = (topic: NewMessage["topic"], key: string, { at, record }: { at: string; record: unknown }): Timed => ({
  at: Date.parse(at),
  message: { topic, key, value: JSON.stringify(record) },
});

/** A UUID v7 of the given time: sorted as the calls are. */
function drawId(random: Random, msecs: number, seq?: number): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < bytes.length; index++) bytes[index] = random() * 256;
  return uuidv7({ msecs, random: bytes, ...(seq === undefined ? {} : { seq }) });
}
