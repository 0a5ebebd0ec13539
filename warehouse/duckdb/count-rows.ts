import type { DuckDBConnection } from "@duckdb/node-api";
import { slotMs } from "../history/slot-range.ts";
import { storedIn, type TableOfTopic } from "../tables.ts";

/** Adds the rows of `new_rows` to the kept counts of their table (`0005_history_counts.sql`, `0006_call_counts.sql`). */
export async function countNewRows(connection: DuckDBConnection, { table, time }: TableOfTopic): Promise<void> {
  for (const [unit, ms] of Object.entries(slotMs)) {
    await connection.run(
      `INSERT INTO loader.${storedIn(table)}_by_${unit} (org_id, slot, requests)
       SELECT org_id, epoch_ms(${time}) // ${ms} AS slot, count(*) FROM new_rows GROUP BY org_id, slot
       ON CONFLICT (org_id, slot) DO UPDATE SET requests = requests + excluded.requests`,
    );
  }
}
