import { v7 as uuidv7 } from "uuid";
import type { Call } from "../../ingest/call.ts";
import type { CallEvent } from "../../ingest/event.ts";
import { applySignal } from "../../ingest/lifecycle/fold.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { Signal } from "../../ingest/signal.ts";
import type { Question } from "./ask-buyers.ts";
import { drawTags } from "./attribution.ts";
import { signalsOfCall } from "./call-signals.ts";
import { type CallerBook, createCallerBook, newCaller } from "./callers.ts";
import { deliveriesOf } from "./deliveries.ts";
import { incomingRequestsOf } from "./incoming-requests.ts";
import { type Answer, answerInVain, answerWithRoutes } from "./pings.ts";
import { between, chance, createRandom, pick, pickWeighted, type Random, wholeBetween } from "./random.ts";
import { drawStarts, type Start } from "./rhythm.ts";
import { toScene } from "./scene.ts";
import type { DemoWorld } from "./world.ts";

export interface HistoryOptions {
  readonly seed: number;
  /** How many calls in all. */
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
 * What the demo's organizations did in the days before `now`, in order of time: signals, webhook requests of both
 * directions and RTB requests. The same options give the same bytes. No signal names a webhook, so replaying the
 * history sends nothing.
 */
export function* demoHistory(world: DemoWorld, { seed, calls, now, days }: HistoryOptions): Generator<HistoryChunk> {
  const random = createRandom(`${seed}/history`);
  const starts = drawAllStarts(random, world, { calls, now, days });
  const book = createCallerBook(random);
  let pending: Timed[] = [];
  for (let first = 0; first < starts.length; first += callsPerChunk) {
    const begun = starts.slice(first, first + callsPerChunk);
    for (const start of begun) pending.push(...tellCall(random, book, { start, now }));
    pending.sort((one, other) => one.at - other.at);
    const nextStart = starts[first + callsPerChunk]?.at ?? Number.POSITIVE_INFINITY;
    const ready = pending.findIndex(({ at }) => at >= nextStart - leadMs);
    const due = ready === -1 ? pending : pending.slice(0, ready);
    pending = ready === -1 ? [] : pending.slice(ready);
    yield { messages: due.map(({ message }) => message), calls: begun.length };
  }
}

interface Timed {
  readonly at: number;
  readonly message: NewMessage;
}

function drawAllStarts(
  random: Random,
  world: DemoWorld,
  { calls, now, days }: Omit<HistoryOptions, "seed">,
): readonly Start[] {
  const scenes = world.organizations.map(toScene);
  const total = scenes.reduce((sum, { size }) => sum + size, 0);
  const span = { from: now - days * 24 * 60 * minute, to: now - quietMs };
  let left = calls;
  return scenes
    .flatMap((scene, index) => {
      const count = index === scenes.length - 1 ? left : Math.round((calls * scene.size) / total);
      left -= count;
      return drawStarts(random, scene, { ...span, count });
    })
    .sort((one, other) => one.at - other.at);
}

/** All messages of one call, and of the questions asked around it. */
function tellCall(random: Random, book: CallerBook, { start, now }: { start: Start; now: number }): Timed[] {
  const { at, scene, campaign } = start;
  const item = pickWeighted(random, campaign.items, ({ traits }) => traits.share) ?? campaign.items[0];
  if (item === undefined) throw new Error(`demo config: ${campaign.name} has no number`);
  const caller = book.next(campaign);
  const callId = drawId(random, at) as CallId;
  const asks = item.traits.asksFirst === true && caller.state !== null && chance(random, 0.94);
  const ask = { scene, campaign, item, caller, callId };
  const answer = asks ? answerWithRoutes(random, question(random, at - between(random, 2, 40) * 1000, ask)) : null;
  const tags = drawTags(random, campaign, item);
  if (chance(random, 0.035)) tags["disposition"] = pick(random, dispositions);
  const signals = signalsOfCall(random, {
    ...start,
    callId,
    item,
    caller,
    tags,
    repeat: book.called(scene.orgId, caller),
    duplicateOf: book.duplicateOf(campaign, caller, at),
    inboundRequestId: answer?.inbound.request_id ?? null,
    won: answer?.won ?? null,
    endBefore: now - 30_000,
  });
  const { call, events } = foldAll(signals);
  book.remember(scene.orgId, campaign, caller, call.connected_at === null ? null : { callId, at });
  const vain = answer === null ? [] : vainQuestions(random, at, ask).map((one) => answerInVain(random, one));
  return [
    ...signals.map((signal) => timed("call-signals", callId, { at: signal.at, record: signal })),
    ...deliveriesOf(random, campaign, { events, now }).map(toDelivery),
    ...incomingRequestsOf(random, scene, { call, now }).map(toDelivery),
    ...[...(answer === null ? [] : [answer]), ...vain].flatMap(toRtbMessages),
  ];
}

const dispositions = ["sale", "callback", "not_interested", "not_qualified"] as const;

type Asked = Omit<Question, "at" | "id">;

const question = (random: Random, at: number, asked: Asked): Question => ({
  ...asked,
  at: Math.floor(at),
  id: drawId(random, Math.floor(at)),
});

/** About six questions without a call for every five with one, in the minutes before it. */
function vainQuestions(random: Random, at: number, asked: Asked): Question[] {
  return Array.from({ length: wholeBetween(random, 0, 2) + (chance(random, 0.2) ? 1 : 0) }, () =>
    question(random, at - between(random, 0.1, 4.9) * minute, {
      ...asked,
      caller: newCaller(random, asked.campaign),
      callId: null,
    }),
  );
}

/** The call in the end, and the events that its webhooks were told of. */
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

const toDelivery = (record: { id: string; created_at: string }): Timed =>
  timed("webhook-deliveries", record.id, { at: record.created_at, record });

function toRtbMessages({ inbound, outbound }: Answer): Timed[] {
  const message = (id: string, record: InboundRtbRequest | OutboundRtbRequest) =>
    timed("rtb-requests", id, { at: record.created_at, record });
  return [message(inbound.request_id, inbound), ...outbound.map((record) => message(record.id, record))];
}

const timed = (topic: NewMessage["topic"], key: string, { at, record }: { at: string; record: unknown }): Timed => ({
  at: Date.parse(at),
  message: { topic, key, value: JSON.stringify(record) },
});

/** A UUID v7 of the given time: sorted as the calls are. */
function drawId(random: Random, msecs: number): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < bytes.length; index++) bytes[index] = random() * 256;
  return uuidv7({ msecs, random: bytes });
}
