import { dimensionOf, findMeasure, tagKey } from "../../catalog/catalog.ts";
import type { Filter } from "../../plan.ts";
import { isCounted } from "./counts.ts";
import {
  addDimension,
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  isPlural,
  measureAt,
  type Reading,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";

/** "not", "excluding" and the like, before the item or before the list that it is in. */
function negation(reading: Reading, index: number): number | undefined {
  let at = before(reading, index, "of", "by", "all");
  while (hasRole(reading, at, "and", "or") && reading.used.has(before(reading, at)))
    at = before(reading, before(reading, at), "of");
  return hasRole(reading, at, "not") ? at : undefined;
}

/** The organization's names, states and closed lists: "from Texas", "campaign Acme", "excluding Acme and Best". */
export function readValues(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const found = sensesAs(reading, index, "value");
    if (found.length === 0 || countsRows(reading, index) || isNoGrouping(reading, index)) return;
    const sides = [before(reading, index), after(reading, index)].filter(
      (side) => senseAs(reading, side, "dimension") !== undefined,
    );
    if (isOtherKind(reading, index) || isCounted(reading, index)) return;
    const side = sides.find(
      (each) =>
        found.some(({ name }) => name === senseAs(reading, each, "dimension")?.name) &&
        !hasRole(reading, before(reading, each), "by"),
    );
    const field = side === undefined ? undefined : senseAs(reading, side, "dimension")?.name;
    const fitting = field === undefined ? found : found.filter(({ name }) => name === field);
    const [value, ...others] = fitting;
    if (value === undefined) return;
    if (others.length > 0) {
      ask(reading, index, fitting);
      return;
    }
    const not = negation(reading, index);
    addFilter(reading, { field: value.name, op: not === undefined ? "is" : "is_not", values: [value.value] }, index);
    if (not !== undefined) reading.used.add(not);
    use(reading, index, ...(side === undefined ? [] : [side]));
    joinLists(reading, index);
  });
  dropImplied(reading);
}

/** "Users only, no api keys": what is one thing is no other. */
function dropImplied({ draft }: Reading): void {
  const isImplied = ({ field, op, values }: Filter) =>
    op === "is_not" &&
    draft.filters.some(
      (each) => each.field === field && each.op === "is" && !each.values.some((value) => values.includes(value)),
    );
  draft.filters = draft.filters.filter((filter) => !isImplied(filter));
}

/** "Facebook and instagram calls (utm_source)": behind the noun stands what the names before it are. */
export function readNamedBehind(reading: Reading): void {
  const { items, draft } = reading;
  for (const index of items.keys()) {
    const name = senseAs(reading, index, "dimension")?.name ?? "";
    const isOfNames = draft.filters.some(({ field, op }) => field === name && (op === "is" || op === "is_not"));
    const isBehind = senses(reading, index - 1).some(({ kind }) => kind === "subject" || kind === "measure");
    if (tagKey(name) !== undefined && isOfNames && isBehind && !isPlural(items[index])) use(reading, index);
  }
}

/** "Changes by campaign": a kind of thing behind "by" is no condition, and no grouping either. */
const isNoGrouping = (reading: Reading, index: number): boolean =>
  reading.subject.name === "audit_logs" &&
  sensesAs(reading, index, "value").every(({ name }) => name === "entity_type") &&
  hasRole(reading, before(reading, index), "by");

/** "timeouts" by themselves are counted; "with timeouts", "only timeouts" says which records. */
function countsRows(reading: Reading, index: number): boolean {
  if (senseAs(reading, index, "measure") === undefined || !isPlural(reading.items[index])) return false;
  const side = before(reading, index);
  return !hasRole(reading, side, "with", "not", "of", "list") && !(reading.follows && saysOnly(reading, side));
}
const saysOnly = ({ items }: Reading, index: number): boolean =>
  /^(but only|now only|only|just|filter to|limit to|restrict to)\b/i.test(items[index]?.said ?? "");

const kinds = ["campaign", "publisher", "buyer", "target"];

