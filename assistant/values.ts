import type { Statement } from "../warehouse/statement.ts";
import { isBin } from "./catalog/bins.ts";
import { dimensionAlias, subjectOf } from "./catalog/catalog.ts";
import { compilePlan } from "./compile/compile.ts";
import type { Dialect } from "./compile/dialect.ts";
import { emptyPlan } from "./empty-plan.ts";
import { tagKeysStatement } from "./names/names-statement.ts";
import { parsePlan } from "./parse-plan.ts";
import { isRecurring, type Plan, type SubjectName } from "./plan.ts";
import { tagField } from "./planner/link/name-index.ts";

/** More values are found by typing a part of the name. */
const mostValues = 20;

export interface ValuesAsked {
  readonly subject: SubjectName;
  /** "tag" for the keys of tags. */
  readonly dimension: string;
  /** A part of the values, regardless of case; empty for the most used ones. */
  readonly contains: string;
}

/**
 * A SELECT of a dimension's values, ranked by how often the organization's records have them; null for a dimension
 * without values.
 */
export function valuesStatement(
  asked: ValuesAsked,
  { orgId, dialect, now }: { orgId: string; dialect: Dialect; now: number },
): Statement | null {
  const { dimension, contains } = asked;
  const subject = subjectOf(asked.subject);
  if (dimension === tagField) return tagKeysStatement({ orgId, subject, dialect, contains, limit: mostValues });
  const plan = valuesPlan(asked);
  return plan && compilePlan(plan, orgId, { dialect, now });
}

function valuesPlan({ subject, dimension, contains }: ValuesAsked): Plan | null {
  if (isBin(dimension) || isRecurring(dimension)) return null;
  const { defaultMeasure } = subjectOf(subject);
  return parsePlan({
    ...emptyPlan,
    subject,
    measures: [defaultMeasure],
    dimensions: [dimension],
    filters: contains === "" ? [] : [{ field: dimension, op: "contains", values: [contains] }],
    period: null,
    zone: "UTC",
    order: { by: defaultMeasure, direction: "desc" },
    limit: mostValues,
  });
}

export const valuesIn = (dimension: string, rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  rows.map((row) => String(row[dimensionAlias(dimension)]));
