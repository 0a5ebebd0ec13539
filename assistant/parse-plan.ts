import { isTimeZone, recurringLabels } from "./calendar.ts";
import { isBin } from "./catalog/bins.ts";
import { findDimension, findFlag, findMeasure, findQuantity, subjectOf, tagKey } from "./catalog/catalog.ts";
import type { Subject } from "./catalog/field.ts";
import { alternatives, type Filter, isRecurring, type Plan, planSchema } from "./plan.ts";
import { faultOf } from "./plan-faults.ts";

/**
 * Parses a plan from outside, such as one that a client sends back with a follow-up; null where the
 * catalog or the compiler cannot take it. A parsed plan can be compiled, run and patched.
 */
export function parsePlan(value: unknown): Plan | null {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) return null;
  const plan = parsed.data;
  const subject = subjectOf(plan.subject);
  const isKnown = plan.columns.length > 0 ? isListing(plan, subject) : isReport(plan, subject);
  return isKnown && isTimeZone(plan.zone) && isFiltered(plan, subject) && faultOf(plan) === undefined ? plan : null;
}

const areUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;

function isReport({ measures, dimensions, having, order }: Plan, subject: Subject): boolean {
  return (
    measures.length > 0 &&
    areUnique(measures) &&
    measures.every((name) => findMeasure(subject, name) !== undefined) &&
    dimensions.every((name) => findDimension(subject, name) !== undefined && isPlainText(tagKey(name) ?? "tag")) &&
    having
      .flatMap(alternatives)
      .every(({ field, op, values }) => findMeasure(subject, field) !== undefined && areNumbers(op, values)) &&
    (order === null || measures.includes(order.by))
  );
}

function isListing(plan: Plan, subject: Subject): boolean {
  const { columns, order } = plan;
  const others = [...plan.measures, ...plan.dimensions, ...plan.having];
  return (
    others.length === 0 &&
    plan.grain === null &&
    !plan.share &&
    plan.portion.length === 0 &&
    plan.running === null &&
    plan.average_per === null &&
    plan.over_groups.length === 0 &&
    plan.limit_per === null &&
    areUnique(columns) &&
    columns.every((name) => subject.listing.includes(name)) &&
    (order === null || order.by === subject.time || findQuantity(subject, order.by) !== undefined)
  );
}

const isFiltered = ({ filters, portion }: Plan, subject: Subject): boolean =>
  [...filters, ...portion].flatMap(alternatives).every((filter) => fits(filter, subject));

type Values = Filter["values"];

/** True where the values are of the field's type, so that the engine can compare them. */
function fits({ field, op, values }: Filter, subject: Subject): boolean {
  // A step is no condition: its quantity is, with more and less.
  if (isBin(field)) return false;
  const isOneOf = op === "is" || op === "is_not";
  if (findFlag(subject, field) !== undefined) return isOneOf && values.length === 1 && typeof values[0] === "boolean";
  if (op === "empty" || op === "not_empty")
    return values.length === 0 && tellsItself(field) && findDimension(subject, field) !== undefined;
  if (values.length === 0) return false;
  if (isRecurring(field) && field !== "hour_of_day")
    return isOneOf && values.every((value) => recurringLabels[field].includes(String(value)));
  if (field === "hour_of_day" || findQuantity(subject, field) !== undefined) return areNumbers(op, values);
  const isText = isOneOf || op === "contains" || op === "not_contains";
  return isText && findDimension(subject, field) !== undefined && areTexts([tagKey(field) ?? "tag", ...values]);
}

const tellsItself = (field: string): boolean => isPlainText(tagKey(field) ?? "tag") && !isRecurring(field);

/** A trillion is more than any figure, and fits the numbers of both engines. */
const largest = 1e12;

function areNumbers(op: Filter["op"], values: Values): boolean {
  if (op === "contains" || op === "not_contains") return false;
  const count = op === "is" || op === "is_not" ? values.length : 1;
  return values.length === count && values.every((value) => typeof value === "number" && Math.abs(value) <= largest);
}

const areTexts = (values: Values): boolean => values.every((value) => typeof value === "string" && isPlainText(value));

/** True for text without lone surrogates and NUL, which engines refuse. */
const isPlainText = (text: string): boolean => text !== "" && !/\0|\p{Surrogate}/u.test(text);
