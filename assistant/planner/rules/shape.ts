import { findMeasure, grainWords } from "../../catalog/catalog.ts";
import { type Grain, isRecurring } from "../../plan.ts";
import { isPer } from "./ratios.ts";
import {
  addDimension,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  isPlural,
  measureAt,
  type Reading,
  senseAs,
  senses,
  use,
} from "./reading.ts";

export const groupAt = (reading: Reading, index: number): string | undefined =>
  senseAs(reading, index, "dimension")?.name ?? senseAs(reading, index, "grain")?.grain;

/** A dimension or a grain to group by; true if the item was one. */
export function addGroup(reading: Reading, index: number): boolean {
  const dimension = senseAs(reading, index, "dimension");
  const grain = senseAs(reading, index, "grain");
  if (dimension === undefined && grain === undefined) return false;
  if (dimension !== undefined) addDimension(reading, dimension.name);
  else if (grain !== undefined) addGrain(reading, grain.grain);
  use(reading, index);
  return true;
}

/** Two units of time cross where one recurs: "by hour of day and day of week", "by month and weekday". */
export function addGrain(reading: Reading, grain: Grain): void {
  const { draft } = reading;
  const known = draft.grain;
  if (known === null || known === grain) {
    draft.grain = grain;
    return;
  }
  crossGrains(reading, known, grain);
}

/** Groups by both units of time, or says that they do not cross. */
export function crossGrains(reading: Reading, known: Grain, grain: Grain): void {
  const { draft } = reading;
  const crossed = crossing(known, grain) ?? crossing(grain, known);
  if (crossed === undefined) {
    const said = `${grainWords[known]} and ${grainWords[grain]}`;
    draft.problems.push({ sentence: `I can group by one unit of time at a time, not by ${said}.`, options: [] });
    return;
  }
  if (crossed.main !== known && crossed.main !== grain) draft.notes.push("I read hour as hour of day.");
  draft.grain = crossed.main;
  addDimension(reading, crossed.across);
}

/** The unit that runs on, or the hour, along one side and the one that recurs in it across; undefined: they do not cross. */
export function crossing(main: Grain, across: Grain): { readonly main: Grain; readonly across: Grain } | undefined {
  if (across === "hour_of_day") return isRecurring(main) || main === "hour" ? undefined : { main, across };
  if (across === "part_of_day") return main === "hour" || main === "hour_of_day" ? undefined : { main, across };
  const isOfDays = across === "day_of_week" || across === "kind_of_day";
  if (!isOfDays || ["day", "day_of_week", "kind_of_day"].includes(main)) return undefined;
  // Of one hour there is only one weekday.
  return { main: main === "hour" ? "hour_of_day" : main, across };
}

/** "by campaign and day", "per publisher", "each week"; "by profit" says what to rank by. */
export function readGroups(reading: Reading): void {
  for (const index of indexesOf(reading, "by", "sort")) {
    let at = after(reading, index, "all", "by", "distinct", "top", "how_many");
    const measure = senseAs(reading, at, "dimension") ? undefined : measureAt(reading, at);
    // "Every change to Acme": a change is no figure to rank by.
    if (reading.subject.name === "audit_logs" && /^(every|each)$/i.test(reading.items[index]?.said ?? "")) {
      if (senseAs(reading, at, "subject") !== undefined) continue;
    }
    if (measure !== undefined && isPer(reading.items[index])) {
      const said = reading.items[at]?.said ?? "";
      reading.draft.problems.push({ sentence: `I did not understand what to divide by ${said}.`, options: [] });
      continue;
    }
    if (measure !== undefined) {
      addMeasure(reading, measure);
      reading.draft.order = { by: measure, direction: reading.draft.order?.direction ?? "desc" };
      use(reading, index, at);
      continue;
    }
    // "For each SIP target": which ones stands before what they are.
    if (groupBehindBy(reading, at) === undefined && senseAs(reading, at, "value") !== undefined) {
      const behind = after(reading, at);
      if (senseAs(reading, behind, "dimension") !== undefined) at = behind;
    }
    const isEach = /each|every|per|within/i.test(reading.items[index]?.said ?? "");
    while (groupBehindBy(reading, at) !== undefined) {
      const group = groupBehindBy(reading, at) ?? "";
      if (isEach) reading.draft.each.add(group);
      if (!addGroup(reading, at)) addDimension(reading, group);
      use(reading, index, at);
      const joint = after(reading, at);
      const next = after(reading, joint, "by", "and");
      if (!hasRole(reading, joint, "and", "by") || groupBehindBy(reading, next) === undefined) break;
      use(reading, joint);
      at = next;
    }
  }
}

