import { pastCallsKey, pastCallsTable } from "./past-calls.ts";
import { integer, raw, sql } from "./statement.ts";
import type { Row, Warehouse } from "./warehouse.ts";

const pageRows = 2000;
const timeoutMs = 300_000;

/** Reads all sums after the first `from`, by day, page by page, from a warehouse that nothing writes to. */
export async function* readPastCalls(
  warehouse: Pick<Warehouse, "query">,
  from: number,
): AsyncGenerator<readonly Row[]> {
  for (let offset = from; ; offset += pageRows) {
    const { rows } = await warehouse.query(
      sql`SELECT * FROM ${raw(pastCallsTable)} ORDER BY ${raw(pastCallsKey.join(", "))}
        LIMIT ${integer(pageRows)} OFFSET ${integer(offset)}`,
      { timeoutMs, maxRows: pageRows },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
  }
}
