import type { TableOfTopic } from "../tables.ts";
import { WarehouseError } from "../warehouse.ts";
import { type Columns, columnsOf, isRequired, quoted } from "./columns.ts";
import type { Select } from "./temporary.ts";

export const isOfKind = ({ kind }: TableOfTopic): string => (kind === undefined ? "true" : `kind = '${kind}'`);

interface Checked {
  readonly messages: number;
  readonly tables: readonly TableOfTopic[];
  readonly columns: Columns;
}
type Counts = Readonly<Record<string, number | string>>;

/** Throws `row_refused` for a batch that is not what its tables take; else how many of its rows are for each of them. */
export async function check(select: Select, read: string, { messages, tables, columns }: Checked) {
  const kinds = tables.flatMap(({ kind }) => (kind === undefined ? [] : [`'${kind}'`]));
  const isUnknown = kinds.length === 0 ? "false" : `kind IS NULL OR kind NOT IN (${kinds.join(", ")})`;
  const lacks = missingOf(tables, columns).map(({ condition }) => condition);
  const counts = [
    "count() AS rows",
    `countIf(${isUnknown}) AS unknown`,
    `countIf(${lacks.join(" OR ")}) AS faults`,
    ...tables.map((table) => `countIf(${isOfKind(table)}) AS ${table.table}`),
  ];
  const [found = {}] = await select<Counts>(`SELECT ${counts.join(", ")} FROM ${read}`);
  const count = (name: string) => Number(found[name] ?? 0);
  if (count("rows") !== messages) {
    throw new WarehouseError("row_refused", `${messages} messages hold ${count("rows")} documents; each must be one.`);
  }
  if (count("unknown") > 0) {
    throw new WarehouseError("row_refused", `kind is missing, or none of ${kinds.join(", ")}`);
  }
  if (count("faults") > 0)
    throw new WarehouseError("row_refused", await describeFaults(select, read, { tables, columns }));
  return ({ table }: TableOfTopic) => count(table);
}

/** Returns the columns that every row of a table needs and that are missing. */
const missingOf = (tables: readonly TableOfTopic[], columns: Columns) =>
  tables.flatMap((table) =>
    columnsOf(columns, table)
      .filter(isRequired)
      .map(({ name }) => ({ name, condition: `(${isOfKind(table)} AND ${quoted(name)} IS NULL)` })),
  );

async function describeFaults(select: Select, read: string, { tables, columns }: Pick<Checked, "tables" | "columns">) {
  const missing = missingOf(tables, columns);
  const counts = missing.map(({ condition }, index) => `countIf(${condition}) AS at_${index}`);
  const [found = {}] = await select<Counts>(`SELECT ${counts.join(", ")} FROM ${read}`);
  const names = missing.filter((_, index) => Number(found[`at_${index}`]) > 0).map(({ name }) => name);
  return `${[...new Set(names)].join(", ")} is missing`;
}
