import { join, raw, type Statement, sql, text } from "../../warehouse/statement.ts";
import { dimensionAlias, tagKey } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Period, Plan } from "../plan.ts";
import { isBinned, type Reader, toColumn, toCondition, within } from "./condition.ts";
import type { Dialect, Likely } from "./dialect.ts";

/** The input of every part of a statement. */
export interface Scope {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly orgId: string;
  readonly dialect: Dialect;
  /** The span of time that the plan's rows are probably from. */
  readonly likely: Likely | undefined;
}

export const readerOf = ({ plan, dialect, likely }: Omit<Scope, "orgId" | "subject">): Reader => ({
  dialect,
  likely,
  zone: plan.zone,
});

export const lines = (statements: readonly Statement[], separator = ",\n  "): Statement => join(statements, separator);

/** The column of a dimension in the answer; tags are quoted, as a customer's key can be an SQL keyword. */
export const groupColumn = (name: string): Statement =>
  raw(tagKey(name) === undefined ? dimensionAlias(name) : `"${dimensionAlias(name).replaceAll('"', '""')}"`);
export const groupColumns = ({ dimensions }: Pick<Plan, "dimensions">): readonly Statement[] =>
  dimensions.map(groupColumn);
export const countGroups = ({ dimensions, grain }: Plan): number => dimensions.length + (grain === null ? 0 : 1);

export const all = (conditions: readonly Statement[]): Statement => join(conditions, "\n  AND ");

/** The conditions of the rows: the organization's, the period's, and every filter. */
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

/**
 * False for shares: they are of everything, nameless groups included, which are left out after the shares are computed.
 */
const isRanking = (plan: Plan): boolean =>
  plan.limit !== null &&
  plan.columns.length === 0 &&
  !plan.share &&
  (countGroups(plan) === 1 || plan.limit_per !== null);

/** The conditions that leave nameless groups out of a ranking. */
const named = (scope: Scope): readonly Statement[] =>
  scope.plan.dimensions.map((name) => sql`${toColumn(scope.subject, name, readerOf(scope))} IS NOT NULL`);

/** Indents a statement inside another by two spaces; bound values stay unchanged. */
export const indented = (statement: Statement): Statement => ({
  parts: statement.parts.map((part) => (typeof part === "string" ? part.replaceAll("\n", "\n  ") : part)),
});
