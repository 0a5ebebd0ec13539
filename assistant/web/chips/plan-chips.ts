import { toLabel } from "../format.ts";
import type { Catalog, CatalogSubject } from "../wire.ts";
import { canCompare, countGroups, type EditablePlan, type PlanFilter, subjectIn } from "./editable-plan.ts";
import { sayFilter } from "./say-filter.ts";

/** `at` is the place in the plan's own list. */
export type Chip =
  | { readonly kind: "measure" | "group" | "filter" | "having"; readonly at: number; readonly label: string }
  | { readonly kind: "grain" | "period" | "compare"; readonly label: string }
  | { readonly kind: "new_group" | "new_filter" | "new_compare"; readonly label: string };

/** Groupings that one question can have, units of time included. */
const mostGroups = 3;
/** Conditions that one plan can hold; between two numbers is two of them. */
const mostFilters = 20;
const filtersOfOne = 2;

const labelIn = (named: readonly { name: string; label: string }[] | undefined, name: string): string =>
  named?.find((each) => each.name === name)?.label ??
  toLabel(name.replace(/^tag:/, "").replace(/^bin:([^:]+).*$/, "$1")).toLowerCase();

/** What the server calls a plan's conditions and groups, each in the plan's order; nothing where they have changed. */
export type PlanWords = { readonly filters: readonly string[]; readonly grouping: readonly string[] };

type Naming = { readonly catalog: Catalog | null; readonly words: PlanWords };

const groupChips = ({ dimensions, grain }: EditablePlan, named: Naming & { subject: CatalogSubject | undefined }) => {
  const { catalog, words, subject } = named;
  const units = catalog?.grains ?? [];
  // The unit of time comes first; steps of a number have no label of the catalog's.
  const isSaid = words.grouping.length === dimensions.length + (grain === null ? 0 : 1);
  const said = isSaid ? words.grouping.slice(grain === null ? 0 : 1) : [];
  return [
    ...(grain === null ? [] : [{ kind: "grain", label: `by ${labelIn(units, grain)}` } as const]),
    ...dimensions.map(
      (name, at): Chip => ({
        kind: "group",
        at,
        label: `by ${said[at] ?? labelIn([...(subject?.dimensions ?? []), ...units], name)}`,
      }),
    ),
  ];
};

const conditionChips = (
  { filters, portion, having }: EditablePlan,
  said: readonly string[],
  subject?: CatalogSubject,
) => {
  const chipsOf = (kind: "filter" | "having", list: readonly PlanFilter[], from: number) =>
    list.map((filter, at): Chip => ({ kind, at, label: said[from + at] ?? sayFilter(filter, subject) }));
  // The server says them in this order.
  return [...chipsOf("filter", filters, 0), ...chipsOf("having", having, filters.length + portion.length)];
};

const addersOf = (plan: EditablePlan): readonly Chip[] => [
  ...(plan.columns.length > 0 || countGroups(plan) >= mostGroups
    ? []
    : [{ kind: "new_group", label: "Group by…" } as const]),
  ...(plan.filters.length > mostFilters - filtersOfOne ? [] : [{ kind: "new_filter", label: "Filter…" } as const]),
  ...(plan.compare === null && canCompare(plan) ? [{ kind: "new_compare", label: "Compare with…" } as const] : []),
];

const saidChips = (plan: EditablePlan, { catalog, words }: Naming): readonly Chip[] => {
  const subject = subjectIn(catalog, plan);
  const { measures, period, compare } = plan;
  return [
    ...measures.map((name, at): Chip => ({ kind: "measure", at, label: labelIn(subject?.measures, name) })),
    ...groupChips(plan, { catalog, words, subject }),
    ...conditionChips(plan, words.filters, subject),
    { kind: "period", label: period?.label ?? "all data" },
    ...(compare === null ? [] : [{ kind: "compare", label: `vs ${compare.label}` } as const]),
  ];
};

/** A plan as chips: what is measured, by what, under which conditions, over which time; then what can be added. */
export const toChips = (plan: EditablePlan, catalog: Catalog | null, words: PlanWords): readonly Chip[] => [
  ...saidChips(plan, { catalog, words }),
  ...addersOf(plan),
];

/** What an edited plan is called in the conversation, before the server has said it in its own words. */
export const sayPlan = (plan: EditablePlan, catalog: Catalog | null, words: PlanWords): string => {
  const said = saidChips(plan, { catalog, words });
  const of = (...kinds: Chip["kind"][]) => said.filter(({ kind }) => kinds.includes(kind)).map(({ label }) => label);
  const measures = of("measure").join(" and ") || subjectIn(catalog, plan)?.label || "";
  const groups = of("grain", "group").join(" and ").replaceAll("and by", "and");
  const rest = of("filter", "having", "period", "compare");
  const parts = [[measures, groups].filter(Boolean).join(" "), ...rest].join(", ");
  return parts.charAt(0).toUpperCase() + parts.slice(1);
};
