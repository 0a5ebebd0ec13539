import { toLabel } from "../format.ts";
import type { CatalogSubject, Unit } from "../wire.ts";
import { sayAmount } from "./amount.ts";
import type { PlanFilter } from "./editable-plan.ts";

/** How numbers are held against others; two make "between". */
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

/** The unit of what a condition on a number is about; undefined where it is about no number. */
export const unitOf = (field: string, subject: CatalogSubject | undefined): Unit | undefined =>
  [...(subject?.quantities ?? []), ...(subject?.measures ?? [])].find(({ name }) => name === field)?.unit;

/** A condition until the server has said it in its own words. */
export const sayFilter = ({ field, op, values }: PlanFilter, subject: CatalogSubject | undefined): string => {
  const name = toLabel(field.replace(/^tag:/, "")).toLowerCase();
  if (typeof values[0] === "boolean") return values[0] === (op === "is") ? name : `not ${name}`;
  const unit = unitOf(field, subject) ?? null;
  const said = values.map((value) => (typeof value === "number" ? sayAmount(value, unit) : String(value)));
  return [name, opWords[op] ?? op, said.join(" or ")].join(" ").trim();
};
