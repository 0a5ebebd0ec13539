import * as z from "zod/mini";
import { toLabel } from "../format.ts";
import type { Catalog, CatalogSubject } from "../wire.ts";

const filterSchema = z.looseObject({ field: z.string(), op: z.string(), values: z.array(z.unknown()) });
const namesSchema = z.array(z.string());

/** What the page can change of a plan; all else goes back as it came. */
const planSchema = z.looseObject({
  subject: z.string(),
  measures: namesSchema,
  dimensions: namesSchema,
  grain: z.nullable(z.string()),
  filters: z.array(filterSchema),
  having: z.array(filterSchema),
  columns: namesSchema,
  period: z.nullable(z.looseObject({ label: z.string() })),
  order: z.nullable(z.looseObject({ by: z.string() })),
});
export type EditablePlan = z.infer<typeof planSchema>;
export type PlanFilter = z.infer<typeof filterSchema>;

/** null for an answer without a plan, or one of a newer server that the page does not know. */
export const toEditablePlan = (plan: unknown): EditablePlan | null => planSchema.safeParse(plan).data ?? null;

export type Chip =
  | { readonly kind: "measure"; readonly at: number; readonly label: string }
  | { readonly kind: "group"; readonly at: number; readonly label: string }
  | { readonly kind: "grain"; readonly label: string }
  | { readonly kind: "new_group"; readonly label: string }
  | { readonly kind: "filter"; readonly at: number; readonly label: string }
  | { readonly kind: "new_filter"; readonly label: string }
  | { readonly kind: "period"; readonly label: string };

/** Groupings that one question can have, units of time included. */
const mostGroups = 3;
/** Conditions that one plan can hold. */
const mostFilters = 20;

const labelIn = (named: readonly { name: string; label: string }[] | undefined, name: string): string =>
  named?.find((each) => each.name === name)?.label ??
  toLabel(name.replace(/^tag:/, "").replace(/^bin:([^:]+).*$/, "$1")).toLowerCase();

export const subjectIn = (catalog: Catalog | null, plan: EditablePlan): CatalogSubject | undefined =>
  catalog?.subjects.find(({ name }) => name === plan.subject);

/** A condition until the server has said it in its own words. */
const sayFilter = ({ field, op, values }: PlanFilter): string => {
  const name = toLabel(field.replace(/^tag:/, "")).toLowerCase();
  return op === "is" && values.every((value) => typeof value === "string") ? `${name} is ${values.join(" or ")}` : name;
};

/** What the server calls a plan's conditions and groups, each in the plan's order; nothing where they have changed. */
export type PlanWords = { readonly filters: readonly string[]; readonly grouping: readonly string[] };

/** A plan as chips: what is measured, by what, under which conditions, over which time. */
export const toChips = (plan: EditablePlan, catalog: Catalog | null, words: PlanWords): readonly Chip[] => {
  const subject = subjectIn(catalog, plan);
  const { dimensions, grain, measures, columns, period } = plan;
  const isListing = columns.length > 0;
  const groups = dimensions.length + (grain === null ? 0 : 1);
  // The unit of time comes first; steps of a number have no label of the catalog's.
  const said = words.grouping.length === groups ? words.grouping.slice(grain === null ? 0 : 1) : [];
  return [
    ...measures.map((name, at): Chip => ({ kind: "measure", at, label: labelIn(subject?.measures, name) })),
    ...(grain === null ? [] : [{ kind: "grain", label: `by ${labelIn(catalog?.grains, grain)}` } as const]),
    ...dimensions.map(
      (name, at): Chip => ({
        ...{ kind: "group", at },
        label: `by ${said[at] ?? labelIn([...(subject?.dimensions ?? []), ...(catalog?.grains ?? [])], name)}`,
      }),
    ),
    ...(isListing || groups >= mostGroups ? [] : [{ kind: "new_group", label: "Group by…" } as const]),
    ...plan.filters.map((filter, at): Chip => ({ kind: "filter", at, label: words.filters[at] ?? sayFilter(filter) })),
    ...(plan.filters.length >= mostFilters ? [] : [{ kind: "new_filter", label: "Filter…" } as const]),
    { kind: "period", label: period?.label ?? "all data" },
  ];
};

const replaced = <T>(list: readonly T[], at: number, item: T): T[] =>
  list.map((each, index) => (index === at ? item : each));
const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

/** Another measure in a measure's place, also for what it is ranked by. */
export const withMeasure = (plan: EditablePlan, at: number, name: string): EditablePlan => {
  const before = plan.measures[at];
  const order = plan.order !== null && plan.order.by === before ? { ...plan.order, by: name } : plan.order;
  return { ...plan, measures: replaced(plan.measures, at, name), having: [], order };
};

/** A plan without what only makes sense for its groups as they were: a ranking, conditions on groups, shares of them. */
const regrouped = (plan: EditablePlan): EditablePlan => ({
  ...plan,
  ...{ having: [], order: null, limit: null, limit_per: null, share: false, chart: null },
  ...(plan.grain === null ? { running: null } : { compare: null }),
});

const isGrain = (catalog: Catalog, name: string): boolean => catalog.grains.some((grain) => grain.name === name);

/** Another grouping in the place of a chip's; a unit of time takes the place of the one there is. */
export const withGroup = (plan: EditablePlan, chip: Chip, { name, catalog }: { name: string; catalog: Catalog }) => {
  const bare = withoutChip(plan, chip);
  if (isGrain(catalog, name)) return regrouped({ ...bare, grain: name });
  if (chip.kind !== "group") return regrouped({ ...bare, dimensions: [...bare.dimensions, name] });
  return regrouped({ ...plan, dimensions: replaced(plan.dimensions, chip.at, name) });
};

export const withFilter = (plan: EditablePlan, at: number, filter: PlanFilter): EditablePlan => ({
  ...plan,
  filters: replaced(plan.filters, at, filter),
});

/** A condition more; on the same thing and of the same kind it joins the values that are there. */
export const withNewFilter = (plan: EditablePlan, filter: PlanFilter): EditablePlan => {
  const at = plan.filters.findIndex(({ field, op }) => field === filter.field && op === filter.op);
  const same = plan.filters[at];
  if (same === undefined) return { ...plan, filters: [...plan.filters, filter] };
  return withFilter(plan, at, { ...same, values: [...new Set([...same.values, ...filter.values])] });
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
    case "measure":
    case "new_filter":
    case "new_group":
    case "period":
      return plan;
  }
};

/** What an edited plan is called in the conversation, before the server has said it in its own words. */
export const sayPlan = (plan: EditablePlan, catalog: Catalog | null, words: PlanWords): string => {
  const said = toChips(plan, catalog, words).filter(({ kind }) => kind !== "new_group" && kind !== "new_filter");
  const of = (...kinds: Chip["kind"][]) => said.filter(({ kind }) => kinds.includes(kind)).map(({ label }) => label);
  const measures = of("measure").join(" and ") || subjectIn(catalog, plan)?.label || "";
  const groups = of("grain", "group").join(" and ").replaceAll("and by", "and");
  const parts = [[measures, groups].filter(Boolean).join(" "), ...of("filter"), ...of("period")].join(", ");
  return parts.charAt(0).toUpperCase() + parts.slice(1);
};
