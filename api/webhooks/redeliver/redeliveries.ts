import { v5 as uuidv5, v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Clock } from "../../../ingest/clock.ts";
import { type CallEvent, callEventNames } from "../../../ingest/event.ts";
import { type OrgId, timestamp } from "../../../ingest/primitives.ts";
import { parseStored } from "../../../ingest/unreadable.ts";
import type { HistoryDialect } from "../../../warehouse/history/dialect.ts";
import {
  countRedeliverable,
  pageOfRedeliverable,
  type Redeliverable,
  type RedeliverableAsked,
} from "../../../warehouse/history/redeliverable.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import { prepare, type Webhook } from "../deliver/attempt.ts";
import { insertPending, type PendingRow } from "../deliver/pending-rows.ts";
import {
  advanceRedelivery,
  cancelRedelivery,
  claimRedelivery,
  countRunning,
  countWaiting,
  findRedelivery,
  insertRedelivery,
  listRedeliveries,
  type RedeliveryRow,
} from "../redelivery-rows.ts";
import { readStoredEvent } from "./stored-event.ts";

/** The filter of a redelivery, as it is stored. */
export const redeliveryFilter = z.object({
  start_date: timestamp,
  end_date: timestamp,
  webhook_id: z.string().min(1).max(255).exactOptional(),
  event_type_id: z.enum(callEventNames).exactOptional(),
  call_id: z.string().min(1).max(255).exactOptional(),
  outcome: z.string().max(64).exactOptional(),
  /** Includes deliveries that came through in the end, or will be retried anyway. */
  include_delivered: z.boolean().default(false),
});
/** Throws `UnreadableError`. */
export const readFilter = ({ id, filter }: RedeliveryRow): RedeliveryFilter =>
  parseStored(redeliveryFilter, filter, { table: "webhook_redeliveries", id });
export type RedeliveryFilter = z.infer<typeof redeliveryFilter>;

export interface RedeliveryDeps {
  readonly database: Database;
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: HistoryDialect;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
  /** Called when deliveries were queued that are due. */
  onDue(): void;
  onTrouble(error: unknown): void;
}

/** Pending deliveries of one redelivery: about as many as go out while the next page is read. */
const mostWaiting = 400;
const perPage = 100;
const pollMs = 1000;
const leaseMs = 60_000;
/** Running redeliveries of one organization. */
const mostRunning = 5;

/** Redeliveries of many deliveries: counted, queued page by page, cancelled at any point. They survive restarts. */
export function createRedeliveries(deps: RedeliveryDeps) {
  const { database, clock } = deps;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isMore = await step(deps).catch((error: unknown) => {
        deps.onTrouble(error);
        return false;
      });
      if (!isMore) await clock.sleep(pollMs, stopping.signal);
    }
  }
  const finished = run();

  return {
    count: (orgId: OrgId, filter: RedeliveryFilter): Promise<number> =>
      countRedeliverable(deps, toAsked(orgId, filter, clock.now())),

    /** Starts one; null if the organization has as many running as it may. */
    async start(orgId: OrgId, filter: RedeliveryFilter): Promise<RedeliveryRow | null> {
      if ((await countRunning(database, orgId)) >= mostRunning) return null;
      const [id, createdAt] = [uuidv7(), clock.now()];
      const count = await countRedeliverable(deps, toAsked(orgId, filter, createdAt));
      await insertRedelivery(database, { id, orgId, count, createdAt, filter: JSON.stringify(filter) });
      return findRedelivery(database, orgId, id);
    },

    list: (orgId: OrgId, asked: Parameters<typeof listRedeliveries>[2]) => listRedeliveries(database, orgId, asked),

    find: (orgId: OrgId, id: string) => findRedelivery(database, orgId, id),

    /** Cancels one and returns it; null if there is none. */
    async cancel(orgId: OrgId, id: string): Promise<RedeliveryRow | null> {
      await database.transaction((db) => cancelRedelivery(db, orgId, id, clock.now()));
      return findRedelivery(database, orgId, id);
    },

    async close(): Promise<void> {
      stopping.abort();
      await finished;
    },
  };
}
export type Redeliveries = ReturnType<typeof createRedeliveries>;

