import { after, before, hasRole, indexesOf, isPlural, numberAt, type Reading, senseAs, use } from "./reading.ts";
import type { Role } from "./roles.ts";

const defaultTop = 10;
const mostListed = 100;

/** "list the last 20 calls", "the longest calls", "which calls …". */
export function readListing(reading: Reading): void {
  for (const index of indexesOf(reading, "list", "longest", "shortest", "oldest", "which")) {
    if (!reading.used.has(index)) readList(reading, index);
  }
}

function readList(reading: Reading, index: number): void {
  const { draft, subject } = reading;
  const first = after(reading, index, "all", "list", "of");
  const previous = before(reading, index);
  const count = numberAt(reading, first) ?? numberAt(reading, previous);
  const isCountFirst = numberAt(reading, first) !== undefined;
  const noun = isCountFirst ? after(reading, first, "list", "longest", "shortest", "oldest") : first;
  const flagged = senseAs(reading, noun, "flag") !== undefined;
  if (!senseAs(reading, noun, "subject") && !flagged) {
    // "list campaigns by revenue": a table of groups.
    if (hasRole(reading, index, "list") && senseAs(reading, noun, "dimension")) use(reading, index);
    return;
  }
  const says = (role: Role) => range(index, noun).some((at) => hasRole(reading, at, role));
  const isExtreme = says("longest") || says("shortest");
  if ((isExtreme && subject.length === null) || (hasRole(reading, index, "which") && isGrouped(reading))) return;
  draft.listing = true;
  for (let at = index + 1; at < noun; at++)
    if (hasRole(reading, at, "list", "all", "of", "longest", "shortest", "oldest")) use(reading, at);
  draft.limit = count ?? (isPlural(reading.items[noun]) ? (isExtreme ? defaultTop : mostListed) : 1);
  if (isExtreme) draft.order = { by: subject.length ?? "", direction: says("longest") ? "desc" : "asc" };
  if (says("oldest")) draft.order = { by: subject.time, direction: "asc" };
  use(reading, index, ...(count === undefined ? [] : [isCountFirst ? first : previous]), ...(flagged ? [] : [noun]));
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);

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
  const isAsked = before.some((said) => shown.test(said)) && before.some((said) => wholly.test(said));
  const isShaped = draft.listing || draft.measures.length + draft.dimensions.length > 0 || draft.grain !== null;
  const isOther = draft.order !== null || draft.share || draft.running !== null || draft.averagePer !== null;
  if (!isAsked || isShaped || isOther || !isPlural(items[noun]) || isGrouped(reading)) return;
  if (items.some((_, at) => hasRole(reading, at, "how_many", "change", "trend", "share"))) return;
  draft.listing = true;
  draft.limit = mostListed;
  const flag = senseAs(reading, noun, "flag");
  if (flag === undefined) use(reading, noun);
}
