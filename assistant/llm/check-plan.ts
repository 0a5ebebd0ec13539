import { describeFault } from "../../ingest/fault.ts";
import { describeIssues } from "../../ingest/parse.ts";
import { findDimension, findFlag, findMeasure, findQuantity, subjectOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { parsePlan } from "../parse-plan.ts";
import { alternatives, type Filter, type Plan, planSchema } from "../plan.ts";
import { faultOf } from "../plan-faults.ts";
import type { Linking } from "../planner/link/name-index.ts";
import { knownValues } from "./known-names.ts";

type Checked = { readonly plan: Plan } | { readonly fault: string };

/** Refuses the plans that `parsePlan` refuses, with the reason, and names that the organization does not have. */
export function checkPlan(value: unknown, linking: Linking): Checked {
  const parsed = planSchema.safeParse(value, { error: describeFault });
  if (!parsed.success) return { fault: describeIssues(parsed.error) };
  const subject = subjectOf(parsed.data.subject);
  const linked = { ...parsed.data, filters: parsed.data.filters.map((filter) => spelled(filter, subject, linking)) };
  const fault = unknownName(linked, subject) ?? unknownValue(linked, subject, linking) ?? faultOf(linked);
  if (fault !== undefined) return { fault };
  const plan = parsePlan(linked);
  return plan === null ? { fault: `The plan does not fit the catalog of ${subject.name}: ${hint}` } : { plan };
}

const hint =
  "a listing has `columns` and no measures; order.by is one of the measures; values are of the field's kind (text, number, true or false).";

function unknownName(plan: Plan, subject: Subject): string | undefined {
  const isField = (name: string): boolean =>
    [findDimension, findFlag, findQuantity].some((find) => find(subject, name) !== undefined);
  const wrong =
    missing("measure", plan.measures, (name) => findMeasure(subject, name) !== undefined) ??
    missing("dimension", plan.dimensions, (name) => findDimension(subject, name) !== undefined) ??
    missing("column of the listing", plan.columns, (name) => subject.listing.includes(name)) ??
    missing(
      "dimension, flag or quantity",
      [...plan.filters, ...plan.portion].flatMap(alternatives).map(({ field }) => field),
      isField,
    ) ??
    missing(
      "measure",
      plan.having.flatMap(alternatives).map(({ field }) => field),
      (name) => findMeasure(subject, name) !== undefined,
    );
  return wrong === undefined ? undefined : `${subject.name} has no ${wrong}; use the names of its catalog.`;
}

function missing(what: string, names: readonly string[], isKnown: (name: string) => boolean): string | undefined {
  const name = names.find((each) => !isKnown(each));
  return name === undefined ? undefined : `${what} "${name}"`;
}

const isNamed = ({ field, op }: Filter, subject: Subject): boolean =>
  (op === "is" || op === "is_not") && findDimension(subject, field)?.own === true;

/** Replaces names by the organization's own spelling, regardless of the model's capitals. */
function spelled(filter: Filter, subject: Subject, linking: Linking): Filter {
  const all = filter.or && { ...filter, or: filter.or.map((each) => spelled(each, subject, linking)) };
  if (!isNamed(filter, subject)) return all ?? filter;
  const known = knownValues(linking.names, filter.field);
  const bySound = new Map(known.map((name) => [name.toLowerCase(), name]));
  return { ...filter, ...all, values: filter.values.map((value) => bySound.get(String(value).toLowerCase()) ?? value) };
}

function unknownValue({ filters }: Plan, subject: Subject, { names }: Linking): string | undefined {
  if (!names.complete) return undefined;
  for (const filter of filters.flatMap(alternatives)) {
    if (!isNamed(filter, subject)) continue;
    const known = new Set<unknown>(knownValues(names, filter.field));
    const value = filter.values.find((each) => !known.has(each));
    if (value !== undefined)
      return `There is no ${filter.field} named "${value}". Use a name that was given, or the operator contains.`;
  }
  return undefined;
}
