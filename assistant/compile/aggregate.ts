import { join, raw, type Statement, sql } from "../../warehouse/statement.ts";
import type { Aggregate, Measure } from "../catalog/field.ts";
import type { Dialect } from "./dialect.ts";

const functions = { sum: "sum", average: "avg", highest: "max", lowest: "min" } as const;

/** ` FILTER (WHERE …)` with the conditions of the measure and of the portion. */
function where(condition: string | undefined, portion: Statement | undefined): Statement {
  const all = [
    ...(condition === undefined ? [] : [raw(`(${condition})`)]),
    ...(portion === undefined ? [] : [portion]),
  ];
  const [only] = all;
  if (only === undefined) return raw("");
  const bare = condition !== undefined && portion === undefined ? raw(condition) : join(all, " AND ");
  return sql` FILTER (WHERE ${bare})`;
}

/** True where a group without rows has 0 of the measure, rather than null. */
export const isAdditive = ({ aggregate: { kind } }: Measure): boolean =>
  kind === "count" || kind === "sum" || kind === "distinct" || kind === "repeats";

/**
 * The aggregate as SQL. Sums of no rows are 0; means of no rows and divisions by zero are null. `portion` narrows the
 * rows further.
 */
export function toAggregate(aggregate: Aggregate, dialect: Dialect, portion?: Statement): Statement {
  const filter = aggregate.kind === "ratio" ? raw("") : where(aggregate.where, portion);
  switch (aggregate.kind) {
    case "count":
      return sql`count(*)${filter}`;
    case "distinct":
      return sql`count(DISTINCT ${raw(aggregate.column)})${filter}`;
    case "repeats":
      return sql`(count(${raw(aggregate.column)})${filter} - count(DISTINCT ${raw(aggregate.column)})${filter})`;
    case "sum":
      return sql`coalesce(sum(${raw(aggregate.column)})${filter}, 0)`;
    // A single row has no deviation, which engines express in different ways.
    case "deviation":
      return sql`CASE WHEN count(${raw(aggregate.column)})${filter} > 1 THEN stddev_samp(${raw(aggregate.column)})${filter} END`;
    case "quantile":
      return sql`${dialect.quantile(raw(aggregate.column), aggregate.level)}${filter}`;
    case "ratio": {
      const part = toPlainSum(aggregate.part, dialect, portion);
      const of = toPlainSum(aggregate.of, dialect, portion);
      return dialect.divide(aggregate.scale === 1 ? part : sql`${raw(`${aggregate.scale}.0`)} * ${part}`, of);
    }
    default:
      return sql`${raw(functions[aggregate.kind])}(${raw(aggregate.column)})${filter}`;
  }
}

/** A sum inside a ratio, which stays null without rows, and so does the ratio. */
const toPlainSum = (aggregate: Aggregate, dialect: Dialect, portion: Statement | undefined): Statement =>
  aggregate.kind === "sum"
    ? sql`sum(${raw(aggregate.column)})${where(aggregate.where, portion)}`
    : toAggregate(aggregate, dialect, portion);
