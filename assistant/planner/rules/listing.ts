import { findDimension, findMeasure } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Filter } from "../../plan.ts";
import type { Role } from "../words/roles.ts";
import {
  addFilter,
  after,
  before,
  hasRole,
  indexesOf,
  isPlural,
  numberAt,
  type Reading,
  range,
  senseAs,
  sensesAs,
  use,
} from "./reading.ts";

const defaultTop = 10;
const mostListed = 100;

/** "list the last 20 calls", "the longest calls", "which calls …". */
export function readListing(reading: Reading): void {
  if (reading.follows && listsThem(reading)) return;
  for (const index of reading.items.keys()) readExtremes(reading, index);
  readDeeds(reading);
  readWhatChanged(reading);
  for (const index of indexesOf(reading, "list", "longest", "shortest", "oldest", "which")) {
    if (!reading.used.has(index)) readList(reading, index);
  }
  const shows = reading.items.findIndex(({ said }, at) => shown.test(said) && isEachAt(reading, at + 1));
  if (shows >= 0 && !reading.draft.listing && !isGrouped(reading)) readList(reading, shows);
}

/** "The 10 highest bids": so many records, where "the highest bid" is one figure. */
function readExtremes(reading: Reading, index: number): void {
  const { draft, subject, items } = reading;
  const measure = findMeasure(subject, senseAs(reading, index, "measure")?.name ?? "");
  const at = before(reading, index);
  const count = numberAt(reading, at);
  if (measure === undefined || count === undefined || !isPlural(items[index]) || isGrouped(reading)) return;
  const { aggregate } = measure;
  if (aggregate.kind !== "highest" && aggregate.kind !== "lowest") return;
  const quantity = subject.quantities.find(({ column }) => column === aggregate.column);
  if (quantity === undefined) return;
  draft.listing = true;
  draft.limit = count;
  draft.order = { by: quantity.name, direction: aggregate.kind === "highest" ? "desc" : "asc" };
  addFilter(reading, { field: quantity.name, op: "at_least", values: [0] });
  use(reading, index, at, ...indexesOf(reading, "list"));
}

/** "List them", "list the calls": the records of the answer before. */
function listsThem(reading: Reading): boolean {
  const { draft, items } = reading;
  const said = items.map((item) => item.said.toLowerCase()).join(" ");
  const shown = reading.planBefore?.measures ?? [];
  const noun = items.findIndex(
    (_, at) =>
      senseAs(reading, at, "subject") !== undefined || shown.includes(senseAs(reading, at, "measure")?.name ?? ""),
  );
  const named = noun < 0 ? "" : (items[noun]?.said.toLowerCase() ?? "");
  const rest = said.replace(/[?.!]/g, "").replace(named, "").replace(/\s+/g, " ").trim();
  if (
    !/^(please )?(list|show|list me|show me|give me|display) ?(the|them|these|those|all of them|all|me them|them all)?$/.test(
      rest,
    )
  )
    return false;
  if (named === "" && !/\b(them|these|those|all)\b/.test(rest)) return false;
  draft.listsThem = true;
  draft.limit = mostListed;
  use(reading, ...items.keys());
  return true;
}

