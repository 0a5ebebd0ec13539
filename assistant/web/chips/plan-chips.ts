import { dayMs } from "../../../ingest/time-zone.ts";
import { toDates } from "../../phrasing/dates.ts";
import { toLabel } from "../format.ts";
import type { Catalog, CatalogSubject } from "../wire.ts";
import { describeFilter } from "./conditions.ts";
import { type Chip, canCompare, countGroups, type EditablePlan, type PlanFilter, subjectIn } from "./edit-plan.ts";

// The server's own limits: groupings with units of time included, and conditions, of which "between" is two.
const maxGroups = 3;
const maxFilters = 20;
const maxFiltersAdded = 2;

const labelIn = (named: readonly { name: string; label: string }[] | undefined, name: string): string =>
  named?.find((each) => each.name === name)?.label ??
  toLabel(name.replace(/^tag:/, "").replace(/^bin:([^:]+).*$/, "$1")).toLowerCase();

/** The server's words for a plan's conditions and groups, in the plan's order; empty where an edit has changed them. */
export type PlanWords = { readonly filters: readonly string[]; readonly grouping: readonly string[] };

type Naming = { readonly catalog: Catalog | null; readonly words: PlanWords };

const groupChips = ({ dimensions, grain }: EditablePlan, named: Naming & { subject: CatalogSubject | undefined }) => {
  const { catalog, words, subject } = named;
  const units = catalog?.grains ?? [];
  // The unit of time comes first; steps of a number have no label in the catalog.
  const hasWords = words.grouping.length === dimensions.length + (grain === null ? 0 : 1);
  const labels = hasWords ? words.grouping.slice(grain === null ? 0 : 1) : [];
  return [
    ...(grain === null ? [] : [{ kind: "grain", label: `by ${labelIn(units, grain)}` } as const]),
    ...dimensions.map(
      (name, at): Chip => ({
        kind: "group",
        at,
        label: `by ${labels[at] ?? labelIn([...(subject?.dimensions ?? []), ...units], name)}`,
      }),
    ),
  ];
};

const conditionChips = (
  { filters, portion, having }: EditablePlan,
  words: readonly string[],
  subject?: CatalogSubject,
) => {
  const chipsOf = (kind: "filter" | "having", list: readonly PlanFilter[], from: number) =>
    list.map((filter, at): Chip => ({ kind, at, label: words[from + at] ?? describeFilter(filter, subject) }));
  // The order of the server's words.
  return [...chipsOf("filter", filters, 0), ...chipsOf("having", having, filters.length + portion.length)];
};

const addersOf = (plan: EditablePlan): readonly Chip[] => [
  ...(plan.columns.length > 0 || countGroups(plan) >= maxGroups
    ? []
    : [{ kind: "new_group", label: "Group by…" } as const]),
  ...(plan.filters.length > maxFilters - maxFiltersAdded ? [] : [{ kind: "new_filter", label: "Filter…" } as const]),
  ...(plan.compare === null && canCompare(plan) ? [{ kind: "new_compare", label: "Compare with…" } as const] : []),
];

/** "Nov 2 – 8, 2026" for a period that is named by its days, which questions write as numbers; else its name. */
const sayPeriod = (label: string): string => {
  const [, from = "", to = from] = /^(\d{4}-\d{2}-\d{2})(?: to (\d{4}-\d{2}-\d{2}))?$/.exec(label) ?? [];
  if (from === "") return label;
  const end = new Date(Date.parse(to) + dayMs);
  return toDates({ from: `${from}T00:00:00Z`, to: end.toISOString() }, "UTC");
};

const partChips = (plan: EditablePlan, { catalog, words }: Naming): readonly Chip[] => {
  const subject = subjectIn(catalog, plan);
  const { measures, period, compare } = plan;
  return [
    ...measures.map((name, at): Chip => ({ kind: "measure", at, label: labelIn(subject?.measures, name) })),
    ...groupChips(plan, { catalog, words, subject }),
    ...conditionChips(plan, words.filters, subject),
    { kind: "period", label: sayPeriod(period?.label ?? "all data") },
    ...(compare === null ? [] : [{ kind: "compare", label: `vs ${sayPeriod(compare.label)}` } as const]),
  ];
};

/** A plan as chips: measures, groups, conditions and periods, then the parts that can be added. */
export const toChips = (plan: EditablePlan, catalog: Catalog | null, words: PlanWords): readonly Chip[] => [
  ...partChips(plan, { catalog, words }),
  ...addersOf(plan),
];

/** Describes an edited plan as the question of its turn, as the server has no words for it yet. */
export const describePlan = (plan: EditablePlan, catalog: Catalog | null, words: PlanWords): string => {
  const chips = partChips(plan, { catalog, words });
  const of = (...kinds: Chip["kind"][]) => chips.filter(({ kind }) => kinds.includes(kind)).map(({ label }) => label);
  const measures = of("measure").join(" and ") || subjectIn(catalog, plan)?.label || "";
  const groups = of("grain", "group").join(" and ").replaceAll("and by", "and");
  const rest = of("filter", "having", "period", "compare");
  const parts = [[measures, groups].filter(Boolean).join(" "), ...rest].join(", ");
  return parts.charAt(0).toUpperCase() + parts.slice(1);
};
