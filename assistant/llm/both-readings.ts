import { findFlag, subjectOf } from "../catalog/catalog.ts";
import { factCounted } from "../catalog/fact-counted.ts";
import { describePeriod, nameOther } from "../phrasing/dates.ts";
import { listOf } from "../phrasing/figure.ts";
import { describeFilter, groupingOf, measureLabel } from "../phrasing/scope.ts";
import { alternatives, type Filter, type Period, type Plan } from "../plan.ts";

/**
 * Lists how a model's plan differs from the rules' plan of the same question, as phrases after "the language model":
 * "left out “state is TX”", "took last week in place of last month". Empty where both mean the same.
 */
export function differences(model: Plan, rules: Plan): readonly string[] {
  if (model.subject !== rules.subject)
    return [`took ${subjectOf(model.subject).noun.many} in place of ${subjectOf(rules.subject).noun.many}`];
  const [said, wanted] = [conditionsOf(model), conditionsOf(rules)];
  return [
    ...missing(wanted, said).map((condition) => `left out “${condition}”`),
    ...missing(said, wanted).map((condition) => `added “${condition}”`),
    ...(isSame(model.period, rules.period) ? [] : [inPlaceOf(describePeriod(model), describePeriod(rules))]),
    ...compared(model, rules),
    ...otherThan(figuresOf(model), figuresOf(rules)),
    ...grouped(model, rules),
  ];
}

const inPlaceOf = (one: string, other: string): string => `took ${one} in place of ${other}`;

/** Conditions by a key that is the same for those that mean the same, with their words. */
type Conditions = ReadonlyMap<string, string>;

const missing = (wanted: Conditions, said: Conditions): readonly string[] =>
  [...wanted].filter(([key]) => !said.has(key)).map(([, words]) => words);

/** A measure that counts records of a condition has that condition. */
function conditionsOf(plan: Plan): Conditions {
  const subject = subjectOf(plan.subject);
  const counted = plan.measures.flatMap((name) => factCounted(subject, name) ?? []);
  const all = [...plan.filters, ...plan.portion, ...plan.having, ...counted];
  return new Map(all.map((filter) => [keyOf(filter, plan), describeFilter(subject, filter)]));
}

function keyOf(filter: Filter, plan: Plan): string {
  return alternatives(filter)
    .map((each) => keyOfOne(each, plan))
    .toSorted()
    .join(" or ");
}

function keyOfOne({ field, op, values }: Filter, { subject: name }: Plan): string {
  const subject = subjectOf(name);
  if (findFlag(subject, field) !== undefined) return `${field} ${(op === "is") === (values[0] === true)}`;
  const column = subject.dimensions.find((dimension) => dimension.name === field)?.column;
  const flag = subject.flags.find(({ condition }) => condition === `${column} = '${values[0]}'`);
  if (flag !== undefined && values.length === 1 && (op === "is" || op === "is_not"))
    return `${flag.name} ${op === "is"}`;
  return JSON.stringify([field, op, values.map((value) => String(value).toLowerCase()).toSorted()]);
}

/** The time between two readings, in which the end of a period "until now" moves. */
const slackMs = 60_000;

export function isSame(one: Period | null, other: Period | null): boolean {
  if (one === null || other === null) return one === other;
  return one.from === other.from && Math.abs(Date.parse(one.to) - Date.parse(other.to)) <= slackMs;
}

function compared(model: Plan, rules: Plan): readonly string[] {
  if (isSame(model.compare, rules.compare)) return [];
  if (rules.compare === null) return ["added a period to compare with"];
  const other = nameOther(rules.compare, rules.zone);
  return [
    model.compare === null ? `left out the comparison with ${other}` : `compared with another period than ${other}`,
  ];
}

/** The labels of the measures. One that counts only records of a condition stands as the count of all. */
function figuresOf(plan: Plan): readonly string[] {
  const subject = subjectOf(plan.subject);
  const names = plan.measures.map((name) => (factCounted(subject, name) === undefined ? name : subject.defaultMeasure));
  return [...new Set(names)].toSorted().map((name) => measureLabel(subject, name));
}

function otherThan(said: readonly string[], wanted: readonly string[]): readonly string[] {
  if (said.join() === wanted.join()) return [];
  const list = (labels: readonly string[]) => (labels.length === 0 ? "a list of records" : listOf(labels));
  return [inPlaceOf(list(said), list(wanted))];
}

function grouped(model: Plan, rules: Plan): readonly string[] {
  const [said, wanted] = [groupingOf(model), groupingOf(rules)];
  if ([...said].toSorted().join() === [...wanted].toSorted().join()) return [];
  const by = (labels: readonly string[]) => (labels.length === 0 ? "no grouping" : `groups by ${listOf(labels)}`);
  return [inPlaceOf(by(said), by(wanted))];
}
