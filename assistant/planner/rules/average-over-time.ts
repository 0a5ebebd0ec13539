import { measureOf } from "../../catalog/catalog.ts";
import type { Measure } from "../../catalog/field.ts";
import { isRecurring, type RunningGrain } from "../../plan.ts";
import { addMeasure, after, hasRole, indexesOf, measureAt, type Reading, range, senseAs, use } from "./reading.ts";

/** A total, which time can divide; a rate or a mean is an average already. */
export const addsUp = ({ aggregate: { kind } }: Measure): boolean => kind === "count" || kind === "sum";

/** "average daily calls", "average calls per day", "average calls by weekday": a total divided by units of time. */
export function readAverageOverTime(reading: Reading, index: number, target: number): boolean {
  const { draft } = reading;
  const adjective = senseAs(reading, target, "grain")?.grain;
  const at = adjective === undefined ? after(reading, index, "of", "all", "how_many", "and") : after(reading, target);
  const measure = measureAt(reading, at);
  if (adjective !== undefined && !isRecurring(adjective) && measure !== undefined) {
    draft.averagePer = adjective;
    addMeasure(reading, measure);
    use(reading, index, target, at, ...indexesOf(reading, "how_many").filter((each) => each > index && each < at));
    return true;
  }
  if (measure !== undefined && !addsUp(measureOf(reading.subject, measure))) return false;
  const unit = unitAfter(reading, measure === undefined ? index - 1 : at);
  if (unit === undefined || (measure === undefined && unit.index > index)) return false;
  draft.averagePer = unit.unit;
  use(reading, index, ...unit.used);
  if (measure !== undefined) addMeasure(reading, measure);
  if (measure !== undefined)
    use(reading, at, ...range(index + 1, at).filter((each) => hasRole(reading, each, "how_many", "of")));
  return true;
}

export interface Unit {
  readonly index: number;
  readonly unit: RunningGrain;
  readonly used: readonly number[];
}

/** "per day", "a day", "each week": the unit; "by weekday", "by hour of day": by days, and the grouping stays. */
function unitAfter(reading: Reading, from: number): Unit | undefined {
  for (let at = Math.max(0, from); at < reading.items.length; at++) {
    const grain = senseAs(reading, at, "grain")?.grain;
    if (grain === undefined) continue;
    const joint = at - 1;
    if (isRecurring(grain)) return hasRole(reading, joint, "by") ? { index: at, unit: "day", used: [] } : undefined;
    const said = reading.items[joint]?.said.toLowerCase() ?? "";
    if (/^(per|each|every|a|an|in each|for each|for every|\/)$/.test(said))
      return { index: at, unit: grain, used: [joint, at] };
  }
  return undefined;
}

/** What an average of a single call is an average of. */
const totalOf: Readonly<Record<string, string>> = {
  rpc: "revenue",
  payout_per_call: "payout",
  profit_per_call: "profit",
};

/** "average revenue per day" is no revenue per call: the days say so. */
export function readAverageOfTotal(reading: Reading, index: number): void {
  const said = reading.items[index]?.said ?? "";
  const total = totalOf[senseAs(reading, index, "measure")?.name ?? ""];
  if (total === undefined || !/^(average|avg|mean) \w+$/i.test(said)) return;
  const unit = unitAfter(reading, index);
  if (unit === undefined || unit.used.length === 0 || after(reading, index, "by") !== unit.index) return;
  reading.draft.averagePer = unit.unit;
  addMeasure(reading, total);
  use(reading, index, ...unit.used);
}
