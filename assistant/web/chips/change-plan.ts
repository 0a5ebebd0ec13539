import type { Catalog } from "../wire.ts";
import { type ConditionList, type EditablePlan, isComparable, type PlanFilter } from "./editable-plan.ts";
import type { Chip } from "./plan-chips.ts";

const replaced = <T>(list: readonly T[], at: number, ...items: readonly T[]): T[] => [
  ...list.slice(0, at),
  ...items,
  ...list.slice(at + 1),
];
const without = <T>(list: readonly T[], at: number): T[] => replaced(list, at);

/** Another measure in a measure's place, also for what it is ranked by. */
export const withMeasure = (plan: EditablePlan, at: number, name: string): EditablePlan => {
  const before = plan.measures[at];
  const order = plan.order !== null && plan.order.by === before ? { ...plan.order, by: name } : plan.order;
  return { ...plan, measures: replaced(plan.measures, at, name), having: [], order };
};

/** A plan without what only makes sense for its groups as they were: a ranking, conditions on groups, shares of them. */
const regrouped = (plan: EditablePlan): EditablePlan => ({
  ...plan,
  having: [],
  order: null,
  limit: null,
  limit_per: null,
  share: false,
  chart: null,
  ...(plan.grain === null && { running: null }),
  ...(!isComparable(plan) && { compare: null }),
});

const isGrain = (catalog: Catalog, name: string): boolean => catalog.grains.some((grain) => grain.name === name);

/** Another grouping in the place of a chip's; a unit of time takes the place of the one there is. */
export const withGroup = (plan: EditablePlan, chip: Chip, { name, catalog }: { name: string; catalog: Catalog }) => {
  const bare = withoutChip(plan, chip);
  if (isGrain(catalog, name)) return regrouped({ ...bare, grain: name });
  if (chip.kind !== "group") return regrouped({ ...bare, dimensions: [...bare.dimensions, name] });
  return regrouped({ ...plan, dimensions: replaced(plan.dimensions, chip.at, name) });
};

type Place = { readonly list: ConditionList; readonly at: number };

/** Other conditions in the place of one: between two numbers is two of them. */
export const withConditions = (plan: EditablePlan, { list, at }: Place, conditions: readonly PlanFilter[]) => ({
  ...plan,
  [list]: replaced(plan[list], at, ...conditions),
});

const takesSeveral = (op: string): boolean => op === "is" || op === "is_not";

/** A condition more; on the same thing and of the same kind it joins the values that are there, or takes a number's place. */
export const withNewCondition = (plan: EditablePlan, list: ConditionList, condition: PlanFilter): EditablePlan => {
  const { field, op, values } = condition;
  const at = plan[list].findIndex((each) => each.field === field && each.op === op);
  const same = plan[list][at];
  if (same === undefined) return { ...plan, [list]: [...plan[list], condition] };
  const joined = takesSeveral(op) ? [...new Set([...same.values, ...values])] : values;
  return withConditions(plan, { list, at }, [{ ...same, values: joined }]);
};

/** The plan without what a chip says; a measure or period that must be there stays. */
export const withoutChip = (plan: EditablePlan, chip: Chip): EditablePlan => {
  switch (chip.kind) {
    case "grain":
      return regrouped({ ...plan, grain: null });
    case "group":
      return regrouped({ ...plan, dimensions: without(plan.dimensions, chip.at) });
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
