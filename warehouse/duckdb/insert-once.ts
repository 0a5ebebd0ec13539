import type { DuckDBConnection } from "@duckdb/node-api";
import { storedIn, type TableOfTopic } from "../tables.ts";
import { countNewRows } from "./count-rows.ts";

/** Inserts the rows of `parsed` that the table has not; returns how many. Counted tables are counted in one go. */
export async function insertOnce(
  connection: DuckDBConnection,
  spec: TableOfTopic,
  names: readonly string[],
): Promise<number> {
  const columns = names.map((name) => `"${name}"`).join(", ");
  const into = `INSERT INTO ${storedIn(spec.table)} (${columns})`;
  if (spec.counted !== true) {
    const { rowsChanged } = await connection.run(`${into} SELECT ${columns} ${newRows(spec)}`);
    return rowsChanged;
  }
  // What is new is found once, so that exactly what is inserted is counted.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE new_rows AS SELECT position, org_id, ${spec.time} ${newRows(spec)}`,
  );
  const { rowsChanged } = await connection.run(
    `${into} SELECT ${columns} FROM parsed WHERE position IN (SELECT position FROM new_rows)`,
  );
  if (rowsChanged > 0) await countNewRows(connection, spec);
  return rowsChanged;
}

const newRows = ({ table, kind, key, time }: TableOfTopic): string =>
  `FROM parsed AS new
   WHERE ${kind === undefined ? "true" : `kind = '${kind}'`} AND NOT EXISTS (
     SELECT 1 FROM ${storedIn(table)} AS old
     WHERE old.org_id = new.org_id AND old.${time} = new.${time} AND old.${key} = new.${key})
   QUALIFY row_number() OVER (PARTITION BY org_id, ${time}, ${key} ORDER BY position) = 1`;
