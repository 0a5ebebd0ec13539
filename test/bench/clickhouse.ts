import { Readable } from "node:stream";
import type { OrgId } from "../../ingest/primitives.ts";
import { createClickhouse } from "../../sql/clickhouse.ts";
import { clickhouseReportDialect } from "../../warehouse/calls/report-dialect-clickhouse.ts";
import { listOutgoingRequests } from "../../warehouse/history/history.ts";
import type { HistoryPlace } from "../../warehouse/history/page.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";
import { anOutgoingRequest } from "../make.ts";
import type { Bench } from "./bench.ts";

const many = 100_000;
const atOnce = 20_000;
const orgId = "org_large" as OrgId;
const topic = "webhook-deliveries";
const began = Date.UTC(2026, 0, 1);
/** Over a year. */
const everyMs = Math.floor((365 * 86_400_000) / many);
const example = anOutgoingRequest();
const text = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(6);

function aRecord(index: number): string {
  const created_at = new Date(began + (index % many) * everyMs).toISOString();
  const body = JSON.stringify({ caller: `caller ${index}`, text });
  return JSON.stringify({ ...example, org_id: orgId, id: `id-${index}`, created_at, updated_at: created_at, body });
}

/** What storing costs beside the engine's own insert of the same bytes, and a page of the history at any depth. */
export async function openClickhouseBench(): Promise<Bench> {
  const options = await clickhouseDatabase();
  const warehouse = openClickhouseWarehouse(options);
  let stored = 0;
  async function store(): Promise<void> {
    const values = Array.from({ length: atOnce }, (_, index) => aRecord(stored + index));
    const range = { topic, partition: 0, firstOffset: stored, nextOffset: stored + atOnce, values } as const;
    stored += atOnce;
    await warehouse.store(range);
  }
  while (stored < many) await store();

  const client = createClickhouse(options);
  await client.command({
    query: `CREATE TABLE bare AS stored_outgoing_webhook_requests ENGINE = MergeTree
      PARTITION BY toYYYYMM(created_at) ORDER BY (org_id, created_at, id) SETTINGS fsync_after_insert = 1`,
  });
  let inserted = 0;
  async function insert(): Promise<void> {
    const values = Array.from({ length: atOnce }, (_, index) => aRecord(inserted + index));
    inserted += atOnce;
    const { stream } = await client.exec({
      query: "INSERT INTO bare FORMAT JSONEachRow",
      values: Readable.from([Buffer.from(values.join("\n"))], { objectMode: false }),
      clickhouse_settings: { date_time_input_format: "best_effort", input_format_skip_unknown_fields: 1 },
    });
    for await (const _ of stream);
  }

  const history = { warehouse, dialect: clickhouseReportDialect };
  const page = (name: string, place: HistoryPlace) => ({
    name,
    unit: "page",
    units: 1,
    async round() {
      const page = { limit: 50, direction: "desc", place } as const;
      const { rows } = await listOutgoingRequests(history, { orgId, filter: {}, page });
      if (rows.length !== 50) throw new Error(`${name}: ${rows.length} records`);
    },
  });
  const at = (offset: number): HistoryPlace => ({ kind: "offset", offset });
  return {
    comparisons: [
      {
        title: `A page of 50 of ${many} outgoing requests on ClickHouse`,
        baseline: page("first page", at(0)),
        subjects: [page("middle page", at(many / 2)), page("last page", at(many - 50))],
      },
      {
        title: `Storing ${atOnce} outgoing requests on ClickHouse`,
        rounds: 5,
        warmUps: 1,
        baseline: { name: "the engine's own insert of the same bytes", unit: "row", units: atOnce, round: insert },
        subjects: [{ name: "stored once, checked and counted", unit: "row", units: atOnce, round: store }],
      },
    ],
    async close() {
      await warehouse.close();
      await client.close();
    },
  };
}
