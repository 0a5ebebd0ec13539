import type { Assistant } from "../../assistant/assistant.ts";
import { createAssistant } from "../../assistant/assistant.ts";
import { catalog } from "../../assistant/catalog/catalog.ts";
import { raw, sql, text } from "../../warehouse/statement.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { evalNow, evalOrg, fillWarehouse } from "./data.ts";
import type { Judging } from "./evaluate.ts";
import { goldRows } from "./gold.ts";

export interface Evaluation extends Judging {
  readonly assistant: Assistant;
  readonly warehouse: Warehouse;
  close(): Promise<void>;
}

/** The assistant over the pinned data on the embedded engine, at the pinned instant. */
export async function openEvaluation(): Promise<Evaluation> {
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  await fillWarehouse(warehouse);
  const clock = { now: () => evalNow, sleep: () => Promise.resolve() };
  const known = new Map<string, ReturnType<Judging["gold"]>>();
  function gold(statement: string) {
    const rows = known.get(statement) ?? goldRows(warehouse, statement);
    known.set(statement, rows);
    return rows;
  }
  return {
    warehouse,
    assistant: createAssistant({ warehouse, clock }),
    gold,
    foreign: await foreignNames(warehouse),
    close: () => warehouse.close(),
  };
}

/** Not a word that anybody might say, such as the name of an event. */
const isTelling = (name: string): boolean => name.length > 7 && /[ \d]/.test(name);

/** Names of the other organizations' own things that the asking one's data do not bear. */
async function foreignNames(warehouse: Warehouse): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { name, dimensions } of catalog) {
    for (const { column } of dimensions.filter(({ own }) => own === true)) {
      const rows = await warehouse.query(sql`
        SELECT DISTINCT ${raw(column)} AS name FROM ${raw(name)} WHERE org_id <> ${text(evalOrg)} AND ${raw(column)} IS NOT NULL
        EXCEPT SELECT DISTINCT ${raw(column)} FROM ${raw(name)} WHERE org_id = ${text(evalOrg)}`);
      for (const row of rows.rows) if (isTelling(String(row["name"]))) found.add(String(row["name"]));
    }
  }
  return [...found];
}
