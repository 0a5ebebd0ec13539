import { raw, type Statement, sql, text } from "../../warehouse/statement.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { evalOrg, evalZone } from "./data.ts";

/** The public tables, with the column that holds each row's time. */
const timed = {
  calls: "started_at",
  outgoing_webhook_requests: "created_at",
  incoming_webhook_requests: "created_at",
  inbound_rtb_requests: "created_at",
  outbound_rtb_requests: "created_at",
  audit_logs: "created_at",
} as const;

/** A gold statement over the asking organization's rows alone, with `local_time` beside them. DuckDB's dialect. */
export function goldStatement(gold: string): Statement {
  const tables = Object.entries(timed).map(
    ([table, time]) =>
      sql`${raw(table)} AS (SELECT *, timezone(${text(evalZone)}, timezone('UTC', ${raw(time)})) AS local_time FROM main.${raw(table)} WHERE org_id = ${text(evalOrg)})`,
  );
  const [first = sql``, ...others] = tables;
  const all = others.reduce((sum, each) => sql`${sum},\n${each}`, first);
  return sql`WITH ${all}\nSELECT * FROM (${raw(gold)})`;
}

const most = 20_000;

/** The rows that hand-written SQL gives; what the engine says of a statement that it refuses comes with the statement. */
export async function goldRows(duckdb: Pick<Warehouse, "query">, gold: string): Promise<readonly Row[]> {
  try {
    return (await duckdb.query(goldStatement(gold), { maxRows: most })).rows;
  } catch (cause) {
    throw new Error(`Gold does not run: ${gold}`, { cause });
  }
}
