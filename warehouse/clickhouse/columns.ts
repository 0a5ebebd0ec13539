import type { ClickHouseClient } from "@clickhouse/client";
import { storedIn, type TableOfTopic } from "../tables.ts";
import { unwrap } from "./values.ts";

/** A column that a message's field of the same name fills. */
export interface Column {
  readonly name: string;
  readonly type: string;
}
export type Columns = ReadonlyMap<string, readonly Column[]>;

/** The columns of each stored table, in order, without those of the loader. */
export async function readColumns(client: ClickHouseClient): Promise<Columns> {
  const found = await client.query({
    query: `SELECT table, name, type FROM system.columns
      WHERE database = currentDatabase() AND startsWith(table, 'stored_') AND NOT startsWith(name, 'log_')
      ORDER BY table, position`,
    format: "JSONEachRow",
  });
  const columns = new Map<string, Column[]>();
  for (const { table, ...column } of await found.json<Column & { table: string }>()) {
    columns.set(table, [...(columns.get(table) ?? []), column]);
  }
  return columns;
}

export const columnsOf = (columns: Columns, { table }: TableOfTopic): readonly Column[] =>
  columns.get(storedIn(table)) ?? [];

/** Every column of these tables, and the field that distinguishes kinds. */
export function fieldsOf(columns: Columns, tables: readonly TableOfTopic[]): readonly Column[] {
  const all = tables.flatMap((table) => columnsOf(columns, table));
  const byName = new Map(all.map((column) => [column.name, column]));
  return [...byName.values(), { name: "kind", type: "Nullable(String)" }];
}

/** Returns true if the column must have a value. */
export const isRequired = ({ type }: Column): boolean => !/^(LowCardinality\()?(Nullable|Variant|Simple)/.test(type);

interface Reading {
  /** The type that a message's field is read as: empty where it is missing. */
  readonly read: string;
  /** Returns the expression that converts the value, without silent truncation or overflow. */
  take(name: string): string;
}

/**
 * The engine reads most values strictly, but wraps a whole number that is too large and cuts the digits of a decimal:
 * those are read wider, and converted.
 */
export function toReading({ type }: Column): Reading {
  const bare = unwrap(type);
  const asIs = { take: (name: string) => name };
  if (bare === "Int32") {
    return { read: "Nullable(Float64)", take: (name) => `accurateCast(${name}, 'Nullable(Int32)')` };
  }
  if (bare.startsWith("Decimal")) {
    return {
      read: "Nullable(Decimal(38, 10))",
      take: (name) => `CAST(round(${name}, 4) AS Nullable(${bare}))`,
    };
  }
  if (bare.startsWith("Map(")) return { read: `Variant(${bare})`, ...asIs };
  if (bare.startsWith("SimpleAggregateFunction(")) return { read: "Nullable(String)", ...asIs };
  return { read: `Nullable(${bare})`, ...asIs };
}

export const quoted = (name: string): string => `\`${name}\``;