function readList(reading: Reading, index: number): void {
  const { draft, subject } = reading;
  // "What did Ann change" counts; what changed is told above.
  if (reading.subject.name === "audit_logs" && /^what$/i.test(reading.items[index]?.said ?? "")) return;
  const each = after(reading, index);
  const isEach = isEachAt(reading, each);
  const first = after(reading, isEach ? each : index, "all", "list", "of");
  const previous = before(reading, index);
  const count = numberAt(reading, first) ?? numberAt(reading, previous);
  const isCountFirst = numberAt(reading, first) !== undefined;
  const behind = isCountFirst ? after(reading, first, "list", "longest", "shortest", "oldest") : first;
  // "What did Luis change", "which Texas calls converted": who or where stands there for itself.
  const noun = hasRole(reading, index, "which") ? behind : nounFrom(reading, behind);
  const flagged = senseAs(reading, noun, "flag") !== undefined || isDeed(reading, noun) || isKind(reading, noun);
  const counted = flagged ? undefined : countedAt(reading, noun);
  if (!senseAs(reading, noun, "subject") && !flagged && counted === undefined) {
    // "list campaigns by revenue", "list revenue by campaign": a table of groups.
    const isGroup = senseAs(reading, noun, "dimension") !== undefined;
    const isFigure = isListOf(reading, index) && isGrouped(reading) && senseAs(reading, noun, "measure") !== undefined;
    if (hasRole(reading, index, "list") && (isGroup || isFigure)) use(reading, index);
    return;
  }
  const says = (role: Role) => range(index, noun).some((at) => hasRole(reading, at, role));
  const isExtreme = says("longest") || says("shortest");
  if ((isExtreme && subject.length === null) || (hasRole(reading, index, "which") && isGrouped(reading))) return;
  draft.listing = true;
  if (counted !== undefined) addFilter(reading, counted, noun);
  for (let at = index + 1; at < noun; at++)
    if (hasRole(reading, at, "list", "all", "of", "longest", "shortest", "oldest")) use(reading, at);
  draft.limit =
    count ??
    (isEach || isPlural(reading.items[noun]) || isDeed(reading, noun) || isListOf(reading, index)
      ? isExtreme
        ? defaultTop
        : mostListed
      : 1);
  if (isExtreme) draft.order = { by: subject.length ?? "", direction: says("longest") ? "desc" : "asc" };
  if (says("oldest")) draft.order = { by: subject.time, direction: "asc" };
  use(
    reading,
    index,
    ...(isEach ? [each] : []),
    ...(count === undefined ? [] : [isCountFirst ? first : previous]),
    ...(flagged ? [] : [noun]),
  );
}

/** "Timeouts", "refused pings": what is counted, where the records are asked for. */
function countedAt(reading: Reading, noun: number): Filter | undefined {
  if (!isPlural(reading.items[noun]) || isGrouped(reading) || senseAs(reading, noun, "subject")) return undefined;
  return factCounted(reading.subject, senseAs(reading, noun, "measure")?.name ?? "");
}

/** "Timeouts", where no figure counts them: records of one kind of a closed list. */
const isKind = (reading: Reading, noun: number): boolean =>
  isPlural(reading.items[noun]) &&
  !isGrouped(reading) &&
  senseAs(reading, noun, "measure") === undefined &&
  sensesAs(reading, noun, "value").some(({ name }) => findDimension(reading.subject, name)?.values !== undefined);

/** "The 15 newest refused deliveries", "list yesterday's missed calls": what they were and when may stand before the noun. */
function nounFrom(reading: Reading, from: number): number {
  let at = from;
  while (isAttribute(reading, at)) at = after(reading, at, "and", "or");
  return isNoun(reading, at) ? at : from;
}

/** "Calls", "missed calls". */
const isNoun = (reading: Reading, at: number): boolean =>
  senseAs(reading, at, "subject") !== undefined || senseAs(reading, at, "flag")?.noun === true;

const isAttribute = (reading: Reading, at: number): boolean =>
  reading.items[at]?.kind === "period" ||
  (!isNoun(reading, at) && (senseAs(reading, at, "flag") ?? senseAs(reading, at, "value")) !== undefined);

/** "List the audit log": all that it has. */
const isListOf = ({ items }: Reading, index: number): boolean => /^list\b/i.test(items[index]?.said ?? "");

