import { findDimension } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Filter } from "../../plan.ts";
import type { Role } from "../words/roles.ts";
import { defaultTop, mostListed } from "./draft.ts";
import { readExtremes } from "./extremes.ts";
import { isDeed, readDeeds, readWhatChanged } from "./listed-changes.ts";
import {
  addFilter,
  after,
  before,
  hasRole,
  indexesOf,
  isGrouped,
  isPlural,
  numberAt,
  type Reading,
  range,
  senseAs,
  sensesAs,
  use,
} from "./reading.ts";
import { shown } from "./showing.ts";

/** "list the last 20 calls", "the longest calls", "which calls …". */
export function readListing(reading: Reading): void {
  for (const index of reading.items.keys()) readExtremes(reading, index);
  readDeeds(reading);
  readWhatChanged(reading);
  for (const index of indexesOf(reading, "list", "longest", "shortest", "oldest", "which")) {
    if (!reading.used.has(index)) readList(reading, index);
  }
  const shows = reading.items.findIndex(({ said }, at) => shown.test(said) && isEachAt(reading, at + 1));
  if (shows >= 0 && !reading.draft.listing && !isGrouped(reading)) readList(reading, shows);
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

/** "Show call 01a1…": all that is known of it. */
export function readOneCall({ draft, subject }: Reading): void {
  const isOne = draft.filters.some(({ field, op }) => field === "call" && op === "is");
  const isShaped = draft.measures.length + draft.dimensions.length > 0 || draft.grain !== null;
  if (subject.name !== "calls" || !isOne || isShaped || draft.listing) return;
  draft.listing = true;
  draft.limit = mostListed;
}

/** "List every call": all of them. */
const isEachAt = ({ items }: Reading, at: number): boolean => /^(every|each)$/i.test(items[at]?.said ?? "");
