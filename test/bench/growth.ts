import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrgId } from "../../ingest/primitives.ts";
import { openDuckdb } from "../../sql/duckdb.ts";
import type { CallFilter } from "../../warehouse/calls/call-filter.ts";
import { listCalls, type ReportStore } from "../../warehouse/calls/call-log.ts";
import { summarizeCalls } from "../../warehouse/calls/call-summary.ts";
import { duckdbReportDialect } from "../../warehouse/calls/report-dialect-duckdb.ts";
import { slotMs } from "../../warehouse/history/slot-range.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { evalNow, evalOrg, fillWarehouse } from "../eval/data.ts";
import type { Bench } from "./bench.ts";
import type { Subject } from "./compare.ts";

const sizes = [100_000, 1_000_000, 10_000_000] as const;
const orgOf = (size: number) => `org_${size}` as OrgId;

/** How what reports cost grows with an organization's calls, which are of the same 90 days however many they are. */
export async function openGrowthBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const path = join(folder, "warehouse.duckdb");
  await fill(path);
  const warehouse = await openDuckdbWarehouse({ path });
  const store: ReportStore = { warehouse, dialect: duckdbReportDialect };
  const growing = (title: string, work: (orgId: OrgId, size: number) => Promise<unknown>) => {
    const [baseline, ...subjects] = sizes.map(
      (size): Subject => ({
        name: `${size.toLocaleString("en")} calls`,
        unit: "answer",
        units: 1,
        size,
        round: () => work(orgOf(size), size),
      }),
    );
    if (baseline === undefined) throw new Error("There is no size.");
    return { title, baseline, subjects, rounds: 9 };
  };
  const page = async (orgId: OrgId, offset: number, filter: CallFilter = { span: {} }) => {
    const place = { kind: "offset", offset } as const;
    const { rows } = await listCalls(store, { orgId, filter, page: { limit: 50, direction: "desc", place } });
    if (rows.length !== 50) throw new Error(`${orgId}: ${rows.length} calls`);
  };
  const summary = (orgId: OrgId, from: number) =>
    summarizeCalls(store, {
      orgId,
      filter: { span: { from: new Date(from) } },
      groups: [{ kind: "column", by: "campaign" }],
      timezone: "UTC",
    });
  return {
    comparisons: [
      growing("The first page of the call log", (orgId) => page(orgId, 0)),
      growing("The page in the middle of the call log", (orgId, size) => page(orgId, size / 2)),
      growing("The first page of calls with a tag", (orgId) => page(orgId, 0, { span: {}, tags: { language: "es" } })),
      growing("A summary by campaign of the last day", (orgId) => summary(orgId, evalNow - slotMs.day)),
      growing("A summary by campaign of all calls", (orgId) => summary(orgId, 0)),
    ],
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The evaluation's calls again and again, under ids of their own, each a second from the one before. */
async function fill(path: string): Promise<void> {
  const filling = await openDuckdbWarehouse({ path });
  await fillWarehouse(filling);
  await filling.close();
  const instance = await openDuckdb(path, "warehouse");
  const connection = await instance.connect();
  try {
    for (const size of sizes) {
      await connection.run(
        `INSERT INTO stored_calls
         SELECT calls.* REPLACE ('${orgOf(size)}' AS org_id, call_id || '-' || copy AS call_id,
           started_at - to_seconds(copy * 61 % 86400) AS started_at)
         FROM calls, range(CAST(ceil(${size} / (SELECT count(*) FROM calls WHERE org_id = '${evalOrg}')) AS BIGINT)) AS copies(copy)
         WHERE org_id = '${evalOrg}' ORDER BY started_at`,
      );
      for (const [unit, ms] of Object.entries(slotMs)) {
        await connection.run(
          `INSERT INTO loader.stored_calls_by_${unit} (org_id, slot, requests)
           SELECT org_id, epoch_ms(started_at) // ${ms}, count(*) FROM stored_calls WHERE org_id = '${orgOf(size)}' GROUP BY ALL`,
        );
      }
      await connection.run("CHECKPOINT");
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