/** "publisher Acme", where Acme is a buyer: one of the two words is wrong. */
function isOtherKind(reading: Reading, index: number): boolean {
  const side = before(reading, index);
  const said = senseAs(reading, side, "dimension")?.name ?? "";
  const found = sensesAs(reading, index, "value").map(({ name }) => name);
  if (!kinds.includes(said) || found.includes(said) || !found.every((name) => kinds.includes(name))) return false;
  if (isPlural(reading.items[side]) || hasRole(reading, before(reading, side), "by")) return false;
  const name = reading.items[index]?.said ?? "";
  reading.draft.problems.push({
    sentence: `"${name}" is no ${said} but a ${[...new Set(found)].join(" or a ")}. Which one do you mean?`,
    options: [...new Set(found)].map((kind) => replaced(reading, side, kind)),
  });
  use(reading, index, side);
  return true;
}

/** "Texas or Florida": the joint is explained when both sides went into one filter. */
function joinLists(reading: Reading, index: number): void {
  const joint = before(reading, index);
  const first = before(reading, joint);
  const fieldAt = (at: number) =>
    reading.items[at]?.kind === "meanings" && reading.used.has(at) ? fieldsOf(reading, at) : [];
  if (
    hasRole(reading, joint, "or", "and", "versus") &&
    fieldAt(first).some((field) => fieldsOf(reading, index).includes(field))
  )
    use(reading, joint);
}
const fieldsOf = ({ items }: Reading, index: number): readonly string[] => {
  const item = items[index];
  return item?.kind === "meanings"
    ? item.meanings.flatMap((meaning) => (meaning.kind === "value" ? [meaning.name] : []))
    : [];
};

function ask(
  reading: Reading,
  index: number,
  found: readonly { readonly name: string; readonly value: string }[],
): void {
  const said = reading.items[index]?.said ?? "";
  const several = new Set(found.map(({ name }) => name)).size > 1;
  const choices = found
    .slice(0, 4)
    .map(({ name, value }) => (several ? `${dimensionOf(reading.subject, name).words[0]} "${value}"` : `"${value}"`));
  reading.draft.problems.push({
    sentence: `"${said}" can mean ${several ? "different things" : "several names"}. Which one do you mean?`,
    options: choices.map((choice) => replaced(reading, index, choice)),
  });
  use(reading, index);
}

/** The question with one item said in other words. */
const replaced = ({ items }: Reading, index: number, words: string): string =>
  items.map((item, at) => (at === index ? words : item.said)).join(" ");

/** "missed", "not converted", "revenue of converted calls"; as a noun of its own it is left to be a measure. */
export function readFlags(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const flags = sensesAs(reading, index, "flag");
    const flag = flags[0];
    if (flag === undefined) return;
    const not = negation(reading, index);
    if (not === undefined && flag.holds && isListed(reading, index)) {
      addMeasure(reading, measureOfFlag(reading, flag.name));
      use(reading, index, after(reading, index));
      return;
    }
    if (not !== undefined && isOfGroup(reading, not, index)) {
      noneOf(reading, index, measureOfFlag(reading, flag.name));
      use(reading, not);
      return;
    }
    const isMeasure = senseAs(reading, index, "measure") !== undefined;
    const ofMeasure = hasRole(reading, before(reading, index), "of", "with") || hasRole(reading, index - 1, "of");
    const qualifies = ofMeasure && reading.draft.measures.length + earlierMeasures(reading, index) > 0;
    const only = (reading.follows && saysOnly(reading, before(reading, index))) || isOnlyBehind(reading, index);
    if (isMeasure && flag.noun && not === undefined && !qualifies && !reading.draft.listing && !only) return;
    if (bothWays(reading, index, flag.name)) return;
    addFilter(reading, { field: flag.name, op: "is", values: [flag.holds === (not === undefined)] }, index);
    use(reading, index, ...(not === undefined ? [] : [not, ...alternatives(reading, not, index)]));
  });
}

/** "Not converted or connected": neither of the two. */
const alternatives = (reading: Reading, not: number, index: number): readonly number[] =>
  reading.items.flatMap((_, at) => (at > not && at < index && hasRole(reading, at, "or") ? [at] : []));

/** "Response codes by webhook, failures only": which records, where something else is asked of them. */
const isOnlyBehind = (reading: Reading, index: number): boolean =>
  /^only$/i.test(reading.items[index + 1]?.said ?? "") &&
  reading.items
    .slice(0, index)
    .some((_, at) => senses(reading, at).some(({ kind }) => /^(subject|measure)$/.test(kind)));

