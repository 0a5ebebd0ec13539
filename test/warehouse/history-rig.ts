import { expect, onTestFinished } from "vitest";
import type { Topic } from "../../ingest/log/log.ts";
import { duckdbHistoryDialect } from "../../warehouse/history-dialect-duckdb.ts";
import { raw } from "../../warehouse/statement.ts";
import { slotMs } from "../../warehouse/stretch.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";

export const historyTables = ["outgoing_webhook_requests", "incoming_webhook_requests"] as const;

/** An empty warehouse in memory, filled as the loader fills it. */
export async function openHistory() {
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  onTestFinished(() => warehouse.close());
  return { warehouse, store: { warehouse, dialect: duckdbHistoryDialect }, publish: publishing(warehouse) };
}

/** Gives a warehouse records as messages that follow those before. */
export function publishing(warehouse: Pick<Warehouse, "store">) {
  const topic: Topic = "webhook-deliveries";
  let nextOffset = 0;
  return (records: readonly unknown[]) => {
    const firstOffset = nextOffset;
    nextOffset += records.length;
    const values = records.map((record) => JSON.stringify(record));
    return warehouse.store({ topic, partition: 0, firstOffset, nextOffset, values });
  };
}

/** Holds the kept counts of both histories against the rows themselves. */
export async function expectCountsOfRows(warehouse: Pick<Warehouse, "query">): Promise<void> {
  for (const table of historyTables) {
    for (const [unit, ms] of Object.entries(slotMs)) {
      const kept = await warehouse.query(
        raw(`SELECT org_id, slot, requests FROM loader.${table}_by_${unit} ORDER BY ALL`),
      );
      const counted = await warehouse.query(
        raw(
          `SELECT org_id, epoch_ms(created_at) // ${ms} AS slot, count(*) AS requests FROM ${table} GROUP BY ALL ORDER BY ALL`,
        ),
      );
      expect(kept.rows, `${table} by ${unit}`).toEqual(counted.rows);
    }
  }
}
