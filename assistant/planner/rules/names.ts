import { findDimension, findQuantity, tagKey } from "../../catalog/catalog.ts";
import type { Filter } from "../../plan.ts";
import {
  addDimension,
  addFilter,
  after,
  before,
  hasRole,
  indexesOf,
  isPlural,
  type Reading,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";

/** "calls without a buyer", "unknown state", "keyword containing insurance", "zip 02108", "area code 212". */
export function readNames(reading: Reading): void {
  readContaining(reading);
  readEmpty(reading);
  readKnown(reading);
  for (const index of reading.items.keys()) readShaped(reading, index);
  for (const index of reading.items.keys()) readStatus(reading, index);
}

/** "That got a 401", "409s by month": the status of an answer, said without its noun. */
function readStatus(reading: Reading, index: number): void {
  const { items, used, subject } = reading;
  const item = items[index];
  const [, code = "", many] = /^([1-5]\d\d)(s?)$/i.exec(item?.said ?? "") ?? [];
  if (item?.kind !== "number" || (item.unit !== null && many === "") || code === "" || used.has(index)) return;
  if (findDimension(subject, "status_code")?.column !== "response_status_code") return;
  const verb = items[index - 1]?.said.toLowerCase() ?? "";
  const isSaid = statusVerbs.test(verb) || (/^an?$/.test(verb) && statusVerbs.test(items[index - 2]?.said ?? ""));
  const isPair = hasRole(reading, index + 1, "and", "or") && items[index + 2]?.kind === "number";
  const noun = items[index + (isPair ? 3 : 1)]?.said ?? "";
  const joint = before(reading, index);
  const field = senseAs(reading, before(reading, joint), "dimension")?.name;
  const isOther = field === "status_code" && hasRole(reading, joint, "not");
  const isBound = hasRole(reading, joint, "more_than", "less_than", "at_least", "at_most", "between", "top", "bottom");
  if (isBound || !(isSaid || isOther || many !== "" || answers.test(noun))) return;
  const not = hasRole(reading, joint, "not") ? joint : undefined;
  addFilter(reading, { field: "status_code", op: not === undefined ? "is" : "is_not", values: [Number(code)] }, index);
  if (not !== undefined) use(reading, not);
  // "Which webhooks returned a 500": the noun of the records is the group, too.
  const asked = items.findIndex((_, at) => at < index && hasRole(reading, before(reading, at), "which"));
  const group = senseAs(reading, asked, "dimension")?.name;
  if (group !== undefined && senseAs(reading, asked, "subject") !== undefined) addDimension(reading, group);
  use(
    reading,
    index,
    ...(verb === "status" ? [index - 1] : []),
    ...(answers.test(noun) ? [index + (isPair ? 3 : 1)] : []),
  );
  readMore(reading, index, "status_code");
}
/** "429 answers". */
const answers = /^(answers?|responses?|replies|reply|errors?|status|statuses|codes?)$/i;
const statusVerbs =
  /^(got|get|gets|getting|returned|returning|return|received|gave|answered|with|were|was|http|status|back|a)$/i;

function readContaining(reading: Reading): void {
  for (const index of indexesOf(reading, "contains")) {
    const field = before(reading, index, "with", "not");
    const dimension = senseAs(reading, field, "dimension")?.name;
    const text = reading.items[index + 1]?.said;
    if (dimension === undefined || text === undefined) continue;
    const not = before(reading, index);
    const isNot = hasRole(reading, not, "not");
    addFilter(reading, { field: dimension, op: isNot ? "not_contains" : "contains", values: [text] }, index);
    use(reading, index, field, index + 1, ...(isNot ? [not] : []));
  }
}

/** The noun alone after "without": a name after it is what is excluded. */
function readEmpty(reading: Reading): void {
  for (const index of indexesOf(reading, "empty", "not")) {
    const at = after(reading, index, "all");
    const dimension = sensesAs(reading, at, "dimension").find(({ name }) => canBeEmpty(reading, name))?.name;
    const isMeant =
      hasRole(reading, index, "empty") || /^(without|no|lacking)$/i.test(reading.items[index]?.said ?? "");
    if (dimension === undefined || !isMeant || names(reading, after(reading, at))) continue;
    const not = before(reading, index);
    const isNot = hasRole(reading, index, "empty") && hasRole(reading, not, "not");
    addFilter(reading, { field: dimension, op: isNot ? "not_empty" : "empty", values: [] }, index);
    use(reading, index, at, ...(isNot ? [not] : []));
  }
}
/** "Calls with a promo code": those that have one, where no name follows and nothing is counted. */
function readKnown(reading: Reading): void {
  for (const index of indexesOf(reading, "with")) {
    const at = after(reading, index, "all");
    const dimension = senseAs(reading, at, "dimension")?.name;
    const noun = before(reading, index);
    const next = reading.items[after(reading, at)];
    const isOwn = senseAs(reading, at, "measure") ?? senseAs(reading, at, "quantity") ?? senseAs(reading, at, "flag");
    if (dimension === undefined || isOwn !== undefined || isPlural(reading.items[at])) continue;
    if (senses(reading, noun).every(({ kind }) => kind !== "subject")) continue;
    const isNamed = names(reading, after(reading, at)) || next?.kind === "number" || next?.kind === "unknown";
    if (isNamed || hasRole(reading, after(reading, at), "contains", "not", "empty", "and")) continue;
    addFilter(reading, { field: dimension, op: "not_empty", values: [] }, index);
    use(reading, index, at);
  }
}

const canBeEmpty = ({ subject }: Reading, name: string): boolean => findDimension(subject, name) !== undefined;
const names = (reading: Reading, index: number): boolean => sensesAs(reading, index, "value").length > 0;

/** A value that is in no list, told by the dimension beside it: a ZIP code, a tag's number. */
function readShaped(reading: Reading, index: number): void {
  const item = reading.items[index];
  const field = before(reading, index);
  const dimension = senseAs(reading, field, "dimension")?.name;
  if (item?.kind !== "number" || reading.used.has(index) || dimension === undefined) return;
  const found = findDimension(reading.subject, dimension);
  const isQuantity = findQuantity(reading.subject, dimension) !== undefined;
  if (!isQuantity && found?.shape === undefined && tagKey(dimension) === undefined) return;
  const not = before(reading, field);
  const op: Filter["op"] = hasRole(reading, not, "not") ? "is_not" : "is";
  addFilter(reading, { field: dimension, op, values: [isQuantity ? item.value : item.said] }, index);
  use(reading, index, field, ...(op === "is_not" ? [not] : []));
  readMore(reading, index, dimension);
}

/** "status code 500 or 503". */
function readMore(reading: Reading, index: number, dimension: string): void {
  const joint = after(reading, index);
  const next = after(reading, joint);
  const item = reading.items[next];
  if (!hasRole(reading, joint, "or", "and") || item?.kind !== "number" || reading.used.has(next)) return;
  const known = reading.draft.filters.find(({ field }) => field === dimension);
  const isQuantity = findQuantity(reading.subject, dimension) !== undefined;
  addFilter(reading, { field: dimension, op: known?.op ?? "is", values: [isQuantity ? item.value : item.said] }, index);
  use(reading, joint, next);
  readMore(reading, next, dimension);
}
