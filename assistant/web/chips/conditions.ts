import { writeFigure } from "../../phrasing/write-figure.ts";
import { toLabel } from "../format.ts";
import type { Catalog, CatalogSubject, Unit } from "../wire.ts";
import { type ConditionList, canHave, type EditablePlan, type PlanFilter } from "./edit-plan.ts";

/** The server's own limit. */
const maxAmount = 1e12;

const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
const duration = /^(\d+(?:\.\d+)?)(d|h|m|s)(?:[a-z]*)/;

/** `5m 30s`, `1h`, `90 sec` and `1:30` in seconds; undefined for anything else. */
const parseDuration = (text: string): number | undefined => {
  const [, minutes, rest] = /^(\d+):([0-5]\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return Number(minutes) * 60 + Number(rest);
  let left = text;
  let seconds = 0;
  while (left !== "") {
    const [said, count, unit] = duration.exec(left) ?? [];
    if (said === undefined) return undefined;
    seconds += Number(count) * (secondsOf[unit ?? "s"] ?? 1);
    left = left.slice(said.length);
  }
  return text === "" ? undefined : seconds;
};

/** Parses a number as an analyst types it, in its unit: `$1,250`, `25%`, `5 min 30 s`; null for any other text. */
export const parseAmount = (text: string, unit: Unit): number | null => {
  const bare = text.toLowerCase().replace(/[\s,$%]/g, "");
  const plain = Number(unit === "ms" ? bare.replace(/ms$/, "") : bare);
  const isPlain = bare !== "" && /\d/.test(bare) && Number.isFinite(plain);
  const seconds = unit === "seconds" || unit === "ms" ? parseDuration(bare) : undefined;
  const amount = isPlain ? plain : seconds === undefined ? Number.NaN : unit === "ms" ? seconds * 1_000 : seconds;
  return Math.abs(amount) <= maxAmount ? amount : null;
};

/** Formats an amount so that `parseAmount` reads the same one back. */
export const formatAmount = (amount: number, unit: Unit): string => {
  // writeFigure leaves out the seconds of an hour and more.
  if (unit === "seconds" && amount >= 0 && Number.isInteger(amount) && (amount < 3_600 || amount % 60 === 0))
    return writeFigure.seconds(amount);
  if (unit === "money") return `${amount < 0 ? "-" : ""}$${Math.abs(amount)}`;
  if (unit === "percent") return `${amount}%`;
  return unit === "ms" ? `${amount} ms` : String(amount);
};

/** An example for the text box. */
export const amountExample = (unit: Unit): string => {
  switch (unit) {
    case "money":
      return "$25";
    case "percent":
      return "25%";
    case "seconds":
      return "5 min 30 s";
    case "ms":
      return "250 ms";
    case "count":
    case null:
      return "10";
  }
};

/** Comparisons of numbers; "between" is two of them. */
export const comparators = [
  { op: "more_than", words: "over" },
  { op: "at_least", words: "at least" },
  { op: "less_than", words: "under" },
  { op: "at_most", words: "at most" },
  { op: "is", words: "exactly" },
] as const;

const opWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(comparators.map(({ op, words }) => [op, words])),
  is: "is",
  is_not: "is not",
  contains: "contains",
  not_contains: "does not contain",
  empty: "is empty",
  not_empty: "is known",
};

/** The unit of a field that is a number; undefined for other fields. */
export const unitOf = (field: string, subject: CatalogSubject | undefined): Unit | undefined =>
  [...(subject?.quantities ?? []), ...(subject?.measures ?? [])].find(({ name }) => name === field)?.unit;

/** Describes a condition that the server has not described yet. */
export const describeFilter = (filter: PlanFilter, subject: CatalogSubject | undefined): string =>
  [filter, ...(filter.or ?? [])].map((each) => describeOne(each, subject)).join(" or ");

const describeOne = ({ field, op, values }: PlanFilter, subject: CatalogSubject | undefined): string => {
  const name = toLabel(field.replace(/^tag:/, "")).toLowerCase();
  if (typeof values[0] === "boolean") return values[0] === (op === "is") ? name : `not ${name}`;
  const unit = unitOf(field, subject) ?? null;
  const said = values.map((value) => (typeof value === "number" ? formatAmount(value, unit) : String(value)));
  return [name, opWords[op] ?? op, said.join(" or ")].join(" ").trim();
};

/** A field that a condition can be on. */
export type FilterField =
  | { readonly kind: "value" | "flag"; readonly field: string }
  | { readonly kind: "number"; readonly field: string; readonly unit: Unit; readonly list: ConditionList }
  | { readonly kind: "tags" };
/** A field as it is offered for choice, under the heading `section`. */
type FieldOption = {
  readonly name: string;
  readonly label: string;
  readonly section: string;
  readonly field: FilterField;
};

/** "campaign and day": the groups that the plan has one row of figures for. */
const describeGroups = ({ dimensions, grain }: EditablePlan, subject: CatalogSubject, catalog: Catalog): string => {
  const named = [...subject.dimensions, ...catalog.grains];
  const labels = [...(grain === null ? [] : [grain]), ...dimensions].map(
    (group) => named.find(({ name }) => name === group)?.label ?? group.replace(/^tag:/, ""),
  );
  return labels.join(" and ");
};

/**
 * Every field that a plan's records, and its groups' figures, can be filtered by; one that is both a name and a number
 * is a number.
 */
export const filterFields = (plan: EditablePlan, subject: CatalogSubject, catalog: Catalog): readonly FieldOption[] => {
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
      option(`Figure of each ${describeGroups(plan, subject, catalog)}`, {
        name: `having:${name}`,
        label,
        field: { kind: "number", field: name, unit, list: "having" },
      }),
    ),
  ];
};

const option = (section: string, rest: Omit<FieldOption, "section">): FieldOption => ({ section, ...rest });
