import type { OrgId } from "../../ingest/primitives.ts";
import { integer, join, raw, type Statement, sql, text, time } from "../statement.ts";
import type { Warehouse } from "../warehouse.ts";
import type { HistoryDialect } from "./dialect.ts";
import { type OutgoingFilter, outgoingConditions, spanOfFilter } from "./filter.ts";
import { during } from "./list.ts";

/** Deliveries of which a record matches. */
export interface RedeliverableAsked {
  readonly orgId: OrgId;
  readonly filter: OutgoingFilter;
  /** Includes those that were delivered in the end or will be tried again. */
  readonly all: boolean;
  /** Later ones are left out, so that all pages are of one list. */
  readonly until: Date;
}

export interface Redeliverable {
  /** The key that its records share; lists are ordered by it. */
  readonly key: string;
  readonly webhookId: string;
  readonly eventTypeId: string;
  readonly eventId: string | null;
  readonly callId: string | null;
}

interface Store {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: HistoryDialect;
}

const list = { table: "outgoing_webhook_requests" } as const;

/** Records that are older than delivery ids stand for themselves. */
const key = raw("coalesce(delivery_id, id)");

export async function countRedeliverable(store: Store, asked: RedeliverableAsked): Promise<number> {
  const { rows } = await store.warehouse.query(sql`
    SELECT count(DISTINCT ${key}) AS deliveries FROM outgoing_webhook_requests WHERE ${where(store, asked)}`);
  return Number(rows[0]?.deliveries ?? 0);
}

/** The next deliveries after `place`, in the order of their keys. */
export async function pageOfRedeliverable(
  store: Store,
  asked: RedeliverableAsked,
  { place, most }: { readonly place: string | null; readonly most: number },
): Promise<Redeliverable[]> {
  const after = place === null ? raw("true") : sql`${key} > ${text(place)}`;
  const { rows } = await store.warehouse.query(sql`
    SELECT ${key} AS delivery, max(outgoing_webhook_config_id) AS webhook_id, max(event_type_id) AS event_type_id,
      max(event_id) AS event_id, max(call_id) AS call_id
    FROM outgoing_webhook_requests WHERE ${where(store, asked)} AND ${after}
    GROUP BY 1 ORDER BY 1 LIMIT ${integer(most)}`);
  return rows.map((row) => ({
    key: String(row.delivery),
    webhookId: String(row.webhook_id),
    eventTypeId: String(row.event_type_id),
    eventId: row.event_id === null ? null : String(row.event_id),
    callId: row.call_id === null ? null : String(row.call_id),
  }));
}

function where({ dialect }: Store, { orgId, filter, all, until }: RedeliverableAsked): Statement {
  const isOwn = sql`org_id = ${text(orgId)}`;
  const ofEvent = sql`${isOwn} AND created_at < ${time(until)} AND call_id IS NOT NULL AND event_id IS NOT NULL`;
  const done = sql`${key} NOT IN (SELECT ${key} FROM outgoing_webhook_requests
    WHERE ${isOwn} AND (outcome = 'delivered' OR next_attempt_at >= ${time(until)}))`;
  return join(
    [ofEvent, during(list, spanOfFilter(filter)), ...outgoingConditions(dialect, filter), ...(all ? [] : [done])],
    " AND ",
  );
}
