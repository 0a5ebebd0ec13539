import { findFlag, findMeasure } from "../../catalog/catalog.ts";
import { defaultTop } from "./draft.ts";
import { rankRows, startListing } from "./rank-rows.ts";
import {
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  isPlural,
  measureAt,
  numberAt,
  type Reading,
  senseAs,
  senses,
  use,
} from "./reading.ts";
import { addGroup, groupAt } from "./shape.ts";

const quality = /^(best|worst|poorest|weakest|top performing)\b/i;

/** "top 5 publishers", "worst campaign by profit", "the most calls", "top 10 calls by revenue". */
export function readRanking(reading: Reading): void {
  for (const index of indexesOf(reading, "top", "bottom", "busiest")) {
    if (readBothEnds(reading, index) || readHowMany(reading, index)) continue;
    reading.draft.ofQuality ||= quality.test(reading.items[index]?.said ?? "");
    const direction = hasRole(reading, index, "bottom") ? "asc" : "desc";
    const first = after(reading, index, "of");
    const previous = before(reading, index);
    const count = numberAt(reading, first) ?? numberAt(reading, previous);
    const noun = pastNames(reading, numberAt(reading, first) === undefined ? first : after(reading, first));
    if (count !== undefined) use(reading, numberAt(reading, first) === undefined ? previous : first);
    use(reading, index);
    if (hasRole(reading, index, "busiest")) reading.draft.order = { by: busyBy(reading, noun), direction };
    if (senseAs(reading, noun, "subject") && count !== undefined) startListing(reading, { noun, count, direction });
    else if (senseAs(reading, noun, "dimension") || senseAs(reading, noun, "grain")) {
      reading.draft.limit = count ?? (isPlural(reading.items[noun]) ? defaultTop : 1);
      reading.draft.order = { by: reading.draft.order?.by ?? null, direction };
      reading.draft.ranked = groupAt(reading, noun) ?? null;
      addGroup(reading, noun);
    } else rankByMeasure(reading, { index, noun, count, direction });
  }
}

/** "Worst abandon rate by publisher, top 5": so many of the worst, and not the other end. */
function readHowMany(reading: Reading, index: number): boolean {
  const { draft, items } = reading;
  const number = after(reading, index, "of");
  const count = numberAt(reading, number);
  const isPlainTop = hasRole(reading, index, "top") && !quality.test(items[index]?.said ?? "");
  const isAlone = senses(reading, after(reading, number)).every(({ kind }) => kind === "role");
  if (!draft.ofQuality || draft.order === null || !isPlainTop || count === undefined || !isAlone) return false;
  draft.limit = count;
  use(reading, index, number);
  return true;
}

/** "The most Medicare calls": of which records stands before the noun that is ranked by. */
function pastNames(reading: Reading, from: number): number {
  let at = from;
  while (senseAs(reading, at, "value") !== undefined && measureAt(reading, at) === undefined) at = after(reading, at);
  return at > from && measureAt(reading, at) !== undefined && senseAs(reading, at, "dimension") === undefined
    ? at
    : from;
}

/** "Highest and lowest bid": two figures where the catalog has both; else nothing is ranked both ways at once. */
function readBothEnds(reading: Reading, index: number): boolean {
  const other = reading.items[index + 2];
  const isEnd =
    hasRole(reading, index + 2, "top", "bottom") || /^(highest|lowest|longest|shortest)\b/i.test(other?.said ?? "");
  if (!hasRole(reading, index + 1, "and", "or", "versus") || !isEnd) return false;
  const [, end, figure] = /^(highest|lowest)_(\w+)$/.exec(senseAs(reading, index + 2, "measure")?.name ?? "") ?? [];
  const opposite = findMeasure(reading.subject, `${end === "highest" ? "lowest" : "highest"}_${figure}`)?.name;
  use(reading, index, index + 1);
  if (opposite !== undefined && figure !== undefined) addMeasure(reading, opposite);
  else
    reading.draft.problems.push({
      sentence: "I rank one way at a time: ask for the one end, then for the other.",
      options: [],
    });
  return true;
}

/** Busy is what has the most calls, unless another figure stands behind: "the peak day for revenue". */
function busyBy(reading: Reading, noun: number): string {
  const joint = noun + 1;
  const figure = /^(for|in|of|by)$/i.test(reading.items[joint]?.said ?? "") ? measureAt(reading, joint + 1) : undefined;
  return figure ?? reading.subject.defaultMeasure;
}

/** "the most calls", "the lowest conversion rate": the measure to rank by; one answer if one was asked for. */
function rankByMeasure(
  reading: Reading,
  {
    index,
    noun,
    count,
    direction,
  }: { index: number; noun: number; count: number | undefined; direction: "asc" | "desc" },
): void {
  const { draft } = reading;
  const measure = measureAt(reading, noun);
  if (rankRows(reading, { noun, count, direction })) return;
  const said = measure ?? figureBefore(reading, index);
  if (measure === undefined && said !== undefined) addMeasure(reading, said);
  draft.order = { by: said ?? draft.order?.by ?? null, direction };
  draft.limit = count ?? draft.limit;
  // Of calls it is asked back by what; of other records it is how many there are.
  if (draft.order.by === null && reading.subject.name === "calls") return;
  if (measure !== undefined) {
    addMeasure(reading, measure);
    use(reading, noun);
  }
  const asked = reading.items.findIndex((_, at) => senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain"));
  if (asked < 0) return;
  draft.ranked = groupAt(reading, asked) ?? null;
  const counted = numberAt(reading, asked - 1);
  if (counted !== undefined) use(reading, asked - 1);
  draft.limit ??= counted ?? null;
  draft.limit ??= isPlural(reading.items[asked]) && !/^who\b/i.test(reading.items[asked]?.said ?? "") ? defaultTop : 1;
  // "Which webhook": the noun of the records is the group, too.
  if (hasRole(reading, before(reading, asked), "which") && senseAs(reading, asked, "subject")) addGroup(reading, asked);
}

/** "Cost us the most", "fails most often": the figure stands before; of the setup's changes only one is counted. */
function figureBefore(reading: Reading, index: number): string | undefined {
  const at = before(reading, index);
  const flag = senseAs(reading, at, "flag")?.name ?? "";
  const measure = senseAs(reading, at, "measure")?.name;
  if (measure !== undefined) {
    use(reading, at);
    return measure;
  }
  const counted = findFlag(reading.subject, flag)?.measure;
  // "Which publisher pings us the most".
  const verb = reading.subject.name !== "calls" && senseAs(reading, at, "subject") !== undefined;
  if (counted !== undefined || verb) use(reading, at);
  if (verb) return reading.subject.defaultMeasure;
  return counted ?? (reading.subject.name === "audit_logs" ? reading.subject.defaultMeasure : undefined);
}
