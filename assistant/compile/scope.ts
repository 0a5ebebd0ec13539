import { join, raw, type Statement, sql, text } from "../../warehouse/statement.ts";
import { dimensionAlias, tagKey } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Period, Plan } from "../plan.ts";
import { isBinned, type Reader, toColumn, toCondition, within } from "./condition.ts";
import type { Dialect, Likely } from "./dialect.ts";

/** What every part of a statement is made from. */
export interface Scope {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly orgId: string;
  readonly dialect: Dialect;
  /** When the rows are from that the plan counts. */
  readonly likely: Likely | undefined;
}

export const readerOf = ({ plan, dialect, likely }: Omit<Scope, "orgId" | "subject">): Reader => ({
  dialect,
  likely,
  zone: plan.zone,
});

export const lines = (statements: readonly Statement[], separator = ",\n  "): Statement => join(statements, separator);

/** The column of a dimension in the answer. What customers name is always quoted: it may be a word of SQL. */
export const groupColumn = (name: string): Statement =>
  raw(tagKey(name) === undefined ? dimensionAlias(name) : `"${dimensionAlias(name).replaceAll('"', '""')}"`);
export const groupColumns = ({ dimensions }: Pick<Plan, "dimensions">): readonly Statement[] =>
  dimensions.map(groupColumn);
export const countGroups = ({ dimensions, grain }: Plan): number => dimensions.length + (grain === null ? 0 : 1);

export const all = (conditions: readonly Statement[]): Statement => join(conditions, "\n  AND ");

/** Which rows count: the organization's own, of the period, that every filter holds for. */
export function conditions(scope: Scope, period: Period | null): Statement {
  const { plan, subject, orgId } = scope;
  const reader = readerOf(scope);
  return all([
    sql`org_id = ${text(orgId)}`,
    ...(period === null ? [] : within(subject.time, period)),
    ...plan.filters.map((filter) => toCondition(subject, filter, reader)),
    ...plan.dimensions.flatMap((name) => isBinned(subject, name)),
    ...(isRanking(plan) ? named(scope) : []),
  ]);
}

/** A share is of everything, the nameless too: they are left out of the ranking after it. */
const isRanking = (plan: Plan): boolean =>
  plan.limit !== null &&
  plan.columns.length === 0 &&
  !plan.share &&
  (countGroups(plan) === 1 || plan.limit_per !== null);

/** A ranking is of things with a name. */
const named = (scope: Scope): readonly Statement[] =>
  scope.plan.dimensions.map((name) => sql`${toColumn(scope.subject, name, readerOf(scope))} IS NOT NULL`);

/** A statement inside another, two spaces further in; bound values are left alone. */
export const indented = (statement: Statement): Statement => ({
  parts: statement.parts.map((part) => (typeof part === "string" ? part.replaceAll("\n", "\n  ") : part)),
});
