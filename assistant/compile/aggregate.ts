import { join, raw, type Statement, sql } from "../../warehouse/statement.ts";
import type { Aggregate, Measure } from "../catalog/field.ts";
import type { Dialect } from "./dialect.ts";

const functions = { sum: "sum", average: "avg", highest: "max", lowest: "min" } as const;

/** ` FILTER (WHERE …)` of what the measure asks and, of a portion, what it asks. */
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

/** Whether a group without rows has 0 of it, rather than no figure at all. */
export const isAdditive = ({ aggregate: { kind } }: Measure): boolean =>
  kind === "count" || kind === "sum" || kind === "distinct" || kind === "repeats";

/**
 * Money adds up to 0 where nothing is known yet; a mean of nothing stays null, and so does a division by zero. `portion`
 * narrows the rows further.
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

/** Inside a division a sum of nothing may stay null: so does the quotient. */
const toPlainSum = (aggregate: Aggregate, dialect: Dialect, portion: Statement | undefined): Statement =>
  aggregate.kind === "sum"
    ? sql`sum(${raw(aggregate.column)})${where(aggregate.where, portion)}`
    : toAggregate(aggregate, dialect, portion);
