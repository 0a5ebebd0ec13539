import { join, raw, type Statement, sql, text, time } from "../../warehouse/statement.ts";
import { startOf, toInstant, toLocal } from "../calendar.ts";
import { isRecurring, type Period, reach } from "../plan.ts";
import { within } from "./condition.ts";
import type { Scope } from "./scope.ts";

/** A SELECT of the labels of all buckets of the plan's grain in its period. */
export function bucketsOf({ plan, subject, orgId, dialect }: Scope): Statement {
  const grain = plan.grain ?? "day";
  if (isRecurring(grain)) return dialect.recurring(grain);
  const { period, zone } = plan;
  const start = (at: number): Statement => {
    const local = startOf(grain, toLocal(at, zone));
    return sql`${time(new Date(grain === "hour" ? toInstant(local, zone) : local))}`;
  };
  // Without a bound in the plan, the data's own first and last row are the bounds.
  const edge = (aggregate: "min" | "max"): Statement => {
    // One row of a year that nobody can mean would make a row of every hour since.
    const among = join([sql`org_id = ${text(orgId)}`, ...within(subject.time, reach)], " AND ");
    const row = sql`(SELECT ${raw(aggregate)}(${raw(subject.time)}) FROM ${raw(plan.subject)} WHERE ${among})`;
    if (grain !== "hour") return dialect.startOf(dialect.local(row, zone), grain);
    return aggregate === "max" ? row : dialect.startOf(row, "hour");
  };
  const first = period === null || period.from === null ? edge("min") : start(Date.parse(period.from));
  const last = period === null ? edge("max") : lastOf(start(Date.parse(period.to) - 1), period, edge);
  return dialect.buckets(grain, { first, last, zone });
}

/** The last bucket; a period without a beginning ("before March") ends with its data, if that ends earlier. */
const lastOf = (end: Statement, { from }: Period, edge: (aggregate: "max") => Statement): Statement =>
  from === null ? sql`least(${end}, ${edge("max")})` : end;
