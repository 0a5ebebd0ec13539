import type { ResultSet } from "@clickhouse/client";
import type { Column, QueryResult, Row } from "../warehouse.ts";
import { fromClickhouseValue, toColumnType } from "./values.ts";

/** Reads a result as it comes, and of it no more than `maxRows`, nor more than `maxBytes` of their JSON. */
export async function readRows(
  found: ResultSet<"JSONCompactEachRowWithNamesAndTypes">,
  maxRows: number,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<QueryResult> {
  // The first two rows are the columns' names and types.
  let names: readonly string[] | undefined;
  let columns: readonly Column[] | undefined;
  const rows: Row[] = [];
  let bytes = 0;
  for await (const lines of found.stream()) {
    for (const line of lines) {
      bytes += line.text.length;
      if (bytes > maxBytes && columns !== undefined) return { columns, rows, truncated: true };
      const values = line.json<readonly unknown[]>();
      if (names === undefined) names = values.map(String);
      else if (columns === undefined) columns = toColumns(names, values.map(String));
      else if (rows.length === maxRows) return { columns, rows, truncated: true };
      else rows.push(toRow(columns, values));
    }
  }
  return { columns: columns ?? [], rows, truncated: false };
}

const toColumns = (names: readonly string[], types: readonly string[]): readonly Column[] =>
  names.map((name, index) => ({ name, type: toColumnType(types[index] ?? "") }));

function toRow(columns: readonly Column[], values: readonly unknown[]): Row {
  const row: Row = {};
  columns.forEach(({ name, type }, index) => {
    row[name] = fromClickhouseValue(values[index], type);
  });
  return row;
}
