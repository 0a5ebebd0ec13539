import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallEvent } from "../../ingest/event.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { CallFilter } from "../../warehouse/calls/call-filter.ts";
import { listCalls } from "../../warehouse/calls/call-log.ts";
import { duckdbReportDialect } from "../../warehouse/calls/report-dialect-duckdb.ts";
import type { HistoryPlace } from "../../warehouse/history/page.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { aCallOf } from "../warehouse/rtb/store.ts";
import { storing } from "../warehouse/storing.ts";
import type { Bench } from "./bench.ts";

export const manyCalls = 1_000_000;
export const fewCalls = 1000;
const callsAtOnce = 20_000;
/** One call in so many is corrected once all are there. */
const correctedEvery = 200;
export const [largeOrg, smallOrg] = ["org_large" as OrgId, "org_small" as OrgId];
const began = Date.UTC(2026, 0, 1);
/** Over a year. */
const everyMs = Math.floor((365 * 86_400_000) / manyCalls);
const timeOf = (index: number): string => new Date(began + index * everyMs).toISOString();
const wholeYear = { from: new Date(began), to: new Date(Date.UTC(2027, 0, 1)) };

/** An embedded warehouse with a year of a million calls, and an organization with a thousand. */
export async function openCalls() {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const warehouse = await openDuckdbWarehouse({ path: join(folder, "warehouse.duckdb") });
  const store = storing(warehouse, "call-events");
  await fill(store, smallOrg, fewCalls);
  await fill(store, largeOrg, manyCalls);
  return {
    reports: { warehouse, dialect: duckdbReportDialect },
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a page of the call log costs as it grows, in the embedded warehouse. */
export async function openCallBench(): Promise<Bench> {
  const { reports, close } = await openCalls();
  const page = (name: string, place: HistoryPlace, filter: CallFilter = { span: wholeYear }, orgId = largeOrg) => ({
    name,
    unit: "page",
    units: 1,
    async round() {
      const page = { limit: 50, direction: "desc", place } as const;
      const { rows } = await listCalls(reports, { orgId, filter, page });
      if (rows.length !== 50) throw new Error(`${name}: ${rows.length} calls`);
    },
  });
  const at = (offset: number): HistoryPlace => ({ kind: "offset", offset });
  const beside = { at: new Date(timeOf(manyCalls / 2)), id: callIdOf(largeOrg, manyCalls / 2) };
  const cut = { from: new Date(began + 12_345_678), to: new Date(wholeYear.to.getTime() - 12_345_678) };
  const lastDay = new Date(Date.parse(timeOf(manyCalls)) - 86_400_000);
  const baseline = page(`${fewCalls} calls, first page`, at(0), { span: wholeYear }, smallOrg);
  return {
    comparisons: [
      {
        title: `A page of 50 calls, of ${fewCalls} and of ${manyCalls}`,
        baseline,
        subjects: [
          page(`${manyCalls} calls, first page`, at(0)),
          page(`${manyCalls} calls, middle page`, at(manyCalls / 2)),
          page(`${manyCalls} calls, last page`, at(manyCalls - 50)),
          page(`${manyCalls} calls, after a cursor`, { kind: "after", key: beside }),
          page(`${manyCalls} calls, before a cursor`, { kind: "before", key: beside }),
          page("of a range that begins and ends within a minute, middle page", at(manyCalls / 2), { span: cut }),
        ],
      },
      {
        title: `A page of 50 calls with a tag, of ${manyCalls}`,
        baseline: page("of all calls", at(0)),
        subjects: [page("with a tag", at(0), { span: wholeYear, tags: { utm_source: "source-7" } })],
      },
      {
        title: `A page of 50 of what a filter leaves of ${manyCalls} calls`,
        baseline,
        subjects: [
          page("of one campaign in a hundred, first page", at(0), { span: wholeYear, campaignId: "cmp-7" }),
          page("of one campaign in a hundred, last page", at(manyCalls / 100 - 50), {
            span: wholeYear,
            campaignId: "cmp-7",
          }),
          page("with a tag, of the last day", at(0), { span: { from: lastDay }, tags: { utm_source: "source-7" } }),
        ],
      },
    ],
    close,
  };
}

type Store = ReturnType<typeof storing>;

async function fill(store: Store, org: OrgId, count: number): Promise<void> {
  for (let first = 0; first < count; first += callsAtOnce) {
    const length = Math.min(callsAtOnce, count - first);
    await store(Array.from({ length }, (_, index) => aCall(org, first + index)));
  }
  const corrected = Array.from({ length: count / correctedEvery }, (_, index) => aCall(org, index * correctedEvery));
  await store(corrected.map((call) => ({ ...call, id: `${call.id}:2`, version: call.version + 1, revenue: 31 })));
}

const callIdOf = (org: OrgId, index: number): string => `${org}-${String(index).padStart(7, "0")}`;
const example = aCallOf("example");

function aCall(org_id: OrgId, index: number): CallEvent {
  const [call_id, started_at] = [callIdOf(org_id, index) as CallEvent["call_id"], timeOf(index)];
  return {
    ...example,
    org_id,
    call_id,
    id: `${call_id}:call.completed` as CallEvent["id"],
    started_at,
    created_at: started_at,
    updated_at: started_at,
    occurred_at: started_at,
    campaign_id: `cmp-${index % 100}`,
    caller_id: `+1212${String(index % 10_000_000).padStart(7, "0")}`,
    tags: { utm_source: `source-${index % 50}`, utm_medium: "cpc", lead_type: "solar" },
  };
}
