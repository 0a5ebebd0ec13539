import { dimensionOf, tagKey } from "../../catalog/catalog.ts";
import type { Filter } from "../../plan.ts";
import { isCounted } from "./counts.ts";
import { likeliest } from "./likeliest.ts";
import { negation } from "./negation.ts";
import {
  addDimension,
  addFilter,
  after,
  before,
  hasRole,
  isPlural,
  type Reading,
  reworded,
  saysEach,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";

/** The organization's names, states and closed lists: "from Texas", "campaign Acme", "excluding Acme and Best". */
export function readValues(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const found = sensesAs(reading, index, "value");
    if (found.length === 0 || countsRows(reading, index) || isNoGrouping(reading, index)) return;
    const isOfEach = saysEach(reading, before(reading, index));
    // "For each medicare campaign": the noun is a grouping already.
    const kindAt = (at: number) =>
      senseAs(reading, at, "dimension")?.name ?? (isOfEach ? dimensionAt(reading, at) : undefined);
    const sides = [before(reading, index), after(reading, index), relativeHead(reading, index)].filter(
      (side) => kindAt(side) !== undefined,
    );
    if (isOtherKind(reading, index) || isCounted(reading, index)) return;
    const side = sides.find(
      (each) => found.some(({ name }) => name === kindAt(each)) && !hasRole(reading, before(reading, each), "by"),
    );
    const field = side === undefined ? undefined : kindAt(side);
    const fitting =
      field === undefined ? likeliest(reading, { index, found }) : found.filter(({ name }) => name === field);
    const [value, ...others] = fitting;
    if (value === undefined) return;
    if (others.length > 0 && !isOneKind(reading, fitting) && !areAll(reading, index, side)) {
      ask(reading, index, fitting);
      return;
    }
    const not = negation(reading, index);
    addFilter(
      reading,
      { field: value.name, op: not === undefined ? "is" : "is_not", values: fitting.map((each) => each.value) },
      index,
    );
    if (not !== undefined) reading.used.add(not);
    // "Which medicare campaigns made the most": those are the groups, too.
    const isAsked =
      areAll(reading, index, side) && hasRole(reading, before(reading, index), "which", "top", "bottom", "by");
    use(reading, index, ...(side === undefined || isAsked ? [] : [side]));
    joinLists(reading, index);
  });
  dropImplied(reading);
  readDeedsEach(reading);
  readNamedBehind(reading);
}

/** A webhook that was changed is an outgoing one or an incoming one: the word takes in both. */
const isOneKind = ({ subject }: Reading, found: readonly { readonly name: string }[]): boolean =>
  subject.name === "audit_logs" && found.every(({ name }) => name === "entity_type");

/** "Pauses and resumes by actor": so many of the one, so many of the other. */
function readDeedsEach(reading: Reading): void {
  const deeds = reading.items.filter(
    (item, at) => isPlural(item) && fieldsOf(reading, at).includes("action") && item.kind === "meanings",
  );
  if (reading.subject.name === "audit_logs" && deeds.length > 1) addDimension(reading, "action");
}

/** "For events that are not call.completed": the noun that the condition hangs on. */
function relativeHead(reading: Reading, index: number): number {
  const not = before(reading, index);
  const noun = before(reading, not);
  const says = reading.items.slice(noun + 1, index).some(({ said }) => /^(that|which|who)\b/i.test(said));
  return hasRole(reading, not, "not") && says && hasRole(reading, before(reading, noun), "of") ? noun : -1;
}

/** "Both auto insurance campaigns": all that are called so. */
const areAll = (reading: Reading, index: number, side: number | undefined): boolean =>
  side !== undefined && (isPlural(reading.items[side]) || saysEach(reading, before(reading, index)));

const dimensionAt = (reading: Reading, at: number): string | undefined =>
  senses(reading, at).find((each) => each.kind === "dimension")?.name;

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
function readNamedBehind(reading: Reading): void {
  const { items, draft } = reading;
  for (const index of items.keys()) {
    const name = senseAs(reading, index, "dimension")?.name ?? "";
    const isOfNames = draft.filters.some(({ field, op }) => field === name && (op === "is" || op === "is_not"));
    const isBehind = senses(reading, index - 1).some(({ kind }) => kind === "subject" || kind === "measure");
    const closes = index === items.length - 1 && !hasRole(reading, before(reading, index), "by", "and", "with", "of");
    if (tagKey(name) !== undefined && isOfNames && (isBehind || closes) && !isPlural(items[index])) use(reading, index);
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
  return !hasRole(reading, side, "with", "not", "of", "list");
}

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
    options: [...new Set(found)].map((kind) => reworded(reading, side, kind)),
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
    options: choices.map((choice) => reworded(reading, index, choice)),
  });
  use(reading, index);
}
