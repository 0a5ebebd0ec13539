import type { Answer } from "../../assistant/answer.ts";
import { type Assistant, createAssistant } from "../../assistant/assistant.ts";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import { clickhouseDialect } from "../../assistant/compile/dialect-clickhouse.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { raw } from "../../warehouse/statement.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";
import { orgOne } from "../make.ts";
import { fillExample, now, openExampleWarehouse, zone } from "./example-data.ts";

export interface Example {
  readonly warehouse: Warehouse;
  readonly assistant: Assistant;
  ask(question: string, given?: { orgId?: string; timeZone?: string; previous?: Answer }): Promise<Answer>;
  /** What hand-written SQL says. */
  gold(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Where others may run SQL of their own, too. */
export type GuardedExample = Example & { readonly warehouse: GuardedWarehouse };

/** The assistant over the example's data, at the example's time. */
export async function openExample(): Promise<GuardedExample> {
  const warehouse = await openExampleWarehouse();
  return { ...exampleOver(warehouse, duckdbDialect), warehouse };
}

/** The same on ClickHouse. */
export async function openClickhouseExample(): Promise<GuardedExample> {
  const warehouse = openClickhouseWarehouse(await clickhouseDatabase());
  await fillExample(warehouse);
  return { ...exampleOver(warehouse, clickhouseDialect), warehouse };
}

function exampleOver(warehouse: Warehouse, dialect: Dialect): Example {
  const assistant = createAssistant({ warehouse, dialect, clock: { now: () => now, sleep: () => Promise.resolve() } });
  return {
    warehouse,
    assistant,
    ask: (question, { orgId = orgOne, timeZone = zone, previous } = {}) =>
      assistant.ask({ orgId, timeZone, question, previousPlan: previous?.plan ?? undefined }),
    gold: async (text) => (await warehouse.query(raw(text))).rows,
    close: () => warehouse.close(),
  };
}
