import type { FairQueue, KeyedMutex } from "../../../ingest/concurrency/fair-queue.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { type Attributes, inSpan } from "../../../ingest/tracing.ts";
import { isPaused } from "../../config/pause.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import {
  type AttemptDeps,
  attempt,
  orderKey,
  type Prepared,
  prepare,
  reportAttempt,
  toPath,
  type Webhook,
} from "./attempt.ts";
import type { Backlog } from "./backlog.ts";
import type { HealthMonitor } from "./health-monitor.ts";
import type { Pending } from "./pending.ts";
import { deliveryIdOf } from "./record.ts";

export interface FirstAttemptDeps extends AttemptDeps {
  readonly queue: FairQueue;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly pending: Pick<Pending, "enter">;
  readonly backlog: Pick<Backlog, "has" | "whileAdding">;
  readonly health: Pick<HealthMonitor, "report">;
  readonly inOrder: KeyedMutex;
  onTrouble(error: unknown): void;
}

/** The state of the partition's reader. */
export interface DeliveryProgress {
  readonly stop: AbortSignal;
  /** Ids of deliveries that an earlier run has begun. */
  readonly begun: ReadonlySet<string>;
  /** The span that the event's message comes of. */
  readonly traceparent?: string | undefined;
  /** Publishes a record; resolves with false if the reader was stopped before the log took it. */
  publish(record: OutgoingRequest): Promise<boolean>;
}

/**
 * Deliveries that may wait in memory: of one endpoint, of one organization, and of all. A slow endpoint may have only
 * few, and so may any once all together have so many: a burst that is soon over is not worth writing to the database.
 */
const mostOfEndpoint = 2000;
const mostOfOrg = 3000;
const mostOfAll = 6000;
const fewOfEndpoint = 50;
const slowAfterMs = 3000;

/** Returns the webhooks attached to the call's campaign and target that are for this event, each once. */
export function webhooksFor(snapshot: Pick<Snapshot, "config">, event: CallEvent): Webhook[] {
  if (event.quiet === true) return [];
  const { campaign_webhook_ids, target_webhook_ids } = event.terms;
  const config = snapshot.config(event.org_id);
  return [...new Set([...campaign_webhook_ids, ...target_webhook_ids])]
    .flatMap((id) => config?.get("outgoing_webhook", id) ?? [])
    .filter(({ event_type_id }) => event_type_id === event.event);
}

/**
 * Delivers an event to its webhooks, side by side; those of one endpoint after the call's event before. Resolves with
 * false when the reader was stopped before: then nothing was sent, or it is durable all the same.
 */
export async function deliverEvent(
  deps: FirstAttemptDeps,
  event: CallEvent,
  progress: DeliveryProgress,
): Promise<boolean> {
  const webhooks = webhooksFor(deps.snapshot, event).filter((each) => !progress.begun.has(deliveryIdOf(event, each)));
  const { tracing = null } = deps;
  if (tracing === null || webhooks.length === 0) return deliverTo(deps, event, webhooks, progress);
  const parent = progress.traceparent ?? null;
  return inSpan(tracing, { name: "deliver call-events", kind: "consumer", parent, attributes: about(event) }, (span) =>
    deliverTo(deps, event, webhooks, { ...progress, traceparent: span?.traceparent }),
  );
}

const about = ({ org_id, call_id, event }: CallEvent): Attributes => ({
  "messaging.destination.name": "call-events",
  "messaging.operation.name": "deliver",
  "messaging.operation.type": "process",
  "messaging.consumer.group.name": "deliver",
  "trunkline.org_id": org_id,
  "trunkline.call_id": call_id,
  "trunkline.event": event,
});

async function deliverTo(
  deps: FirstAttemptDeps,
  event: CallEvent,
  webhooks: readonly Webhook[],
  progress: DeliveryProgress,
): Promise<boolean> {
  const byKey = new Map<string, Prepared[]>();
  const { traceparent } = progress;
  for (const webhook of webhooks) {
    const deliveryId = deliveryIdOf(event, webhook);
    const prepared = prepare({ deliveryId, event, webhook, attempt: 1, trigger: "automatic", traceparent });
    const key = orderKey(prepared);
    byKey.set(key, [...(byKey.get(key) ?? []), prepared]);
  }
  const deliveries = [...byKey].map(([key, all]) =>
    deps.inOrder(key, () => Promise.all(all.map((prepared) => attemptOrDefer(deps, prepared, progress)))),
  );
  return (await Promise.all(deliveries)).flat().every(Boolean);
}

/** Makes the first attempt, or defers it to the database if the webhook is paused or its endpoint has too much to do. */
async function attemptOrDefer(
  deps: FirstAttemptDeps,
  prepared: Prepared,
  progress: DeliveryProgress,
): Promise<boolean> {
  const { snapshot, backlog, queue, clock, health } = deps;
  if (progress.stop.aborted) return false;
  const { webhook, event } = prepared;
  const current = snapshot.config(event.org_id)?.get("outgoing_webhook", webhook.id) ?? webhook;
  const held = isPaused(current.pause, clock.now());
  if (held || backlog.has(webhook.id) || isCrowded(queue, prepared)) {
    await backlog.whileAdding(webhook.id, () => defer(deps, prepared, { held }));
    return true;
  }
  let isStored = false;
  await attempt(deps, prepared, {
    mayStart: () => !progress.stop.aborted,
    async store(attempted) {
      reportAttempt(health, attempted);
      const { record, nextAt } = attempted;
      if (nextAt !== null) await defer(deps, prepared, { held, attempted: { record, nextAt } });
      isStored = nextAt !== null || (await progress.publish(record));
    },
  });
  return isStored;
}

function isCrowded(queue: FairQueue, { endpoint }: Prepared): boolean {
  const path = toPath(endpoint);
  const ofEndpoint = queue.waiting(path);
  if (ofEndpoint >= mostOfEndpoint || queue.waiting([endpoint.orgId]) >= mostOfOrg) return true;
  return ofEndpoint >= fewOfEndpoint && (queue.waitedMs(path) >= slowAfterMs || queue.waiting([]) >= mostOfAll);
}

interface Deferral {
  readonly held: boolean;
  /** The attempt that failed; missing when there was none. */
  readonly attempted?: { readonly record: OutgoingRequest; readonly nextAt: number };
}

function defer({ pending, clock }: FirstAttemptDeps, prepared: Prepared, { held, attempted }: Deferral): Promise<void> {
  const { event, webhook, deliveryId, endpoint } = prepared;
  const now = clock.now();
  const row = {
    ...endpoint,
    id: deliveryId,
    deliveryId,
    webhookId: webhook.id,
    callId: event.call_id,
    version: event.version,
    event: JSON.stringify(event),
    manual: false,
    redeliveryId: null,
    attempt: attempted === undefined ? 0 : 1,
    queuedAt: now,
    dueAt: attempted?.nextAt ?? now,
    held,
    traceparent: prepared.traceparent,
  };
  return pending.enter(row, attempted?.record ?? null);
}
