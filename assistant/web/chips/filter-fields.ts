import type { Catalog, CatalogSubject, Unit } from "../wire.ts";
import { type ConditionList, canHave, type EditablePlan } from "./editable-plan.ts";

/** What a condition can be on. */
export type FilterField =
  | { readonly kind: "value" | "flag"; readonly field: string }
  | { readonly kind: "number"; readonly field: string; readonly unit: Unit; readonly list: ConditionList }
  | { readonly kind: "tags" };
/** A field as it is offered; `section` heads those of its kind. */
type FieldOption = {
  readonly name: string;
  readonly label: string;
  readonly section: string;
  readonly field: FilterField;
};

/** "campaign and day": what the plan has a row of figures for. */
const groupWords = ({ dimensions, grain }: EditablePlan, subject: CatalogSubject, catalog: Catalog): string => {
  const named = [...subject.dimensions, ...catalog.grains];
  const labels = [...(grain === null ? [] : [grain]), ...dimensions].map(
    (group) => named.find(({ name }) => name === group)?.label ?? group.replace(/^tag:/, ""),
  );
  return labels.join(" and ");
};

/** All that a plan's records, and its groups' figures, can be filtered by. What is a number and a name is a number. */
export const fieldsOf = (plan: EditablePlan, subject: CatalogSubject, catalog: Catalog): readonly FieldOption[] => {
  const numbers = new Set(subject.quantities.map(({ name }) => name));
  const named = subject.dimensions.filter(({ name }) => !numbers.has(name));
  const tag = { name: "tags", label: "tag", section: "Name", field: { kind: "tags" } } as const;
  return [
    ...named.map(({ name, label }) => option("Name", { name, label, field: { kind: "value", field: name } })),
    ...(subject.has_tags ? [tag] : []),
    ...subject.flags.map(({ name, label }) =>
      option("Yes or no", { name, label, field: { kind: "flag", field: name } }),
    ),
    ...subject.quantities.map(({ name, label, unit }) =>
      option("Number", { name, label, field: { kind: "number", field: name, unit, list: "filters" } }),
    ),
    ...(canHave(plan) ? subject.measures : []).map(({ name, label, unit }) =>
      option(`Figure of each ${groupWords(plan, subject, catalog)}`, {
        name: `having:${name}`,
        label,
        field: { kind: "number", field: name, unit, list: "having" },
      }),
    ),
  ];
};

const option = (section: string, rest: Omit<FieldOption, "section">): FieldOption => ({ section, ...rest });
