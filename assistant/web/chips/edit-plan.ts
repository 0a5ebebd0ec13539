import * as z from "zod/mini";
import type { Catalog, CatalogSubject } from "../wire.ts";

const conditionSchema = z.looseObject({ field: z.string(), op: z.string(), values: z.array(z.unknown()) });
const filterSchema = z.extend(conditionSchema, { or: z.optional(z.array(conditionSchema)) });
const filtersSchema = z.array(filterSchema);
const namesSchema = z.array(z.string());
const periodSchema = z.nullable(z.looseObject({ label: z.string() }));

/** The parts of a plan that the page reads and edits; the rest goes back to the server as it came. */
const planSchema = z.looseObject({
  subject: z.string(),
  measures: namesSchema,
  dimensions: namesSchema,
  grain: z.nullable(z.string()),
  filters: filtersSchema,
  having: filtersSchema,
  portion: z._default(filtersSchema, []),
  columns: namesSchema,
  period: periodSchema,
  compare: periodSchema,
  order: z.nullable(z.looseObject({ by: z.string() })),
  limit: z._default(z.nullable(z.number()), null),
  share: z._default(z.boolean(), false),
  over_groups: z._default(namesSchema, []),
  running: z._default(z.nullable(z.string()), null),
});
export type EditablePlan = z.infer<typeof planSchema>;
export type PlanFilter = z.infer<typeof filterSchema>;

/** Conditions on each record, or on the figures of a group. */
export type ConditionList = "filters" | "having";

/** Null for an answer without a plan, or with one of a newer server that the page cannot read. */
export const toEditablePlan = (plan: unknown): EditablePlan | null => planSchema.safeParse(plan).data ?? null;

export const subjectIn = (catalog: Catalog | null, plan: EditablePlan): CatalogSubject | undefined =>
  catalog?.subjects.find(({ name }) => name === plan.subject);

export const countGroups = ({ dimensions, grain }: EditablePlan): number =>
  dimensions.length + (grain === null ? 0 : 1);

const recurring = new Set(["hour_of_day", "day_of_week", "kind_of_day", "part_of_day"]);

/** Two periods over time can be compared as a whole, but not for each group as well. */
export const isComparable = ({ grain, dimensions }: EditablePlan): boolean =>
  grain === null || recurring.has(grain) || dimensions.length === 0;

const isPlainFigure = ({ share, portion, running, over_groups: overGroups }: EditablePlan): boolean =>
  !share && portion.length === 0 && running === null && overGroups.length === 0;

/** True where the plan's period can be compared with another; the server refuses everything else. */
export const canCompare = (plan: EditablePlan): boolean =>
  plan.period !== null &&
  plan.columns.length === 0 &&
  plan.having.length === 0 &&
  isPlainFigure(plan) &&
  isComparable(plan) &&
  (plan.limit === null || (countGroups(plan) < 2 && plan.grain === null));

/** True where groups can be filtered by their figures. */
export const canHave = (plan: EditablePlan): boolean =>
  countGroups(plan) > 0 &&
  plan.compare === null &&
  isPlainFigure(plan) &&
  (plan.limit === null || countGroups(plan) < 2);

/** One part of a plan on the page, or a button that adds one; `at` is the index in the plan's own list. */
export type Chip =
  | { readonly kind: "measure" | "group" | "filter" | "having"; readonly at: number; readonly label: string }
  | { readonly kind: "grain" | "period" | "compare"; readonly label: string }
  | { readonly kind: "new_group" | "new_filter" | "new_compare"; readonly label: string };

const replaced = <T>(list: readonly T[], at: number, ...items: readonly T[]): T[] => [
  ...list.slice(0, at),
  ...items,
  ...list.slice(at + 1),
];
const without = <T>(list: readonly T[], at: number): T[] => replaced(list, at);

/** Replaces a measure, also as the one that groups are ranked by. */
export const withMeasure = (plan: EditablePlan, at: number, name: string): EditablePlan => {
  const before = plan.measures[at];
  const order = plan.order !== null && plan.order.by === before ? { ...plan.order, by: name } : plan.order;
  return { ...plan, measures: replaced(plan.measures, at, name), having: [], order };
};

/** Removes everything that referred to the groups before: ranking, conditions on groups, shares of them. */
const withoutRanking = (plan: EditablePlan): EditablePlan => ({
  ...plan,
  having: [],
  order: null,
  limit: null,
  limit_per: null,
  share: false,
  over_groups: [],
  chart: null,
  ...(plan.grain === null && { running: null, running_over: null }),
  ...(!isComparable(plan) && { compare: null }),
});

const isGrain = (catalog: Catalog, name: string): boolean => catalog.grains.some((grain) => grain.name === name);

/** Replaces the grouping of a chip, or adds one; a unit of time replaces the plan's present one. */
export const withGroup = (plan: EditablePlan, chip: Chip, { name, catalog }: { name: string; catalog: Catalog }) => {
  const bare = withoutChip(plan, chip);
  if (isGrain(catalog, name)) return withoutRanking({ ...bare, grain: name });
  if (chip.kind !== "group") return withoutRanking({ ...bare, dimensions: [...bare.dimensions, name] });
  return withoutRanking({ ...plan, dimensions: replaced(plan.dimensions, chip.at, name) });
};

type Place = { readonly list: ConditionList; readonly at: number };

/** Replaces a condition by others: "between" is two of them. */
export const withConditions = (plan: EditablePlan, { list, at }: Place, conditions: readonly PlanFilter[]) => ({
  ...plan,
  [list]: replaced(plan[list], at, ...conditions),
});

const takesSeveral = (op: string): boolean => op === "is" || op === "is_not";

/**
 * Adds a condition: its values join those of a condition on the same field with the same operator; a number replaces
 * the one there.
 */
export const withNewCondition = (plan: EditablePlan, list: ConditionList, condition: PlanFilter): EditablePlan => {
  const { field, op, values } = condition;
  const at = plan[list].findIndex((each) => each.field === field && each.op === op && each.or === undefined);
  const same = plan[list][at];
  if (same === undefined) return { ...plan, [list]: [...plan[list], condition] };
  const joined = takesSeveral(op) ? [...new Set([...same.values, ...values])] : values;
  return withConditions(plan, { list, at }, [{ ...same, values: joined }]);
};

/**
 * Removes the part of the plan that a chip stands for, except for the measure and the period, which a plan must have.
 */
export const withoutChip = (plan: EditablePlan, chip: Chip): EditablePlan => {
  switch (chip.kind) {
    case "grain":
      return withoutRanking({ ...plan, grain: null });
    case "group":
      return withoutRanking({ ...plan, dimensions: without(plan.dimensions, chip.at) });
    case "filter":
      return { ...plan, filters: without(plan.filters, chip.at) };
    case "having":
      return { ...plan, having: without(plan.having, chip.at) };
    case "compare":
      return { ...plan, compare: null };
    case "measure":
    case "new_compare":
    case "new_filter":
    case "new_group":
    case "period":
      return plan;
  }
};

/** Words for periods that are often compared with. */
export const comparisons = ["the period before", "a year earlier"] as const;

/** Turns a compared period's label into words that mean the same beside another period. */
export const toCompareWords = (label: string): string => {
  const bare = label.replace(/, same part$/, "");
  return / a year earlier$/.test(bare) ? "a year earlier" : bare;
};