/** A dimension, a unit of time, or a fact ("calls by converted"), which groups into yes and no; "by converted calls" does not. */
function groupBehindBy(reading: Reading, at: number): string | undefined {
  const group = groupAt(reading, at);
  const flag = senseAs(reading, at, "flag");
  if (group !== undefined || flag === undefined || measureAt(reading, at) !== undefined) return group;
  const isOfNoun = measureAt(reading, after(reading, at)) !== undefined;
  // "By converted vs not converted" names both sides.
  const isOneOfTwo = reading.items.some(
    (_, other) => other !== at && senseAs(reading, other, "flag")?.name === flag.name,
  );
  return isOfNoun || isOneOfTwo ? undefined : flag.name;
}

/** "Which actors deleted something": who they are, not how many. */
export function readWhichOnes(reading: Reading): void {
  for (const index of indexesOf(reading, "which")) {
    const at = after(reading, index);
    const measure = findMeasure(reading.subject, senseAs(reading, at, "measure")?.name ?? "");
    if (!/^which\b/i.test(reading.items[index]?.said ?? "") || measure?.aggregate.kind !== "distinct") continue;
    if (senseAs(reading, at, "dimension") !== undefined) addGroup(reading, at);
  }
}

/** What is left of groups: "campaign revenue", "daily calls", "which publishers". */
export function readBareGroups(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const isVerb = /^(answered|responded) with$/i.test(reading.items[index]?.said ?? "");
    const isNoGroup =
      senseAs(reading, index, "subject") !== undefined ||
      isParty(reading, index) ||
      isIdle(reading, index) ||
      isOfState(reading, index);
    if (isNoGroup || isVerb) use(reading, index);
    else if (standsAsGroup(reading, index)) addGroup(reading, index);
  });
}

/** "Pings for Texas callers": who they are is said by the state. */
const isOfState = (reading: Reading, index: number): boolean =>
  /^callers?$/i.test(reading.items[index]?.said ?? "") && isBeforeState(reading, index);

const isBeforeState = (reading: Reading, index: number): boolean =>
  senses(reading, index - 1).some((each) => each.kind === "value" && each.name === "state") &&
  !hasRole(reading, before(reading, index - 1), "by", "which", "top", "bottom");

/** "What did we pay to publishers", "revenue from our buyers": who pays and who is paid is no grouping. */
function isParty(reading: Reading, index: number): boolean {
  const side = reading.items[before(reading, index, "all")]?.said.toLowerCase();
  const joint = reading.items[index - 1]?.said.toLowerCase() ?? "";
  if (/^to the$/i.test(`${reading.items[index - 2]?.said} ${joint}`)) return true;
  const isPlain = /^(to|from)$/.test(joint) || /^(to|from)$/.test(reading.items[index - 2]?.said.toLowerCase() ?? "");
  const name = senseAs(reading, index, "dimension")?.name ?? "";
  return isPlain && isPlural(reading.items[index]) && ["publisher", "buyer", "target"].includes(name) && side !== "by";
}

/** "On which weekdays do people pause campaigns": somebody must have done it. */
function isIdle(reading: Reading, index: number): boolean {
  const isPeople = /^(people|users?)$/i.test(reading.items[index]?.said ?? "");
  const isDoing = /^(do|does|did)$/i.test(reading.items[index - 1]?.said ?? "");
  return isPeople && isDoing && senseAs(reading, index, "dimension")?.name === "actor";
}

/** "Campaign revenue", "publishers with …", "which buyer": a lone noun elsewhere may be a verb ("attempt") or a mistake. */
function standsAsGroup(reading: Reading, index: number): boolean {
  const { items, used } = reading;
  const joint = items[index - 1]?.said.toLowerCase() ?? "";
  // "Calls that have a source": one of them is no grouping; nor is the date of "to date".
  if (senseAs(reading, index, "dimension") !== undefined && /^an?$/.test(joint)) return false;
  if (/^date$/i.test(items[index]?.said ?? "") && joint === "to") return false;
  if (senseAs(reading, index, "grain") !== undefined || isPlural(items[index])) return true;
  const [left, right] = [before(reading, index), after(reading, index)];
  const isFigure = (at: number) =>
    senses(reading, at).some(({ kind }) => kind === "measure" || kind === "subject" || kind === "statistic");
  const isJoined = hasRole(
    reading,
    left,
    "which",
    "all",
    "and",
    "top",
    "bottom",
    "by",
    "versus",
    "share",
    "list",
    "follow",
    "distinct",
    "longest",
  );
  const isLast = items.every(
    (_, at) => at <= index || used.has(at) || items[at]?.kind === "period" || items[at]?.kind === "stop",
  );
  return isFigure(right) || isFigure(left) || isJoined || left < 0 || hasRole(reading, right, "and", "with") || isLast;
}
