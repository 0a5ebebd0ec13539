import { expect, onTestFinished } from "vitest";
import { duckdbReportDialect } from "../../../warehouse/calls/report-dialect-duckdb.ts";
import { slotMs } from "../../../warehouse/history/slot-range.ts";
import { raw } from "../../../warehouse/statement.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";
import { storing } from "../storing.ts";

/** With the time that their rows are counted by. */
const countedTables = {
  calls: "started_at",
  outgoing_webhook_requests: "created_at",
  incoming_webhook_requests: "created_at",
} as const;

/** An empty warehouse in memory, filled as the loader fills it. */
export async function openHistory() {
  const warehouse = await openEmptyWarehouse();
  onTestFinished(() => warehouse.close());
  return {
    warehouse,
    store: { warehouse, dialect: duckdbReportDialect },
    publish: storing(warehouse, "webhook-deliveries"),
  };
}

/** Holds the kept counts of all tables that have them against the rows themselves. */
export async function expectCountsOfRows(warehouse: Pick<Warehouse, "query">): Promise<void> {
  for (const [table, time] of Object.entries(countedTables)) {
    for (const [unit, ms] of Object.entries(slotMs)) {
      const kept = await warehouse.query(
        raw(`SELECT org_id, slot, requests FROM loader.${table}_by_${unit} ORDER BY ALL`),
      );
      const counted = await warehouse.query(
        raw(
          `SELECT org_id, epoch_ms(${time}) // ${ms} AS slot, count(*) AS requests FROM ${table} GROUP BY ALL ORDER BY ALL`,
        ),
      );
      expect(kept.rows, `${table} by ${unit}`).toEqual(counted.rows);
    }
  }
}
