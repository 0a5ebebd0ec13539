import { type DescribedTable, describedTables } from "../column-texts.ts";
import { text, toLiteral } from "../statement.ts";

const literal = (value: string): string => toLiteral(text(value));

/** Statements that tell what a view or table and its columns mean, as `duckdb_columns()` shows it. */
export const commentsOn = (kind: "TABLE" | "VIEW", { table, row, columns }: DescribedTable): string[] => [
  `COMMENT ON ${kind} ${table} IS ${literal(row)}`,
  ...columns.map(({ name, meaning }) => `COMMENT ON COLUMN ${table}."${name}" IS ${literal(meaning)}`),
];

/** A view that is made anew has none. */
export const commentsOnViews: readonly string[] = describedTables.flatMap((table) => commentsOn("VIEW", table));
