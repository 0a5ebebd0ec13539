import type { Clock } from "../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import type { Resource } from "../../config/registry.ts";
import { placeholdersOf } from "../../outbound/placeholders.ts";
import { noTimings } from "../../outbound/watch.ts";
import type { HealthKeeper } from "./health-keeper.ts";
import type { Place } from "./line.ts";
import { type Delivery, toOutgoingRequest } from "./record.ts";
import { nextAttemptAt, type Schedule } from "./schedule.ts";
import type { Exchange, Sender } from "./send.ts";
import { signed } from "./sign.ts";
import { type FilledRequest, fillRequest } from "./template.ts";
import type { Turns } from "./turns.ts";

export type Webhook = Resource<"outgoing_webhook">;

/** A delivery with the request that its template makes of it. */
export interface Prepared extends Delivery {
  readonly webhook: Webhook;
  readonly place: Place;
  readonly request: FilledRequest;
  /** Why there is none to send; null when there is. */
  readonly unfilled: Exchange | null;
}

/** How an attempt went, and when the next one is due; null when it was the last. */
export interface Attempted {
  readonly record: OutgoingRequest;
  readonly nextAt: number | null;
}

export interface AttemptDeps {
  readonly sender: Pick<Sender, "send">;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

export function prepare(delivery: Delivery & { readonly webhook: Webhook }): Prepared {
  const filled = fillOrSay(delivery);
  return { ...delivery, ...filled, place: { orgId: delivery.event.org_id, endpoint: originOf(filled.request.url) } };
}

/** What is no address shares the places of all that are none. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "");

/** What first attempts go in order of. */
export const orderKey = (callId: string, { endpoint }: Place): string => `${callId} ${endpoint}`;

/** A template that cannot be filled is its owner's failure, with a record like any other. */
function fillOrSay({ event, webhook }: Pick<Prepared, "event" | "webhook">) {
  const { method, url } = webhook;
  try {
    return { request: fillRequest(webhook, placeholdersOf(event)), unfilled: null };
  } catch (error) {
    const message = `The template cannot be filled: ${error instanceof Error ? error.message : String(error)}`;
    const unfilled = toEnd("invalid", "invalid_template", message);
    return { request: { method, url, headers: {}, body: null }, unfilled };
  }
}

/** The end of an attempt for which nothing was sent. */
export const toEnd = (outcome: Exchange["outcome"], errorClass: Exchange["errorClass"], error: string): Exchange => ({
  outcome,
  errorClass,
  error,
  status: null,
  headers: {},
  body: null,
  elapsedMs: 0,
  timings: noTimings,
});

export interface Turn {
  /** Asked when it comes. */
  mayBegin(): boolean;
  /** Makes durable what came of it; the place is given back only then. */
  keep?(attempted: Attempted): Promise<void>;
}

/** One attempt, when its turn has come; null when by then it may not begin any more: nothing has been sent. */
export async function attempt(
  { sender, turns, clock, schedule }: AttemptDeps,
  prepared: Prepared,
  { mayBegin, keep }: Turn,
): Promise<Attempted | null> {
  const leave = await turns.enter(prepared.place);
  try {
    if (!mayBegin()) return null;
    const { webhook, deliveryId } = prepared;
    const request = signed(prepared.request, webhook.signing ?? null, { id: deliveryId, now: clock.now() });
    const exchange = prepared.unfilled ?? (await sender.send(request));
    const attempted = toAttempted({ ...prepared, request }, exchange, { schedule, now: clock.now() });
    await keep?.(attempted);
    return attempted;
  } finally {
    leave();
  }
}

function toAttempted(
  prepared: Prepared,
  exchange: Exchange,
  { schedule, now }: { readonly schedule: Schedule; readonly now: number },
): Attempted {
  const nextAt = nextAttemptAt(exchange, schedule, { attempt: prepared.attempt, now });
  const times = { beganAt: now - exchange.elapsedMs, endedAt: now, nextAt };
  return { record: toOutgoingRequest({ ...prepared, exchange, ...times }), nextAt };
}

/** Tells the keeper of webhooks' health how an attempt went. */
export function noteAttempt({ note }: Pick<HealthKeeper, "note">, { record, nextAt }: Attempted): void {
  const { outcome } = record;
  note({
    orgId: record.org_id,
    webhookId: record.outgoing_webhook_config_id,
    result: outcome === "delivered" || outcome === "gone" ? outcome : "failed",
    exhausted: nextAt === null && outcome !== "delivered",
  });
}
