import {
  addFilter,
  addMeasure,
  before,
  hasRole,
  indexesOf,
  type Reading,
  range,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";
import { addGrain } from "./shape.ts";

/**
 * "Weekday vs weekend revenue", "revenue on weekdays and weekends", "do weekends convert better than weekdays": grouped by
 * which of the two a day is.
 */
export function readKindsOfDay(reading: Reading): void {
  const { items } = reading;
  // "On weekends or weekdays".
  const both = items.findIndex((_, at) => senseAs(reading, at, "grain")?.grain === "kind_of_day");
  if (both >= 0) useJoints(reading, both, both);
  const weekdays = items.findIndex(({ said }) => /^(week ?days?|working days?)$/i.test(said));
  const weekends = items.findIndex((_, at) => isWeekend(reading, at));
  if (weekdays < 0 || weekends < 0 || !areCompared(reading, weekdays, weekends)) return;
  addGrain(reading, "kind_of_day");
  const first = Math.min(weekdays, weekends);
  const by = indexesOf(reading, "by", "not").filter((at) => at === before(reading, first));
  use(reading, weekdays, weekends, ...by);
  useJoints(reading, weekdays, weekends);
}

const isWeekend = (reading: Reading, at: number): boolean =>
  senseAs(reading, at, "days")?.days.join() === "Saturday,Sunday";

/** "Mondays vs fridays": of those days alone, each by itself. */
export function readNamedDays(reading: Reading): void {
  const sides = reading.items.flatMap((_, at) => (senseAs(reading, at, "days")?.days.length === 1 ? [at] : []));
  const [first, second] = sides;
  const saysSo = indexesOf(reading, "versus", "side_by_side", "better").length > 0;
  if (first === undefined || second === undefined || !saysSo) return;
  addGrain(reading, "day_of_week");
  useJoints(reading, first, second);
}

/** "Morning vs evening calls", "calls in the morning": the parts that every day has. */
export function readParts(reading: Reading): void {
  const { items } = reading;
  const sides = items.flatMap((_, at) => (senseAs(reading, at, "parts") === undefined ? [] : [at]));
  const [first, second] = sides;
  if (first !== undefined && second !== undefined && areCompared(reading, first, second)) {
    addGrain(reading, "part_of_day");
    useJoints(reading, first, second);
  }
  for (const at of sides) {
    const parts = senseAs(reading, at, "parts")?.parts ?? [];
    const not = before(reading, at);
    const isNot = hasRole(reading, not, "not");
    addFilter(reading, { field: "part_of_day", op: isNot ? "is_not" : "is", values: [...parts] }, at);
    use(reading, at, ...(isNot ? [not] : []));
  }
  if (sides.length > 0 || reading.draft.grain === "part_of_day") reading.draft.notes.push(partsNote);
}

const partsNote =
  "Parts of the day have six hours each: overnight from midnight, morning from 6 am, afternoon from noon, evening from 6 pm.";

/** What says that two sides are held against one another; "and" and "or" only where they stand between them. */
function areCompared(reading: Reading, one: number, other: number): boolean {
  const [first, second] = [Math.min(one, other), Math.max(one, other)];
  const isJoined = range(first + 1, second).every(
    (at) => reading.items[at]?.kind === "stop" || hasRole(reading, at, "and", "or", "versus", "of"),
  );
  return isJoined || indexesOf(reading, "versus", "side_by_side", "better").length > 0 || isDifference(reading, first);
}

/** "The difference between …". */
const isDifference = (reading: Reading, first: number): boolean =>
  range(0, first).some((at) => /^difference( in| of)?$/i.test(reading.items[at]?.said ?? ""));

function useJoints(reading: Reading, one: number, other: number): void {
  const { items } = reading;
  const [first, second] = [Math.min(one, other), Math.max(one, other)];
  const inside = range(first + 1, second).filter((at) => hasRole(reading, at, "and", "or", "versus"));
  const isSaid = (at: number) =>
    isDifference(reading, first) && /^(difference.*|between)$/i.test(items[at]?.said ?? "");
  const outside = range(0, first).filter((at) => isSaid(at));
  use(reading, ...inside, ...outside, ...indexesOf(reading, "versus", "side_by_side", "better"));
  for (const at of items.keys()) addRate(reading, at);
}

/** "Conversion" of sides that differ in size: the rate is meant, or the count; both are shown. */
export function addRate(reading: Reading, at: number): void {
  const isCount = sensesAs(reading, at, "measure").some(({ name }) => name === "converted_calls");
  if (isCount && /^conversion$/i.test(reading.items[at]?.said ?? "")) addMeasure(reading, "conversion_rate");
}

/** "Which is better, Texas or Florida": by which figure? */
export function askBetter(reading: Reading): void {
  const { draft, items, subject } = reading;
  const better = items.findIndex((_, at) => hasRole(reading, at, "better"));
  if (better < 0 || !reading.used.has(better) || draft.measures.length > 0 || draft.problems.length > 0) return;
  const isCounted = senses(reading, better + 1).some(({ kind }) => kind === "subject");
  if (subject.name !== "calls" || isCounted || items[better]?.said.toLowerCase() === "more") return;
  const rest = items.filter(
    (_, at) => at !== better && !/^(which|who|what|is|are|do|does|,)$/i.test(items[at]?.said ?? ""),
  );
  const options = ["revenue", "profit", "calls", "conversion rate"].map(
    (figure) => `compare ${figure} of ${rest.map(({ said }) => said).join(" ")}`,
  );
  draft.problems.push({ sentence: "Better by which figure?", options });
}
