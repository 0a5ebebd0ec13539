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
  | { readonly kind: "period"; readonly label: string };

/** Groupings that one question can have, units of time included. */
const mostGroups = 3;

const labelIn = (named: readonly { name: string; label: string }[] | undefined, name: string): string =>
  named?.find((each) => each.name === name)?.label ?? toLabel(name.replace(/^tag:/, "")).toLowerCase();

export const subjectIn = (catalog: Catalog | null, plan: EditablePlan): CatalogSubject | undefined =>
  catalog?.subjects.find(({ name }) => name === plan.subject);

/** A plan as chips: what is measured, by what, under which conditions, over which time. */
export const toChips = (plan: EditablePlan, catalog: Catalog | null, filters: readonly string[]): readonly Chip[] => {
  const subject = subjectIn(catalog, plan);
  const { dimensions, grain, measures, columns, period } = plan;
  const isListing = columns.length > 0;
  const groups = dimensions.length + (grain === null ? 0 : 1);
  return [
    ...measures.map((name, at): Chip => ({ kind: "measure", at, label: labelIn(subject?.measures, name) })),
    ...(grain === null ? [] : [{ kind: "grain", label: `by ${labelIn(catalog?.grains, grain)}` } as const]),
    ...dimensions.map(
      (name, at): Chip => ({
        ...{ kind: "group", at },
        label: `by ${labelIn([...(subject?.dimensions ?? []), ...(catalog?.grains ?? [])], name)}`,
      }),
    ),
    ...(isListing || groups >= mostGroups ? [] : [{ kind: "new_group", label: "Group by…" } as const]),
    ...plan.filters.map(
      ({ field }, at): Chip => ({ kind: "filter", at, label: filters[at] ?? toLabel(field).toLowerCase() }),
    ),
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
    case "new_group":
    case "period":
      return plan;
  }
};

/** What an edited plan is called in the conversation, before the server has said it in its own words. */
export const sayPlan = (plan: EditablePlan, catalog: Catalog | null, filters: readonly string[]): string => {
  const said = toChips(plan, catalog, filters).filter(({ kind }) => kind !== "new_group");
  const of = (...kinds: Chip["kind"][]) => said.filter(({ kind }) => kinds.includes(kind)).map(({ label }) => label);
  const measures = of("measure").join(" and ") || subjectIn(catalog, plan)?.label || "";
  const groups = of("grain", "group").join(" and ").replaceAll("and by", "and");
  const words = [[measures, groups].filter(Boolean).join(" "), ...of("filter"), ...of("period")].join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
