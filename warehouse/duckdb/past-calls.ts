import type { DuckDBConnection } from "@duckdb/node-api";
import { inTransaction } from "../../sql/duckdb.ts";
import { behindPastCalls, type PastCalls, pastCallsKey } from "../past-calls.ts";
import { time, toLiteral } from "../statement.ts";

/** Types of the columns (sql/warehouse/duckdb/0008_shown_rows.sql). */
const types: Readonly<Record<keyof PastCalls, string>> = {
  org_id: "VARCHAR",
  started_at: "TIMESTAMP",
  campaign_id: "VARCHAR",
  publisher_id: "VARCHAR",
  target_id: "VARCHAR",
  rtb_id: "VARCHAR",
  buyer_id: "VARCHAR",
  calls: "BIGINT",
  connected: "BIGINT",
  converted: "BIGINT",
  receivable: "BIGINT",
  revenue: "DECIMAL(18, 4)",
  payout: "DECIMAL(18, 4)",
};

/** Adds the sums that are not there yet, and hides their days. */
export async function insertPast(connection: DuckDBConnection, all: readonly PastCalls[]): Promise<void> {
  if (all.length === 0) return;
  const names = Object.keys(types).join(", ");
  const isSame = pastCallsKey.map((name) => `old.${name} IS NOT DISTINCT FROM new.${name}`).join(" AND ");
  await inTransaction(connection, async () => {
    await connection.run(
      `INSERT INTO stored_past_calls (${names})
       SELECT ${names} FROM (SELECT unnest(from_json($1::JSON, '${JSON.stringify([types])}'), recursive := true)) AS new
       WHERE NOT EXISTS (SELECT 1 FROM stored_past_calls AS old WHERE ${isSame})`,
      [JSON.stringify(all)],
    );
    const behind = toLiteral(time(behindPastCalls(all)));
    await connection.run(`UPDATE retention SET gone_before = greatest(gone_before, ${behind})`);
  });
}
