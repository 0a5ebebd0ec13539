import { addUnits, dayMs, startOf, toInstant, toLocal } from "../../calendar.ts";
import { capital } from "../../phrasing/figure.ts";
import type { Grain, Period, RunningGrain } from "../../plan.ts";
import { before, hasRole, indexesOf, type Reading, use } from "./reading.ts";

/** The period, and the one to compare it with. */
export function readPeriods(reading: Reading): void {
  const { draft, items } = reading;
  const found = items.flatMap((item, index) =>
    item.kind === "period" && !reading.used.has(index) ? [{ index, period: item.period }] : [],
  );
  const [first, second, third] = found;
  const versus = indexesOf(reading, "versus");
  const previous = indexesOf(reading, "previous_period");
  use(reading, ...found.map(({ index }) => index));
  const [back, otherBack] = previous;
  if (first === undefined && back !== undefined && otherBack === undefined && goesBack(reading, back)) {
    use(reading, back);
    return;
  }
  if (first === undefined) {
    draft.againstPrevious = previous.length > 0;
    use(reading, ...previous, ...(previous.length > 0 ? versus : []));
    return;
  }
  if (
    reading.follows &&
    second === undefined &&
    versus.length > 0 &&
    previous.length === 0 &&
    first.period !== null &&
    isAlone(reading)
  ) {
    draft.compareTo = first.period;
    use(reading, ...versus);
    return;
  }
  draft.period = first.period;
  const [yearBefore] = indexesOf(reading, "year_before");
  if (yearBefore !== undefined && second === undefined && versus.length > 0 && first.period !== null) {
    const unit = /same (\w+)/i.exec(items[yearBefore]?.said ?? "")?.[1]?.toLowerCase() ?? "";
    draft.compare = yearEarlier(first.period, unit, reading.zone);
    if (draft.compare === null) {
      const sentence = `${capital(first.period.label)} is no ${unit}, so I cannot compare it with the same ${unit} last year.`;
      draft.problems.push({ sentence, options: [] });
    }
    use(reading, yearBefore, ...versus);
  } else if (previous.length > 0 && first.period !== null) {
    draft.compare = previousOf(first.period, reading.zone);
    use(reading, ...previous, ...versus);
  } else if (
    second !== undefined &&
    third === undefined &&
    versus.length > 0 &&
    first.period !== null &&
    second.period !== null
  ) {
    const differs = first.period.from !== second.period.from || first.period.to !== second.period.to;
    const isEarlier = /^(the )?(previous|prior|preceding) /i.test(items[second.index]?.said ?? "");
    // Of a period that is over, the same part is not told.
    const runs = Date.parse(first.period.to) === reading.now;
    if (runs) use(reading, ...indexesOf(reading, "same_part"));
    if (differs) draft.compare = sameElapsed(reading, first.period, second.period);
    else if (isEarlier) draft.compare = previousOf(first.period, reading.zone);
    else draft.problems.push({ sentence: "I compare two periods; these are the same one twice.", options: [] });
    const joint = before(reading, second.index);
    use(
      reading,
      ...versus,
      ...(reading.items[joint]?.kind === "meanings" && !hasRole(reading, joint, "same_part") ? [joint] : []),
    );
  } else if (second !== undefined && third === undefined && isJoined(reading, first.index, second.index)) {
    if (first.period !== null && second.period !== null)
      draft.compare = sameElapsed(reading, first.period, second.period);
    use(reading, before(reading, second.index));
  } else if (second !== undefined) {
    const said = found.map(({ index }) => `"${items[index]?.said}"`).join(" and ");
    draft.problems.push({ sentence: `I read more than one period: ${said}. Which one do you mean?`, options: [] });
  }
}

/** "And the month before?", where nothing says to compare: what was asked, a unit of time earlier. */
function goesBack(reading: Reading, index: number): boolean {
  const { draft, items, planBefore, zone } = reading;
  if (planBefore?.period == null || !isAlone(reading)) return false;
  if (items.some((_, at) => hasRole(reading, at, "versus", "change", "over_over"))) return false;
  const said = /day|week|month|quarter|year/i.exec(items[index]?.said ?? "")?.[0].toLowerCase();
  const unit = (said ?? "period") as RunningGrain | "period";
  draft.movesBack = unit;
  if (earlierOf(planBefore.period, unit, zone) === null) {
    const sentence = `${capital(planBefore.period.label)} is no ${unit} that another one comes before; say which dates you mean.`;
    draft.problems.push({ sentence, options: [] });
  }
  return true;
}

