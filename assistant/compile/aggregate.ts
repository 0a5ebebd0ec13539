import { raw, type Statement, sql } from "../../warehouse/statement.ts";
import type { Aggregate, Measure } from "../catalog/field.ts";
import type { Dialect } from "./dialect.ts";

const functions = { sum: "sum", average: "avg", highest: "max", lowest: "min" } as const;

const where = (condition: string | undefined): Statement =>
  condition === undefined ? raw("") : sql` FILTER (WHERE ${raw(condition)})`;

/** Whether a group without rows has 0 of it, rather than no figure at all. */
export const isAdditive = ({ aggregate: { kind } }: Measure): boolean =>
  kind === "count" || kind === "sum" || kind === "distinct";

/** Money adds up to 0 where nothing is known yet; a mean of nothing stays null, and so does a division by zero. */
export function toAggregate(aggregate: Aggregate, dialect: Dialect): Statement {
  switch (aggregate.kind) {
    case "count":
      return sql`count(*)${where(aggregate.where)}`;
    case "distinct":
      return sql`count(DISTINCT ${raw(aggregate.column)})${where(aggregate.where)}`;
    case "sum":
      return sql`coalesce(sum(${raw(aggregate.column)})${where(aggregate.where)}, 0)`;
    case "quantile":
      return sql`${dialect.quantile(raw(aggregate.column), aggregate.level)}${where(aggregate.where)}`;
    case "ratio": {
      const part = toPlainSum(aggregate.part, dialect);
      const of = toPlainSum(aggregate.of, dialect);
      return aggregate.scale === 100 ? sql`100.0 * ${part} / nullif(${of}, 0)` : sql`${part} / nullif(${of}, 0)`;
    }
    default:
      return sql`${raw(functions[aggregate.kind])}(${raw(aggregate.column)})${where(aggregate.where)}`;
  }
}

/** Inside a division a sum of nothing may stay null: so does the quotient. */
const toPlainSum = (aggregate: Aggregate, dialect: Dialect): Statement =>
  aggregate.kind === "sum"
    ? sql`sum(${raw(aggregate.column)})${where(aggregate.where)}`
    : toAggregate(aggregate, dialect);
