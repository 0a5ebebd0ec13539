import { raw, type Statement, sql } from "../../warehouse/statement.ts";
import { toColumn } from "./condition.ts";
import { limit } from "./order.ts";
import { conditions, lines, readerOf, type Scope } from "./scope.ts";
import { toSource } from "./source.ts";

/** Rows as they are, newest first unless a number of each row ranks them. */
export function listing(scope: Scope): Statement {
  const { plan, subject, orgId } = scope;
  const order = plan.order ?? { by: subject.time, direction: "desc" as const };
  const newest = raw(order.by === subject.time ? "" : `, ${subject.time} DESC`);
  const key = order.by === subject.time ? raw(order.by) : toColumn(subject, order.by, readerOf(scope));
  return sql`SELECT
  ${lines(plan.columns.map(raw))}
FROM ${toSource(plan, subject, orgId)}
WHERE ${conditions(scope, plan.period)}
ORDER BY ${key} ${raw(order.direction === "desc" ? "DESC" : "ASC")} NULLS LAST${newest}${limit(plan)}`;
}
