import type { OutgoingRequest } from "../../ingest/delivery.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { count, label, milliseconds } from "../cells.ts";
import type { RtbDialect } from "../rtb/dialect.ts";
import { share } from "../rtb/stats.ts";
import { join, raw, type Statement, sql, text } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";
import type { CountedTable } from "./dialect.ts";
import { during } from "./list.ts";
import type { Span } from "./slot-range.ts";

export interface WebhookStatsStore {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: Pick<RtbDialect, "quantile">;
}

export interface WebhookStatsAsked {
  readonly orgId: OrgId;
  readonly period: Span;
  /** The webhooks to count, at most as many as a page of a list has. */
  readonly webhookIds: readonly string[];
}

/** Records that are no attempts: deliveries that waited too long, or lost their webhook. */
const unsent = "outcome IN ('expired', 'cancelled')";

/** Figures on each of the outgoing webhooks that has records in the period, by its id. */
export async function outgoingWebhookStats(store: WebhookStatsStore, asked: WebhookStatsAsked) {
  const { figures, failures } = await readStats(store, asked, {
    table: "outgoing_webhook_requests",
    webhook: "outgoing_webhook_config_id",
    figures: sql`
      sum(CASE WHEN ${raw(unsent)} THEN 0 ELSE 1 END) AS attempts,
      sum(CASE WHEN outcome = 'delivered' THEN 1 ELSE 0 END) AS delivered,
      sum(CASE WHEN ${raw(unsent)} THEN 1 ELSE 0 END) AS unsent,
      ${store.dialect.quantile(raw("response_time_ms"), 0.95, raw("response_status_code IS NOT NULL"))} AS p95_ms,
      max(CASE WHEN ${raw(unsent)} THEN NULL ELSE created_at END) AS last_at`,
    failed: "outcome <> 'delivered'",
    failure: "call_id, event_type_id, outcome, error",
  });
  return byWebhook(figures, (row, id) => {
    const [attempts, delivered] = [count(row, "attempts"), count(row, "delivered")];
    const failure = failures.get(id);
    return {
      attempts,
      delivered,
      failed: attempts - delivered,
      unsent: count(row, "unsent"),
      success_rate: share(delivered, attempts),
      p95_ms: milliseconds(row["p95_ms"]),
      last_attempt_at: label(row["last_at"]),
      last_failure: failure === undefined ? null : { ...toFailure(failure), ...toOutgoingFailure(failure) },
    };
  });
}

/** Figures on each of the incoming webhooks that has records in the period, by its id. */
export async function incomingWebhookStats(store: WebhookStatsStore, asked: WebhookStatsAsked) {
  const accepted = "response_status_code < 400";
  const { figures, failures } = await readStats(store, asked, {
    table: "incoming_webhook_requests",
    webhook: "incoming_webhook_config_id",
    figures: sql`
      count(*) AS requests,
      sum(CASE WHEN ${raw(accepted)} THEN 1 ELSE 0 END) AS accepted,
      sum(CASE WHEN ${raw(accepted)} AND call_id IS NOT NULL THEN 1 ELSE 0 END) AS matched,
      ${store.dialect.quantile(raw("response_time_ms"), 0.95, raw("response_status_code IS NOT NULL"))} AS p95_ms,
      max(created_at) AS last_at`,
    failed: "(response_status_code IS NULL OR response_status_code >= 400)",
    failure: "response_body",
  });
  return byWebhook(figures, (row, id) => {
    const [requests, accepted] = [count(row, "requests"), count(row, "accepted")];
    const failure = failures.get(id);
    return {
      requests,
      accepted,
      matched: count(row, "matched"),
      refused: requests - accepted,
      acceptance_rate: share(accepted, requests),
      p95_ms: milliseconds(row["p95_ms"]),
      last_request_at: label(row["last_at"]),
      last_refusal:
        failure === undefined ? null : { ...toFailure(failure), response_body: label(failure["response_body"]) },
    };
  });
}
export type OutgoingWebhookStats = StatsOf<typeof outgoingWebhookStats>;
export type IncomingWebhookStats = StatsOf<typeof incomingWebhookStats>;
type StatsOf<F extends (...given: never[]) => Promise<ReadonlyMap<string, unknown>>> =
  Awaited<ReturnType<F>> extends ReadonlyMap<string, infer S> ? S : never;

interface Direction {
  readonly table: CountedTable;
  readonly webhook: string;
  readonly figures: Statement;
  /** Condition of the records of which the last one is read, with these columns. */
  readonly failed: string;
  readonly failure: string;
}

async function readStats({ warehouse }: WebhookStatsStore, asked: WebhookStatsAsked, direction: Direction) {
  const { orgId, period, webhookIds } = asked;
  if (webhookIds.length === 0) return { figures: [], failures: new Map<string, Row>() };
  const { table, webhook, failed, failure } = direction;
  const maxRows = webhookIds.length;
  const ids = join(
    webhookIds.map((id) => sql`${text(id)}`),
    ", ",
  );
  const where = sql`org_id = ${text(orgId)} AND ${during({ table }, period)} AND ${raw(webhook)} IN (${ids})`;
  const [figures, failures] = await Promise.all([
    warehouse.query(
      sql`SELECT ${raw(webhook)} AS webhook_id, ${direction.figures} FROM ${raw(table)} WHERE ${where} GROUP BY 1`,
      { maxRows },
    ),
    warehouse.query(
      sql`
        SELECT * FROM (
          SELECT ${raw(webhook)} AS webhook_id, id, created_at, response_status_code, ${raw(failure)},
            row_number() OVER (PARTITION BY ${raw(webhook)} ORDER BY created_at DESC, id DESC) AS place
          FROM ${raw(table)} WHERE ${where} AND ${raw(failed)}) AS failures
        WHERE place = 1`,
      { maxRows },
    ),
  ]);
  return { figures: figures.rows, failures: new Map(failures.rows.map((row) => [String(row["webhook_id"]), row])) };
}

const byWebhook = <T>(rows: readonly Row[], toStats: (row: Row, id: string) => T): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [String(row["webhook_id"]), toStats(row, String(row["webhook_id"]))]));

const toFailure = (row: Row) => ({
  id: String(row["id"]),
  at: String(row["created_at"]),
  response_status_code: typeof row["response_status_code"] === "number" ? row["response_status_code"] : null,
});

const toOutgoingFailure = (row: Row) => ({
  call_id: label(row["call_id"]),
  event_type_id: label(row["event_type_id"]),
  outcome: String(row["outcome"]) as OutgoingRequest["outcome"],
  error: label(row["error"]),
});