/** The unit before the one that a period is, or has begun; null where it is no such unit. */
export function earlierOf(period: Period, unit: RunningGrain | "period", zone: string): Period | null {
  if (period.from === null) return null;
  const [from, to] = [toLocal(Date.parse(period.from), zone), toLocal(Date.parse(period.to), zone)];
  const label = `the ${unit} before ${period.label}`;
  if (unit === "period") {
    const earlier = previousOf(period, zone);
    return startOf("day", to) === to && earlier !== null ? { ...earlier, label } : null;
  }
  if (startOf(unit, from) !== from || to > addUnits(unit, from, 1)) return null;
  return { from: new Date(toInstant(addUnits(unit, from, -1), zone)).toISOString(), to: period.from, label };
}

/** Nothing but what leads on: a question of its own would name a figure. */
const isAlone = ({ draft, items, subject }: Reading): boolean =>
  draft.measures.length === 0 &&
  !items.some(
    (item) =>
      item.kind === "meanings" &&
      item.meanings.some(
        (each) => (each.kind === "measure" || each.kind === "subject") && each.subject === subject.name,
      ),
  );

/** "September and October": side by side. */
const isJoined = (reading: Reading, first: number, second: number): boolean =>
  before(reading, before(reading, second)) === first && hasRole(reading, before(reading, second), "and");

/** A period that still runs is compared with as much of the other one. */
export function sameElapsed(
  { draft, now, zone }: Pick<Reading, "draft" | "now" | "zone">,
  period: Period,
  other: Period,
): Period {
  if (Date.parse(period.to) !== now) return other;
  const part = samePart(period, other, zone);
  if (part !== other)
    draft.notes.push(`${capital(period.label)} is not over, so only the same part of ${other.label} is compared.`);
  return part;
}

/** As much of the other period as the first one has; the other one itself where it has no more. */
export function samePart(period: Period, other: Period, zone: string): Period {
  if (period.from === null || other.from === null) return other;
  const elapsed = toLocal(Date.parse(period.to), zone) - toLocal(Date.parse(period.from), zone);
  const to = toInstant(toLocal(Date.parse(other.from), zone) + elapsed, zone);
  if (to >= Date.parse(other.to)) return other;
  return { ...other, to: new Date(to).toISOString(), label: `${other.label}, same part` };
}

/** The same part of the calendar a year earlier; weeks go back 52 weeks. null: the period is no such unit. */
export function yearEarlier(period: Period, unit: string, zone: string): Period | null {
  if (period.from === null) return null;
  const [from, to] = [toLocal(Date.parse(period.from), zone), toLocal(Date.parse(period.to), zone)];
  if (unit === "day" || unit === "week" || unit === "month" || unit === "quarter") {
    const starts = startOf(unit, from) === from && to <= addUnits(unit, from, 1);
    const isWhole = to === addUnits(unit, from, 1);
    if (!starts || !(isWhole || unit === "day" || period.label.includes(unit))) return null;
  }
  const back = (local: number) => (unit === "week" ? local - 364 * dayMs : addUnits("year", local, -1));
  const iso = (local: number) => new Date(toInstant(local, zone)).toISOString();
  return { from: iso(back(from)), to: iso(back(to)), label: `${period.label} a year earlier` };
}

/** Months before months, else as many milliseconds. */
export function previousOf(period: Period, zone: string): Period | null {
  if (period.from === null) return null;
  const [from, to] = [toLocal(Date.parse(period.from), zone), toLocal(Date.parse(period.to), zone)];
  const whole = startOf("month", from) === from && startOf("month", to) === to;
  const months = Math.round((to - from) / (30.4 * dayMs));
  const start = whole ? addUnits("month", from, -months) : from - (to - from);
  return { from: new Date(toInstant(start, zone)).toISOString(), to: period.from, label: "the period before" };
}

/** "over time": hours of a day or two, days of a quarter, weeks of a year, else months. */
export function readTrend(reading: Reading): void {
  const roles = indexesOf(reading, "trend");
  if (roles.length === 0) return;
  reading.draft.grain ??= trendGrain(reading.draft.period ?? null);
  use(reading, ...roles);
}

export function trendGrain(period: Period | null): Grain {
  if (period === null || period.from === null) return "month";
  const days = (Date.parse(period.to) - Date.parse(period.from)) / dayMs;
  if (days <= 2) return "hour";
  if (days <= 93) return "day";
  return days <= 370 ? "week" : "month";
}
