import { catalog, findDimension, findFlag, findQuantity, measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { states } from "../catalog/states.ts";
import { ordinal } from "../catalog/statistics.ts";
import { phrasesOf } from "../catalog/wording.ts";
import { alternatives, type Filter, isRecurring, type Plan } from "../plan.ts";
import { listOf } from "./figure.ts";
import { fewOf } from "./over-groups.ts";
import { labelOf } from "./scope.ts";

/** A plan as a question, in words that the planner reads: "calls by state last month, only converted". */
export function toQuestion(plan: Plan): string {
  const subject = subjectOf(plan.subject);
  const conditions = plan.filters.map((filter) => conditionOf(subject, filter));
  const parts = [
    what(plan, subject),
    ...conditions,
    ...groups(plan, subject),
    ...(isOfSome(plan, subject) ? ["as a percentage of total"] : []),
    ...plan.having.map((filter) => limitOf(subject, filter)),
    ...(plan.period === null ? [] : [plan.period.label]),
    ...(plan.compare === null || (plan.order?.of === "difference" && !plan.order.only)
      ? []
      : [`vs ${plan.compare.label.replace(/, same part$/, "")}`]),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function what(plan: Plan, subject: Subject): string {
  const { measures, share, portion, running, average_per: per, columns, limit, order, grain } = plan;
  const { many } = subject.noun;
  if (columns.length > 0)
    return order === null ? `list the last ${limit} ${many}` : `the ${limit} ${lengths[order.direction]} ${many}`;
  const figures = listOf(measures.map((name) => figureOf(subject, name)));
  if (portion.length > 0)
    return `percentage of ${figures} ${portion.map((filter) => conditionOf(subject, filter)).join(" ")}`;
  if (order?.only)
    return `${plural(labelOf(subject, plan.dimensions[0] ?? grain ?? ""))} with ${order.direction === "desc" ? "rising" : "falling"} ${figures}`;
  if (order?.of === "difference") return `biggest ${order.direction === "desc" ? "increase" : "drop"} in ${figures}`;
  if (plan.over_groups.includes("share")) return `share of ${figures} from ${fewOf(plan)}`;
  if (share) return isOfSome(plan, subject) ? figures : `share of ${figures}`;
  if (running === "average") return `${plan.running_over} ${grain} moving average of ${figures}`;
  if (running !== null) return running === "total" ? `running total of ${figures}` : `change in ${figures}`;
  if (per !== null) return `average ${figures} per ${per}`;
  if (limit === null || order === null) return order === null ? figures : `${figures}${sorted(plan)}`;
  const name = rankedName(plan);
  const ranked = labelOf(subject, name ?? grain ?? "");
  const end = order.direction === "desc" ? "top" : "bottom";
  const by = listOf([order.by, ...measures.filter((each) => each !== order.by)].map((each) => figureOf(subject, each)));
  const place = order.skip === undefined ? "" : `${ordinal(order.skip + 1)} `;
  return `${place}${end} ${limit === 1 ? ranked : `${limit} ${plural(ranked)}`} by ${by}`;
}

/** "With more than $500 of revenue": of each group. */
function limitOf(subject: Subject, filter: Filter): string {
  const all = alternatives(filter).map(({ field, op, values: [value] }) => {
    const { unit } = measureOf(subject, field);
    const figure = field === subject.defaultMeasure ? figureOf(subject, field) : `of ${figureOf(subject, field)}`;
    return `${opWords[op]} ${unit === "money" ? "$" : ""}${value} ${figure}`;
  });
  return `with ${all.join(" or ")}`;
}

/** "Share of calls from Texas" would be what comes from there, not what each group has of it. */
const isOfSome = ({ share, filters, measures: [name] }: Plan, { defaultMeasure }: Subject): boolean =>
  share && filters.length > 0 && name === defaultMeasure;

const lengths = { desc: "longest", asc: "shortest" } as const;
const sorted = ({ order }: Plan): string => (order?.direction === "asc" ? " lowest first" : " highest first");
const plural = (label: string): string =>
  label.endsWith("s") ? label : /[^aeiou]y$/.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`;
const rankedName = ({ dimensions, limit_per }: Plan): string | undefined =>
  dimensions.find((name) => name !== limit_per);

function groups(plan: Plan, subject: Subject): readonly string[] {
  const { dimensions, grain, limit, limit_per: within, columns } = plan;
  if (columns.length > 0 || plan.order?.only) return [];
  const isRanked = limit !== null && plan.order !== null && plan.order.of === undefined;
  const all = [...dimensions, ...(grain === null ? [] : [grain])];
  const others = isRanked ? all.filter((name) => name !== (rankedName(plan) ?? grain)) : all;
  const labels = others.map((name) => labelOf(subject, name));
  if (labels.length === 0) return [];
  return [`${within === null ? "by" : "for each"} ${labels.join(" and ")}`];
}

/** Says a figure, with its kind of records where other kinds have a figure of the same name. */
function figureOf(subject: Subject, name: string): string {
  if (name === subject.defaultMeasure) return subject.noun.many;
  const { unit, words, aggregate } = measureOf(subject, name);
  const said = unit === "count" && aggregate.kind === "count" ? plural(words[0]) : words[0];
  const isOfOthers = catalog.some(
    (other) => other !== subject && other.measures.some((each) => each.words.includes(words[0])),
  );
  return isOfOthers && subject.name !== "calls" ? `${said} of ${subject.noun.many}` : said;
}

const opWords = {
  is: "",
  is_not: "",
  contains: "containing",
  not_contains: "not containing",
  empty: "without",
  not_empty: "with",
  more_than: "more than",
  at_least: "at least",
  less_than: "less than",
  at_most: "at most",
} as const;

const conditionOf = (subject: Subject, filter: Filter): string =>
  alternatives(filter)
    .map((each) => (filter.or === undefined ? oneOf(subject, each) : oneOf(subject, each).replace(/^only /, "")))
    .join(" or ");

function oneOf(subject: Subject, { field, op, values }: Filter): string {
  const flag = findFlag(subject, field);
  if (flag !== undefined)
    return (op === "is") === (values[0] === true) ? `only ${flag.words[0]}` : `not ${flag.words[0]}`;
  const label = labelOf(subject, field);
  if (op === "empty" || op === "not_empty") return `${opWords[op]} ${label}`;
  const quantity = findQuantity(subject, field);
  if (quantity !== undefined) {
    const unit = quantity.unit === "seconds" ? " seconds" : "";
    if (field === subject.length && unit !== "" && values.length === 1 && opWords[op] !== "")
      return `${opWords[op]} ${values[0]}${unit}`;
    return `with ${label} ${opWords[op]} ${values.map((value) => `${value}${unit}`).join(" or ")}`.replace("  ", " ");
  }
  if (field === "hour_of_day" && op === "is")
    return `between ${values[0]}:00 and ${(Number(values.at(-1)) + 1) % 24}:00`;
  if (field === "hour_of_day") return op === "less_than" ? `before ${values[0]}:00` : `after ${values[0]}:00`;
  if (op === "contains" || op === "not_contains") return `${label} ${opWords[op]} "${values[0]}"`;
  if (isRecurring(field))
    return `${op === "is_not" ? "excluding" : "on"} ${listOf(values.map((value) => dayOf(String(value))))}`;
  const named = values.map((value) => nameOf(subject, field, String(value))).join(op === "is_not" ? " and " : " or ");
  return `${op === "is_not" ? "excluding" : "for"} ${named}`;
}

const dayOf = (value: string): string => (value.endsWith("day") ? `${value}s` : value);

/** Values of closed lists are words, the organization's own names are quoted. */
function nameOf(subject: Subject, field: string, value: string): string {
  const dimension = findDimension(subject, field);
  const known = dimension?.values?.find((each) => each.value === value)?.words[0];
  if (known !== undefined) return phrasesOf(known)[0] ?? known;
  const state = field === "state" ? states.find(({ code }) => code === value) : undefined;
  if (state !== undefined) return state.name;
  const name = dimension?.shape === undefined ? `"${value}"` : value;
  return `${labelOf(subject, field)} ${name}`;
}