/** "Publishers with no conversions", "publishers with calls but no conversions": of the group's figure, not of each row. */
function isOfGroup(reading: Reading, not: number, index: number): boolean {
  const { items } = reading;
  if (!/^(no|without|without any)$/i.test(items[not]?.said ?? "")) return false;
  if (senseAs(reading, index, "flag")?.noun !== true) return false;
  const nouns = items
    .slice(0, not)
    .flatMap((_, at) => senses(reading, at).filter(({ kind }) => kind === "dimension" || kind === "subject"));
  const ofRows = nouns.findIndex(({ kind }) => kind === "subject");
  const isJoined = hasRole(reading, before(reading, not, "with"), "but", "and");
  return nouns.length > 0 && (ofRows < 0 || (ofRows > 0 && isJoined));
}

function noneOf(reading: Reading, index: number, measure: string): void {
  addMeasure(reading, measure);
  reading.draft.having.push({ field: measure, op: "at_most", values: [0] });
  use(reading, index);
}

/** Facts of which a record has one or the other, or neither: a bid that was won, one that lost, none at all. */
const rivals: Readonly<Record<string, string>> = {
  ...{ won: "lost", lost: "won" },
  ...{ accepted: "failed", failed: "accepted" },
};

/** "matched and unmatched requests", "converted vs not converted": both counts, else grouped by which of the two. */
function bothWays(reading: Reading, index: number, name: string): boolean {
  const rival = rivals[name];
  const sides = sidesOf(reading, name);
  const [first] = sides;
  if (first === undefined || sides.every(({ holds }) => holds === first.holds)) return false;
  const measure = measureOfFlag(reading, name);
  const isRival = sides.some((side) => side.name === rival);
  const opposite = isRival ? measureOfFlag(reading, rival ?? "") : findMeasure(reading.subject, `un${measure}`)?.name;
  if (opposite === undefined) addDimension(reading, name);
  else for (const each of [measure, opposite]) addMeasure(reading, each);
  const places = new Set(sides.map(({ at }) => at));
  const isFigureElsewhere = reading.items.some((_, at) => !places.has(at) && measureAt(reading, at) !== undefined);
  if (!isFigureElsewhere && reading.draft.measures.length === 0) addMeasure(reading, reading.subject.defaultMeasure);
  const nots = sides.flatMap(({ not }) => (not === undefined ? [] : [not]));
  const joints = sides.map(({ at, not }) => before(reading, not ?? at)).filter((at) => isJoint(reading, at));
  use(reading, index, ...places, ...nots, ...joints);
  return true;
}

/** Where a fact or its opposite is named, and which of the two is meant. */
const sidesOf = (reading: Reading, name: string) =>
  reading.items.flatMap((_, at) => {
    const not = negation(reading, at);
    const flags = sensesAs(reading, at, "flag").filter((flag) => flag.name === name || flag.name === rivals[name]);
    return flags.map((flag) => ({
      at,
      not,
      name: flag.name,
      holds: (flag.holds === (not === undefined)) === (flag.name === name),
    }));
  });

const isJoint = (reading: Reading, at: number): boolean => hasRole(reading, at, "versus", "and", "or");

/** "converted and missed calls", "won vs lost bids": two counts, not one count of what is both. */
function isListed(reading: Reading, index: number): boolean {
  const joint = after(reading, index);
  const next = after(reading, joint);
  if (!hasRole(reading, joint, "and", "versus") || reading.draft.listing) return false;
  if (senseAs(reading, next, "flag")?.noun === true) return hasRole(reading, joint, "and");
  const counted = findMeasure(reading.subject, senseAs(reading, next, "measure")?.name ?? "")?.aggregate;
  return counted?.kind === "count" && counted.where !== undefined;
}
const measureOfFlag = ({ subject }: Reading, name: string): string =>
  subject.flags.find((flag) => flag.name === name)?.measure ?? subject.defaultMeasure;

const earlierMeasures = (reading: Reading, index: number): number =>
  reading.items.slice(0, index).filter((_, at) => senseAs(reading, at, "measure") !== undefined).length;

/** "on Mondays", "at weekends". */
export function readDays(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const days = senseAs(reading, index, "days");
    if (days !== undefined) {
      const not = negation(reading, index);
      addFilter(
        reading,
        { field: "day_of_week", op: not === undefined ? "is" : "is_not", values: [...days.days] },
        index,
      );
      use(reading, index, ...(not === undefined ? [] : [not]));
    }
  });
}
