import type { ClickHouseClient } from "@clickhouse/client";
import { describedTables } from "../column-texts.ts";
import { isPublicTable } from "../public-tables.ts";
import { text, toLiteral } from "../statement.ts";
import { quoted } from "./columns.ts";

const literal = (value: string): string => toLiteral(text(value));

/**
 * Tells what the views and their columns mean, as `system.columns` shows it. A view that is made anew has none; one that has
 * them stays as it is. A user that may not alter views leaves them out: nothing of the platform reads them.
 */
export async function writeComments(client: ClickHouseClient, which: "all" | "public" = "all"): Promise<void> {
  const written = await readComments(client);
  for (const { table, row, columns } of describedTables) {
    if (which === "public" && !isPublicTable(table)) continue;
    const isWritten = columns.every(({ name, meaning }) => written.get(`${table}.${name}`) === meaning);
    if (isWritten && written.get(table) === row) continue;
    const comments = columns.map(({ name, meaning }) => `COMMENT COLUMN ${quoted(name)} ${literal(meaning)}`);
    try {
      await client.command({ query: `ALTER TABLE ${table} ${comments.join(", ")}, MODIFY COMMENT ${literal(row)}` });
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== accessDenied) throw error;
      return;
    }
  }
}

const accessDenied = "497";

async function readComments(client: ClickHouseClient): Promise<ReadonlyMap<string, string>> {
  const found = await client.query({
    query: `SELECT concat(table, '.', name) AS of, comment FROM system.columns
      WHERE database = currentDatabase() AND comment != ''
      UNION ALL SELECT name, comment FROM system.tables WHERE database = currentDatabase() AND comment != ''`,
    format: "JSONCompactEachRow",
  });
  return new Map(await found.json<[string, string]>());
}
