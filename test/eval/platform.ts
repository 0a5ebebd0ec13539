import type { Assistant } from "../../assistant/assistant.ts";
import { createAssistant } from "../../assistant/assistant.ts";
import { catalog } from "../../assistant/catalog/catalog.ts";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import { clickhouseDialect } from "../../assistant/compile/dialect-clickhouse.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { offlinePlanner, type Planner } from "../../assistant/planning.ts";
import type { Clock } from "../../ingest/clock.ts";
import type { GuardedSelect, GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { raw, sql, text } from "../../warehouse/statement.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";
import { evalNow, evalOrg, fillWarehouse } from "./data.ts";
import type { Judging } from "./evaluate.ts";
import { goldRows } from "./gold.ts";

export const engines = ["duckdb", "clickhouse"] as const;
export type Engine = (typeof engines)[number];

export interface Evaluation extends Judging {
  /** On each engine asked for, the first one's is `assistant`. */
  readonly assistants: ReadonlyMap<Engine, Assistant>;
  /** How many rows each engine has of each table; questions leave them as they are. */
  rowCounts(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const clock = { now: () => evalNow, sleep: () => Promise.resolve() };

/** Makes the planner that understands the questions. */
export type PlannerOver = (guarded: GuardedSelect, clock: Clock) => Planner;

/**
 * The assistant over the pinned data at the pinned instant; gold comes from DuckDB, whichever engine answers. Without
 * `plannerOver`, rules understand the questions.
 */
export async function openEvaluation(
  asked: readonly Engine[] = ["duckdb"],
  plannerOver: PlannerOver = () => offlinePlanner,
): Promise<Evaluation> {
  const duckdb = await openEmptyWarehouse();
  await fillWarehouse(duckdb);
  const clickhouse = asked.includes("clickhouse") ? await openClickhouse() : undefined;
  const over = (warehouse: GuardedWarehouse, dialect: Dialect) =>
    createAssistant({ warehouse, dialect, clock, planner: plannerOver(warehouse.guarded, clock) });
  const embedded = over(duckdb, duckdbDialect);
  return {
    assistant: embedded,
    assistants: new Map<Engine, Assistant>([
      ...(asked.includes("duckdb") ? [["duckdb", embedded] as const] : []),
      ...(clickhouse === undefined ? [] : [["clickhouse", over(clickhouse, clickhouseDialect)] as const]),
    ]),
    gold: remembered((statement) => goldRows(duckdb, statement)),
    foreign: await foreignNames(duckdb),
    rowCounts: async () =>
      (await Promise.all([duckdb, ...(clickhouse === undefined ? [] : [clickhouse])].map(countRows))).flat(),
    async close() {
      await clickhouse?.close();
      await duckdb.close();
    },
  };
}

const countRows = (warehouse: Warehouse): Promise<string[]> =>
  Promise.all(
    catalog.map(async ({ name }) => {
      const { rows } = await warehouse.query(sql`SELECT count(*) AS n FROM ${raw(name)}`);
      return `${name} ${rows[0]?.["n"]}`;
    }),
  );

async function openClickhouse(): Promise<GuardedWarehouse> {
  const warehouse = openClickhouseWarehouse(await clickhouseDatabase());
  await fillWarehouse(warehouse);
  return warehouse;
}

/** Each gold statement runs once, however many engines are held against it. */
function remembered(run: Judging["gold"]): Judging["gold"] {
  const known = new Map<string, ReturnType<Judging["gold"]>>();
  return (statement) => {
    const rows = known.get(statement) ?? run(statement);
    known.set(statement, rows);
    return rows;
  };
}

/** Not a word that anybody might say, such as the name of an event. */
const isTelling = (name: string): boolean => name.length > 7 && /[ \d]/.test(name);

/** Names of the other organizations' own things that the asking one's data do not bear. */
async function foreignNames(warehouse: Warehouse): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { name, dimensions } of catalog) {
    for (const { column } of dimensions.filter(({ own }) => own === true)) {
      const { rows } = await warehouse.query(sql`
        SELECT DISTINCT ${raw(column)} AS name FROM ${raw(name)} WHERE org_id <> ${text(evalOrg)} AND ${raw(column)} IS NOT NULL
        EXCEPT SELECT DISTINCT ${raw(column)} FROM ${raw(name)} WHERE org_id = ${text(evalOrg)}`);
      for (const row of rows) if (isTelling(String(row["name"]))) found.add(String(row["name"]));
    }
  }
  return [...found];
}
