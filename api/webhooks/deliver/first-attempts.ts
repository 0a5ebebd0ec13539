import type { CallEvent } from "../../../ingest/event.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";
import { isPaused } from "../../config/pause.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { type AttemptDeps, attempt, noteAttempt, orderKey, type Prepared, prepare, type Webhook } from "./attempt.ts";
import type { HealthKeeper } from "./health-keeper.ts";
import type { InOrder } from "./in-order.ts";
import type { Overflow } from "./overflow.ts";
import type { Pending } from "./pending.ts";
import { publishRecords } from "./publish-records.ts";
import { deliveryIdOf } from "./record.ts";
import type { Turns } from "./turns.ts";

export interface FirstAttemptDeps extends AttemptDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly pending: Pick<Pending, "enter">;
  readonly overflow: Pick<Overflow, "has" | "during">;
  readonly health: Pick<HealthKeeper, "note">;
  readonly inOrder: InOrder;
  onTrouble(error: unknown): void;
}

/** Where a worker of a partition stands. */
export interface Telling {
  readonly stop: AbortSignal;
  /** Deliveries that an earlier run has begun. */
  readonly begun: ReadonlySet<string>;
  /** Told where the records of what was published end. */
  onPublished(offset: number): void;
}

/**
 * As many may wait in memory: of one endpoint, of one organization, and of all. An endpoint that is slow may have only
 * few, and any one once all have so many: a burst that is soon over is not worth writing to the database.
 */
const mostOfEndpoint = 2000;
const mostOfOrg = 3000;
const mostOfAll = 6000;
const fewOfEndpoint = 50;
const slowAfterMs = 3000;

/** The webhooks attached to the call's campaign and target that are for this event; each of them once (spec: Events). */
export function webhooksFor(snapshot: Pick<Snapshot, "config">, event: CallEvent): Webhook[] {
  if (event.quiet === true) return [];
  const { campaign_webhook_ids, target_webhook_ids } = event.terms;
  const config = snapshot.config(event.org_id);
  return [...new Set([...campaign_webhook_ids, ...target_webhook_ids])]
    .flatMap((id) => config?.get("outgoing_webhook", id) ?? [])
    .filter(({ event_type_id }) => event_type_id === event.event);
}

/**
 * Tells an event's webhooks of it, side by side; those of one endpoint after what it was told of the call before. False
 * when the reader was stopped before: then nothing was sent, or it is made durable all the same.
 */
export async function tellWebhooks(deps: FirstAttemptDeps, event: CallEvent, telling: Telling): Promise<boolean> {
  const byOrder = new Map<string, Prepared[]>();
  for (const webhook of webhooksFor(deps.snapshot, event)) {
    const deliveryId = deliveryIdOf(event, webhook);
    if (telling.begun.has(deliveryId)) continue;
    const prepared = prepare({ deliveryId, event, webhook, attempt: 1, trigger: "automatic" });
    const key = orderKey(event.call_id, prepared.place);
    byOrder.set(key, [...(byOrder.get(key) ?? []), prepared]);
  }
  const told = [...byOrder].map(([key, all]) =>
    deps.inOrder(key, () => Promise.all(all.map((prepared) => begin(deps, prepared, telling)))),
  );
  return (await Promise.all(told)).flat().every(Boolean);
}

/** The first attempt, or a place in the database: of a webhook that is paused, or whose endpoint has too much to do. */
async function begin(deps: FirstAttemptDeps, prepared: Prepared, telling: Telling): Promise<boolean> {
  const { snapshot, overflow, turns, clock, health } = deps;
  if (telling.stop.aborted) return false;
  const { webhook, event } = prepared;
  const now = snapshot.config(event.org_id)?.get("outgoing_webhook", webhook.id) ?? webhook;
  const held = isPaused(now.pause, clock.now());
  if (held || overflow.has(webhook.id) || isCrowded(turns, prepared)) {
    await overflow.during(webhook.id, () => wait(deps, prepared, { held }));
    return true;
  }
  let isKept = false;
  await attempt(deps, prepared, {
    mayBegin: () => !telling.stop.aborted,
    async keep(attempted) {
      noteAttempt(health, attempted);
      const { record, nextAt } = attempted;
      if (nextAt !== null) await wait(deps, prepared, { held, attempted: { record, nextAt } });
      isKept = nextAt !== null || (await publish(deps, record, telling));
    },
  });
  return isKept;
}

function isCrowded(turns: Turns, { place }: Prepared): boolean {
  const { endpoint, org, all, waitedMs } = turns.waiting(place);
  if (endpoint >= mostOfEndpoint || org >= mostOfOrg) return true;
  return endpoint >= fewOfEndpoint && (waitedMs >= slowAfterMs || all >= mostOfAll);
}

interface Waiting {
  readonly held: boolean;
  /** The attempt that failed; none when there was none. */
  readonly attempted?: { readonly record: Parameters<Pending["enter"]>[1]; readonly nextAt: number };
}

function wait({ pending, clock }: FirstAttemptDeps, prepared: Prepared, { held, attempted }: Waiting): Promise<void> {
  const { event, webhook, deliveryId, place } = prepared;
  const now = clock.now();
  const row = {
    id: deliveryId,
    deliveryId,
    orgId: event.org_id,
    webhookId: webhook.id,
    endpoint: place.endpoint,
    callId: event.call_id,
    version: event.version,
    event: JSON.stringify(event),
    manual: false,
    redeliveryId: null,
    attempt: attempted === undefined ? 0 : 1,
    queuedAt: now,
    dueAt: attempted?.nextAt ?? now,
    held,
  };
  return pending.enter(row, attempted?.record ?? null);
}

/** What has been sent must not be sent again for want of a record: this is tried once more even after a stop. */
async function publish(
  { log, clock, onTrouble }: FirstAttemptDeps,
  record: Parameters<typeof publishRecords>[1][number],
  { stop, onPublished }: Telling,
): Promise<boolean> {
  const positions = await untilDone({ clock, onTrouble, signal: stop }, () => publishRecords(log, [record]));
  for (const { offset } of positions ?? []) onPublished(offset + 1);
  return positions !== null;
}
