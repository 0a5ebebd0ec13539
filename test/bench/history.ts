import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrgId } from "../../ingest/primitives.ts";
import { duckdbReportDialect } from "../../warehouse/calls/report-dialect-duckdb.ts";
import type { OutgoingFilter } from "../../warehouse/history/filter.ts";
import { listOutgoingRequests } from "../../warehouse/history/history.ts";
import type { HistoryPlace } from "../../warehouse/history/page.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { anOutgoingRequest } from "../make.ts";
import type { Bench } from "./bench.ts";

const many = 1_000_000;
const few = 1000;
const recordsAtOnce = 20_000;
const [large, small] = ["org_large" as OrgId, "org_small" as OrgId];
const began = Date.UTC(2026, 0, 1);
/** Over a year. */
const everyMs = Math.floor((365 * 86_400_000) / many);
const timeOf = (index: number): string => new Date(began + index * everyMs).toISOString();

/** What a page of the history costs as it grows, in the embedded warehouse. */
export async function openHistoryBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const warehouse = await openDuckdbWarehouse({ path: join(folder, "warehouse.duckdb") });
  await fill(warehouse, small, few);
  await fill(warehouse, large, many);
  const store = { warehouse, dialect: duckdbReportDialect };

  const page = (name: string, place: HistoryPlace, filter: OutgoingFilter = {}, orgId = large) => ({
    name,
    unit: "page",
    units: 1,
    async round() {
      const page = { limit: 50, direction: "desc", place } as const;
      const { rows } = await listOutgoingRequests(store, { orgId, filter, page });
      if (rows.length !== 50) throw new Error(`${name}: ${rows.length} records`);
    },
  });
  const at = (offset: number): HistoryPlace => ({ kind: "offset", offset });
  const beside = { at: new Date(timeOf(many / 2)), id: `${large}-${many / 2}` };
  const lastDay = new Date(Date.parse(timeOf(many)) - 86_400_000);
  const baseline = page(`${few} requests, first page`, at(0), {}, small);
  return {
    comparisons: [
      {
        title: `A page of 50 outgoing requests, of ${few} and of ${many}`,
        baseline,
        subjects: [
          page(`${many} requests, first page`, at(0)),
          page(`${many} requests, middle page`, at(many / 2)),
          page(`${many} requests, last page`, at(many - 50)),
          page(`${many} requests, after a cursor`, { kind: "after", key: beside }),
          page(`${many} requests, before a cursor`, { kind: "before", key: beside }),
        ],
      },
      {
        title: `A page of 50 of what a filter leaves of ${many} outgoing requests`,
        baseline,
        subjects: [
          page("of one webhook in a hundred, first page", at(0), { webhookId: "hook-7" }),
          page("of one webhook in a hundred, last page", at(many / 100 - 50), { webhookId: "hook-7" }),
          page("answered by 200, middle page", at(many / 2 - 50), { status: { from: 200, to: 201 } }),
          page("with a text, of the last day", at(0), { text: "CALLER 9999", from: lastDay }),
        ],
      },
    ],
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fill(warehouse: Warehouse, org_id: OrgId, count: number): Promise<void> {
  const topic = "webhook-deliveries";
  const start = await warehouse.position(topic, 0);
  for (let first = 0; first < count; first += recordsAtOnce) {
    const records = Math.min(recordsAtOnce, count - first);
    await warehouse.store({
      topic,
      partition: 0,
      firstOffset: start + first,
      nextOffset: start + first + records,
      values: Array.from({ length: records }, (_, index) => JSON.stringify(aRecord(org_id, first + index))),
    });
  }
}

const example = anOutgoingRequest();
const text = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(6);

function aRecord(org_id: OrgId, index: number) {
  const created_at = timeOf(index);
  return {
    ...example,
    org_id,
    id: `${org_id}-${index}`,
    created_at,
    updated_at: created_at,
    outgoing_webhook_config_id: `hook-${index % 100}`,
    body: JSON.stringify({ caller: `caller ${index}`, text }),
  };
}