function toAsked(orgId: OrgId, filter: RedeliveryFilter, until: number): RedeliverableAsked {
  const { start_date, end_date, webhook_id, event_type_id, call_id, outcome, include_delivered } = filter;
  return {
    orgId,
    all: include_delivered,
    until: new Date(until),
    filter: {
      from: new Date(start_date),
      to: new Date(end_date),
      webhookId: webhook_id,
      callId: call_id,
      eventTypeId: event_type_id,
      outcome,
    },
  };
}

/** Queues a page of one redelivery; resolves with true if there may be more to do at once. */
async function step(deps: RedeliveryDeps): Promise<boolean> {
  const { database, clock } = deps;
  const now = clock.now();
  const redelivery = await claimRedelivery(database, { now, until: now + leaseMs });
  if (redelivery === null) return false;
  if ((await countWaiting(database, redelivery.id)) > mostWaiting - perPage) {
    await advanceRedelivery(database, redelivery, { place: null, queued: 0, failed: 0, isLast: false });
    return false;
  }
  const filter = readFilter(redelivery);
  const asked = toAsked(redelivery.orgId as OrgId, filter, redelivery.createdAt);
  const page = await pageOfRedeliverable(deps, asked, { place: redelivery.place, most: perPage });
  const rows = (await Promise.all(page.map((each) => toRow(deps, redelivery, each)))).flatMap((row) => row ?? []);
  await database.transaction(async (db) => {
    const place = page.at(-1)?.key ?? null;
    const failed = page.length - rows.length;
    const next = { place, queued: page.length, failed, isLast: page.length < perPage };
    // In one transaction: a page is queued once, and no page of a redelivery that was cancelled.
    if ((await advanceRedelivery(db, redelivery, next)) && rows.length > 0) await insertPending(db, rows);
  });
  deps.onDue();
  return page.length === perPage;
}

const namespace = "0d5f3b0e-6a77-4f0c-9c1d-0f3c2f0f7a55";

/** Null if its call or webhook does not exist any more. */
async function toRow(
  { warehouse, snapshot, clock }: RedeliveryDeps,
  { id: redeliveryId, orgId }: RedeliveryRow,
  { key, webhookId, eventTypeId, eventId, callId }: Redeliverable,
): Promise<PendingRow | null> {
  const webhook = snapshot.config(orgId)?.get("outgoing_webhook", webhookId);
  const name = callEventNames.find((each) => each === eventTypeId);
  if (webhook === undefined || name === undefined || callId === null) return null;
  const sought = { orgId: orgId as OrgId, callId, name, eventId: eventId ?? undefined };
  const event = await readStoredEvent(warehouse, sought);
  const id = uuidv5(`${redeliveryId} ${key}`, namespace);
  return event && toPendingRedelivery({ id, deliveryId: key, redeliveryId, event, webhook, now: clock.now() });
}

export interface RedeliveryRequest {
  /** The row's own. */
  readonly id: string;
  readonly deliveryId: string;
  readonly redeliveryId: string | null;
  readonly event: CallEvent;
  readonly webhook: Webhook;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Makes the row of a delivery that is requested again: it waits like one that failed, with the same schedule. */
export function toPendingRedelivery({
  id,
  deliveryId,
  redeliveryId,
  event,
  webhook,
  now,
}: RedeliveryRequest): PendingRow {
  const { endpoint } = prepare({ deliveryId, event, webhook, attempt: 1, trigger: "manual" });
  return {
    id,
    deliveryId,
    redeliveryId,
    webhookId: webhook.id,
    ...endpoint,
    callId: event.call_id,
    version: event.version,
    event: JSON.stringify(event),
    manual: true,
    attempt: 0,
    queuedAt: now,
    dueAt: now,
    leasedUntil: 0,
    held: false,
    ended: false,
    unpublished: null,
  };
}