/** "What changed yesterday", "who changed what": the entries tell. */
function readWhatChanged(reading: Reading): void {
  const { draft, items, subject } = reading;
  const said = items.map((item) => item.said.toLowerCase()).join(" ");
  if (
    subject.name !== "audit_logs" ||
    !/^what(?:[’']?s| has| have| was| were)? (?:been )?chang(?:ed|ing)\b|\bwho changed what\b/.test(said)
  )
    return;
  if (items.some((_, at) => hasRole(reading, at, "by", "how_many", "top", "bottom") || senseAs(reading, at, "grain")))
    return;
  draft.listing = true;
  draft.limit = mostListed;
  for (const [at, item] of items.entries())
    if (/^(what|who|who changed|what changed|changed|changing|been changing|who changed what)$/i.test(item.said))
      use(reading, at);
}

/** "Show call 01a1…": all that is known of it. */
export function readOneCall({ draft, subject }: Reading): void {
  const isOne = draft.filters.some(({ field, op }) => field === "call" && op === "is");
  const isShaped = draft.measures.length + draft.dimensions.length > 0 || draft.grain !== null;
  if (subject.name !== "calls" || !isOne || isShaped || draft.listing) return;
  draft.listing = true;
  draft.limit = mostListed;
}

/** "List what Ann deleted", "who paused something last week and what was it, list": the entries themselves. */
function readDeeds(reading: Reading): void {
  const { draft, items, subject } = reading;
  const [list] = indexesOf(reading, "list").filter((at) => /^list\b/i.test(items[at]?.said ?? ""));
  const isChange = (at: number) =>
    /^changed$/i.test(items[at]?.said ?? "") && senseAs(reading, at, "subject") !== undefined;
  const isAsked = items.some((_, at) => senseAs(reading, at, "value")?.name === "action" || isChange(at));
  const what = items.findIndex((_, at) => hasRole(reading, at, "which"));
  const isShaped = items.some((_, at) => hasRole(reading, at, "by", "how_many") || senseAs(reading, at, "grain"));
  if (subject.name !== "audit_logs" || list === undefined || !isAsked || what < 0 || isShaped) return;
  draft.listing = true;
  draft.limit = mostListed;
  const asked = items.map((_, at) => at).filter((at) => hasRole(reading, at, "which") || isChange(at));
  use(reading, list, ...asked);
}

/** "List all deletions", "list target deletions": what was done stands for the records of it. */
const isDeed = (reading: Reading, index: number): boolean => {
  const names = [index, index + 1].map((at) => senseAs(reading, at, "value")?.name);
  return (
    reading.subject.name === "audit_logs" &&
    (names[0] === "action" || (names[0] === "entity_type" && names[1] === "action"))
  );
};

/** "List every call": all of them. */
const isEachAt = ({ items }: Reading, at: number): boolean => /^(every|each)$/i.test(items[at]?.said ?? "");

const isGrouped = (reading: Reading): boolean =>
  reading.items.some((_, at) => (senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain")) !== undefined);

const shown = /^(show|give|list|display|see|pull|get|find|view|fetch)$/i;
const wholly = /^(all|every|the|all the|all of the|all our|any)$/i;

/** "show me all failed calls from yesterday": the rows, where nothing says what to count or to group by. */
export function readShowing(reading: Reading): void {
  const { draft, items } = reading;
  const noun = items.findIndex(
    (_, at) => senseAs(reading, at, "subject") !== undefined || senseAs(reading, at, "flag")?.noun === true,
  );
  const before = items.slice(0, Math.max(0, noun)).map(({ said }) => said);
  const isOnesOwn = items[noun - 1]?.kind === "period" && /['’]s$/.test(items[noun - 1]?.said ?? "");
  const isOfFact = senseAs(reading, noun, "flag")?.noun === true;
  const isOfSome = items.slice(noun + 1).some(({ said }) => /^(that|which|who)\b/i.test(said));
  const isAsked =
    before.some((said) => shown.test(said)) &&
    (isOnesOwn || isOfSome || isOfFact || draft.filters.length > 0 || before.some((said) => wholly.test(said)));
  const isShaped = draft.listing || draft.measures.length + draft.dimensions.length > 0 || draft.grain !== null;
  const isOther = draft.order !== null || draft.share || draft.running !== null || draft.averagePer !== null;
  const isMany = isPlural(items[noun]) || /^(every|each)$/i.test(items[noun - 1]?.said ?? "");
  if (!isAsked || isShaped || isOther || !isMany || isGrouped(reading)) return;
  if (items.some((_, at) => hasRole(reading, at, "how_many", "change", "trend", "share"))) return;
  draft.listing = true;
  draft.limit = mostListed;
  const flag = senseAs(reading, noun, "flag");
  if (flag === undefined) use(reading, noun);
}
