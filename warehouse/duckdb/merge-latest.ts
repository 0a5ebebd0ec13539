import type { DuckDBConnection } from "@duckdb/node-api";
import { storedIn, type TableOfTopic } from "../tables.ts";
import { countNewRows } from "./count-rows.ts";

/** Gives each row of the table its latest version of `parsed`. A version of a row that is there counts no more. */
export async function mergeLatest(
  connection: DuckDBConnection,
  spec: TableOfTopic,
  names: readonly string[],
): Promise<void> {
  if (spec.counted === true) {
    await connection.run(newRows(spec));
    await countNewRows(connection, spec);
  }
  await connection.run(merge(spec, names));
}

const latest = (key: string): string =>
  `(SELECT * FROM parsed QUALIFY row_number() OVER (PARTITION BY org_id, ${key} ORDER BY version DESC) = 1)`;

const isSame = ({ key, time }: TableOfTopic): string =>
  `old.org_id = new.org_id AND old.${time} = new.${time} AND old.${key} = new.${key}`;

const newRows = (spec: TableOfTopic): string =>
  `CREATE OR REPLACE TEMP TABLE new_rows AS SELECT org_id, ${spec.time} FROM ${latest(spec.key)} AS new
   WHERE NOT EXISTS (SELECT 1 FROM ${storedIn(spec.table)} AS old WHERE ${isSame(spec)})`;

const merge = (spec: TableOfTopic, names: readonly string[]): string =>
  `MERGE INTO ${storedIn(spec.table)} AS old USING ${latest(spec.key)} AS new ON ${isSame(spec)}
   WHEN MATCHED AND new.version > old.version THEN UPDATE SET ${names.map((name) => `"${name}" = new."${name}"`).join(", ")}
   WHEN NOT MATCHED THEN INSERT (${list(names)}) VALUES (${list(names, "new.")})`;

const list = (names: readonly string[], prefix = ""): string => names.map((name) => `${prefix}"${name}"`).join(", ");
