import type { Clock } from "../../../ingest/clock.ts";
import type { FairQueue } from "../../../ingest/concurrency/fair-queue.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import { inSpan, type Tracing } from "../../../ingest/tracing.ts";
import type { Resource } from "../../config/registry.ts";
import { concurrencyOf } from "../../config/resources/outgoing-webhook.ts";
import { toAddress } from "../../outbound/escape.ts";
import { noTimings } from "../../outbound/exchange-timer.ts";
import { placeholdersOf } from "../../outbound/webhook-placeholders.ts";
import { exchangeSpan } from "../../tracing/trace-exchanges.ts";
import type { HealthMonitor } from "./health-monitor.ts";
import type { Endpoint } from "./pending-rows.ts";
import { type Delivery, toOutgoingRequest } from "./record.ts";
import { nextAttemptAt, type Schedule } from "./retry-schedule.ts";
import type { Exchange, Sender } from "./send.ts";
import { signed } from "./sign.ts";
import { type FilledRequest, fillRequest } from "./template.ts";

export type Webhook = Resource<"outgoing_webhook">;

/** A delivery with its template filled. */
export interface Prepared extends Delivery {
  readonly webhook: Webhook;
  readonly endpoint: Endpoint;
  readonly request: FilledRequest;
  /** The end of the attempt if the template cannot be filled: nothing is sent. */
  readonly unfilled: Exchange | null;
}

/** The record of an attempt, and when the next one is due; null when it was the last. */
export interface Attempted {
  readonly record: OutgoingRequest;
  readonly nextAt: number | null;
}

export interface AttemptDeps {
  readonly sender: Pick<Sender, "send">;
  /** Requests queue by `toPath` of their endpoint. */
  readonly queue: Pick<FairQueue, "run">;
  /** Attempts that have ended and are not stored yet. */
  readonly unstored: { count: number };
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly tracing?: Tracing | null | undefined;
}

/**
 * Attempts that may be unstored before further ones keep their place until they are stored: unstored ones are made
 * again when the process is killed. At ten milliseconds a store this lets ten thousand a second pass.
 */
const mostUnstored = 100;

export function prepare(delivery: Delivery & { readonly webhook: Webhook }): Prepared {
  const filled = fillOrFail(delivery);
  return {
    ...delivery,
    ...filled,
    endpoint: { orgId: delivery.event.org_id, endpoint: originOf(filled.request.address) },
  };
}

/** Longer than that of any host. */
const maxOriginLength = 300;

/** Invalid addresses are all one endpoint. */
function originOf(address: URL | null | undefined): string {
  const { origin = "" } = address ?? {};
  return origin.length > maxOriginLength ? "" : origin;
}

/** The path of an endpoint in the queue of attempts, which is fair between organizations, then their endpoints. */
export const toPath = ({ orgId, endpoint }: Endpoint): readonly string[] => [orgId, endpoint];

/** First attempts with the same key go in the order of their events. */
export const orderKey = ({ event, endpoint }: Pick<Prepared, "event" | "endpoint">): string =>
  `${event.call_id} ${endpoint.endpoint}`;

/** A template that cannot be filled is its owner's failure, with a record like any other. */
function fillOrFail({ event, webhook }: Pick<Prepared, "event" | "webhook">) {
  const { method, url } = webhook;
  try {
    return { request: fillRequest(webhook, placeholdersOf(event)), unfilled: null };
  } catch (error) {
    const message = `The template cannot be filled: ${error instanceof Error ? error.message : String(error)}`;
    const unfilled = unsent("invalid", "invalid_template", message);
    return { request: { method, url, address: toAddress(url, []), headers: {}, body: null }, unfilled };
  }
}

/** The end of an attempt in which nothing was sent. */
export const unsent = (outcome: Exchange["outcome"], errorClass: Exchange["errorClass"], error: string): Exchange => ({
  outcome,
  errorClass,
  error,
  status: null,
  headers: {},
  body: null,
  elapsedMs: 0,
  timings: noTimings,
});

export interface AttemptOptions {
  /** Called when the attempt's turn has come. */
  mayStart(): boolean;
  /** Stores the record. */
  store?(attempted: Attempted): Promise<void>;
}

/** Makes one attempt when its turn has come; null when it may not start any more by then: nothing was sent. */
export function attempt(
  { sender, queue, unstored, clock, schedule, tracing = null }: AttemptDeps,
  prepared: Prepared,
  { mayStart, store }: AttemptOptions,
): Promise<Attempted | null> {
  async function work(release: () => void): Promise<Attempted | null> {
    if (!mayStart()) return null;
    const { webhook, deliveryId } = prepared;
    const request = signed(prepared.request, webhook.signing ?? null, { id: deliveryId, now: clock.now() });
    const send = () => (tracing === null ? sender.send(request) : sendTraced({ sender, tracing }, prepared, request));
    const exchange = prepared.unfilled ?? (await send());
    const attempted = toAttempted({ ...prepared, request }, exchange, { schedule, now: clock.now() });
    if (store === undefined) return attempted;
    if (unstored.count < mostUnstored) release();
    unstored.count += 1;
    await store(attempted).finally(() => {
      unstored.count -= 1;
    });
    return attempted;
  }
  return queue.run(toPath(prepared.endpoint), work, { limit: concurrencyOf(prepared.webhook) });
}

function sendTraced(
  { sender, tracing }: Pick<AttemptDeps, "sender"> & { readonly tracing: Tracing },
  { event, webhook, attempt, traceparent }: Prepared,
  request: FilledRequest,
): Promise<Exchange> {
  const span = exchangeSpan(request, {
    "trunkline.org_id": event.org_id,
    "trunkline.call_id": event.call_id,
    "trunkline.event": event.event,
    "trunkline.webhook_id": webhook.id,
    "http.request.resend_count": attempt - 1,
  });
  const parent = traceparent === undefined ? {} : { parent: traceparent };
  return inSpan(tracing, { ...span, ...parent }, async (open) => {
    const exchange = await sender.send(request);
    if (exchange.status !== null) open?.set({ "http.response.status_code": exchange.status });
    if (exchange.outcome !== "delivered") open?.fail(String(exchange.status ?? exchange.errorClass));
    return exchange;
  });
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

/** Reports an attempt to the monitor of webhooks' health. */
export function reportAttempt({ report }: Pick<HealthMonitor, "report">, { record, nextAt }: Attempted): void {
  const { outcome } = record;
  report({
    orgId: record.org_id,
    webhookId: record.outgoing_webhook_config_id,
    result: outcome === "delivered" || outcome === "gone" ? outcome : "failed",
    exhausted: nextAt === null && outcome !== "delivered",
  });
}
