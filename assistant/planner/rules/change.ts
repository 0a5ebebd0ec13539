import { type Grain, isRecurring } from "../../plan.ts";
import { previousOf, yearEarlier } from "../period/earlier.ts";
import { trendGrain } from "../period/trend-grain.ts";
import { after, before, hasRole, indexesOf, type Reading, senseAs, senses, use } from "./reading.ts";

const grainOf: Readonly<Record<string, Grain>> = { d: "day", w: "week", m: "month", q: "quarter", y: "year" };

/** "month over month", "growth by week", "how did revenue change last month", "cumulative". */
export function readRunning(reading: Reading): void {
  const { draft } = reading;
  const running = indexesOf(reading, "running");
  if (running.length > 0) {
    draft.running = "total";
    draft.grain ??= trendGrain(draft.period ?? null);
    use(reading, ...running);
  }
  const over = indexesOf(reading, "over_over");
  const [first] = over;
  if (first !== undefined) readOverOver(reading, grainOf[letterOf(reading, first)] ?? "month");
  const change = indexesOf(reading, "change").filter(
    (index) => !hasRole(reading, index - 1, "how_many") && !isNoun(reading, index),
  );
  if (change.length > 0 && first === undefined) readChange(reading);
  if (change.some((index) => isRanked(reading, index))) {
    const sentence =
      "Say which figure changed and over which time, such as “which publisher grew the most in revenue last month”.";
    draft.problems.push({ sentence, options: [] });
  }
  use(reading, ...over, ...change);
}

/** "The biggest drop in calls", "grew the most". */
const isRanked = (reading: Reading, index: number): boolean =>
  [before(reading, index), after(reading, index)].some((at) => hasRole(reading, at, "top", "bottom"));

/** "Changes" of the setup are records. */
const isNoun = ({ items, subject }: Reading, index: number): boolean =>
  subject.name === "audit_logs" && senses({ items, subject }, index).some(({ kind }) => kind === "subject");

/** "mom" and "month over month" by their first letter. */
const letterOf = ({ items }: Reading, index: number): string => items[index]?.said.slice(0, 1).toLowerCase() ?? "";

/** One whole unit is held against the one before; a longer stretch is a series of them. */
function readOverOver({ draft, zone }: Reading, grain: Grain): void {
  const { period } = draft;
  if (draft.compare !== null) return;
  const named = period === undefined || period === null ? "" : period.label;
  if (grain === "year" && period && period.from !== null) {
    draft.compare = yearEarlier(period, "period", zone);
    return;
  }
  if (period && new RegExp(`^(last|this) ${grain}$|^yesterday$|^today$`).test(named) && draft.grain === null) {
    draft.compare = previousOf(period, zone);
    return;
  }
  draft.grain ??= grain;
  draft.running = "change";
}

/** Over buckets each against the one before; of one period, that one against the period before it. */
function readChange(reading: Reading): void {
  const { draft, zone } = reading;
  if (draft.compare !== null) return;
  const isSeries = draft.grain !== null && !isRecurring(draft.grain);
  if (isSeries) draft.running = "change";
  else if (draft.period && draft.period.from !== null) draft.compare = previousOf(draft.period, zone);
  else
    draft.problems.push({
      sentence: "The change over which time? Say by which unit, such as by month, or between which two periods.",
      options: [],
    });
}

/** "as a pie chart", "line chart". */
export function readChart(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const chart = senseAs(reading, index, "chart")?.chart;
    if (chart === undefined) return;
    reading.draft.chart = chart;
    use(reading, index);
  });
}

/** "sorted by profit", "lowest first". */
export function readDirections(reading: Reading): void {
  const { draft } = reading;
  for (const index of indexesOf(reading, "descending", "ascending")) {
    const direction = hasRole(reading, index, "ascending") ? "asc" : "desc";
    draft.ofQuality ||= /best|worst/i.test(reading.items[index]?.said ?? "");
    draft.order = { by: draft.order?.by ?? null, direction };
    use(reading, index);
  }
}
