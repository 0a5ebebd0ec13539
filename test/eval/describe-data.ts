import { catalog } from "../../assistant/catalog/catalog.ts";
import type { Judging } from "./evaluate.ts";

const shown = 40;

/** What the asking organization's rows bear: how many there are, from when to when, and the names in them. */
export async function describeData(gold: Judging["gold"]): Promise<string> {
  const parts: string[] = [];
  for (const { name, dimensions, tags } of catalog) {
    const [span] = await gold(`SELECT count(*) AS n, min(local_time) AS first, max(local_time) AS last FROM ${name}`);
    parts.push(`${name}: ${span?.["n"]} rows, ${span?.["first"]} to ${span?.["last"]}`);
    for (const dimension of dimensions) parts.push(await values(gold, name, dimension));
    if (tags !== undefined) parts.push(await tagKeys(gold, name, tags));
  }
  return parts.join("\n");
}

async function values(
  gold: Judging["gold"],
  table: string,
  { name, column }: { readonly name: string; readonly column: string },
): Promise<string> {
  const rows = await gold(`SELECT ${column} AS v, count(*) AS n FROM ${table} GROUP BY 1 ORDER BY n DESC, v`);
  const all = rows.map((row) => `${row["v"] ?? "(none)"} ${row["n"]}`);
  return `  ${name} (${all.length}): ${all.slice(0, shown).join(" | ")}${all.length > shown ? " | …" : ""}`;
}

async function tagKeys(gold: Judging["gold"], table: string, tags: string): Promise<string> {
  const rows = await gold(
    `SELECT key, count(*) AS n, count(DISTINCT value) AS d, string_agg(DISTINCT value, ', ') AS v
     FROM (SELECT unnest(map_keys(${tags})) AS key, unnest(map_values(${tags})) AS value FROM ${table}) GROUP BY 1 ORDER BY 2 DESC`,
  );
  return rows
    .map((row) => `  tag ${row["key"]}: on ${row["n"]} rows, ${row["d"]} values: ${String(row["v"]).slice(0, 400)}`)
    .join("\n");
}
