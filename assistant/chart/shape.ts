import type { Row } from "../../warehouse/warehouse.ts";
import type { AnswerColumn } from "../answer.ts";
import { dimensionAlias, measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Unit } from "../catalog/field.ts";
import { isAdditive } from "../compile/aggregate.ts";
import type { Grain, Plan } from "../plan.ts";
import { labelOf, measureLabel } from "../words/scope.ts";

export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly additive: boolean;
}
export interface Axis {
  readonly name: string;
  readonly label: string;
}

/** An answer as the chart rules see it: roles come from the plan, never from guessing at the values. */
export interface Shape {
  readonly grain: Grain | null;
  readonly zone: string;
  readonly categories: readonly Axis[];
  readonly figures: readonly Figure[];
  readonly rows: readonly Row[];
  readonly isListing: boolean;
}

export function toShape(plan: Plan, columns: readonly AnswerColumn[], rows: readonly Row[]): Shape {
  const subject = subjectOf(plan.subject);
  const figures = plan.measures.flatMap((name): Figure[] => {
    const measure = measureOf(subject, name);
    const { unit } = measure;
    const figure = {
      name,
      label: measureLabel(subject, name),
      unit,
      additive: isAdditive(measure) && measure.aggregate.kind !== "distinct",
    };
    const before = columns.some((column) => column.name === `${name}_before`);
    return before
      ? [figure, { ...figure, name: `${name}_before`, label: `${figure.label}, ${plan.compare?.label ?? "before"}` }]
      : [figure];
  });
  const categories = plan.dimensions.map((name) => ({ name: dimensionAlias(name), label: labelOf(subject, name) }));
  const named = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(categories.map(({ name }) => [name, row[name] === null ? "(none)" : String(row[name])])),
  }));
  return { grain: plan.grain, zone: plan.zone, categories, figures, rows: named, isListing: plan.columns.length > 0 };
}

export const distinct = (rows: readonly Row[], name: string): readonly string[] => [
  ...new Set(rows.map((row) => String(row[name]))),
];
export const sameUnit = ([first, ...others]: readonly Figure[]): boolean =>
  others.every(({ unit }) => unit === first?.unit);
