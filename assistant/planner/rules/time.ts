import { capital } from "../../phrasing/figure.ts";
import { isRecurring, type Period } from "../../plan.ts";
import { previousOf, samePart, yearEarlier } from "../period/earlier.ts";
import { trendGrain } from "../period/trend-grain.ts";
import { before, hasRole, indexesOf, type Reading, use } from "./reading.ts";

interface Found {
  readonly index: number;
  readonly period: Period | null;
}
type Periods = readonly [Found, ...Found[]];

/** The period, and the one to compare it with. */
export function readPeriods(reading: Reading): void {
  const [first, ...others] = periodsIn(reading);
  use(reading, ...[first, ...others].flatMap((each) => each?.index ?? []));
  if (first === undefined) return;
  reading.draft.period = first.period;
  const found: Periods = [first, ...others];
  if (!comparisons.some((reads) => reads(reading, found)) && others.length > 0) askWhich(reading, found);
}

/** "Our overall rate this month": of all together, where another period is named. */
function periodsIn({ items, used }: Reading): readonly Found[] {
  const found = items.flatMap((item, index) =>
    item.kind === "period" && !used.has(index) ? [{ index, period: item.period }] : [],
  );
  const isOverall = ({ index }: Found) => /^overall$/i.test(items[index]?.said ?? "");
  const others = found.filter((each) => !isOverall(each));
  if (others.length === 0) return found;
  for (const { index } of found.filter(isOverall)) used.add(index);
  return others;
}

/** How a second period is said; the first that reads the question's has it. */
const comparisons: readonly ((reading: Reading, found: Periods) => boolean)[] = [
  readYearBefore,
  readPreviousPeriod,
  readVersusPeriod,
  readJoined,
];

/** "Vs the same month last year". */
function readYearBefore(reading: Reading, [{ period }, second]: Periods): boolean {
  const { draft, items, zone } = reading;
  const [said] = indexesOf(reading, "year_before");
  const versus = indexesOf(reading, "versus");
  if (said === undefined || second !== undefined || versus.length === 0 || period === null) return false;
  const unit = /same (\w+)/i.exec(items[said]?.said ?? "")?.[1]?.toLowerCase() ?? "";
  draft.compare = yearEarlier(period, unit, zone);
  if (draft.compare === null) {
    const sentence = `${capital(period.label)} is no ${unit}, so I cannot compare it with the same ${unit} last year.`;
    draft.problems.push({ sentence, options: [] });
  }
  use(reading, said, ...versus);
  return true;
}

/** "Vs the previous period". */
function readPreviousPeriod(reading: Reading, [{ period }]: Periods): boolean {
  const previous = indexesOf(reading, "previous_period");
  if (previous.length === 0 || period === null) return false;
  reading.draft.compare = previousOf(period, reading.zone);
  use(reading, ...previous, ...indexesOf(reading, "versus"));
  return true;
}

/** "October vs September". */
function readVersusPeriod(reading: Reading, [first, second, third]: Periods): boolean {
  const versus = indexesOf(reading, "versus");
  if (second === undefined || third !== undefined || versus.length === 0) return false;
  if (first.period === null || second.period === null) return false;
  // Of a period that is over, the same part is not told.
  if (Date.parse(first.period.to) === reading.now) use(reading, ...indexesOf(reading, "same_part"));
  comparePeriods(reading, {
    period: first.period,
    other: second.period,
    said: reading.items[second.index]?.said ?? "",
  });
  const joint = before(reading, second.index);
  const isJoint = reading.items[joint]?.kind === "meanings" && !hasRole(reading, joint, "same_part");
  use(reading, ...versus, ...(isJoint ? [joint] : []));
  return true;
}

function comparePeriods(
  reading: Reading,
  { period, other, said }: { readonly period: Period; readonly other: Period; readonly said: string },
): void {
  const { draft, zone } = reading;
  const differs = period.from !== other.from || period.to !== other.to;
  const isEarlier = /^(the )?(previous|prior|preceding) /i.test(said);
  if (differs) draft.compare = sameElapsed(reading, period, other);
  else if (isEarlier) draft.compare = previousOf(period, zone);
  else draft.problems.push({ sentence: "I compare two periods; these are the same one twice.", options: [] });
}

/** "September and October": side by side. */
function readJoined(reading: Reading, [first, second, third]: Periods): boolean {
  if (second === undefined || third !== undefined) return false;
  const joint = before(reading, second.index);
  if (before(reading, joint) !== first.index || !hasRole(reading, joint, "and", "or")) return false;
  // "By week in September and October": one series.
  const { grain } = reading.draft;
  const isSeries = grain !== null && !isRecurring(grain);
  if (hasRole(reading, joint, "or")) return readEither(reading, [first, second], joint);
  if (isSeries && readEither(reading, [first, second], joint)) return true;
  if (first.period !== null && second.period !== null)
    reading.draft.compare = sameElapsed(reading, first.period, second.period);
  use(reading, joint);
  return true;
}

/** "In September or October": both, where the one begins as the other ends. */
function readEither({ draft, used }: Reading, [first, second]: readonly [Found, Found], joint: number): boolean {
  const [one, other] = [first.period, second.period];
  if (one === null || other === null) return false;
  const [earlier, later] = Date.parse(one.to) <= Date.parse(other.to) ? [one, other] : [other, one];
  if (later.from === null || Date.parse(earlier.to) !== Date.parse(later.from)) return false;
  draft.period = { from: earlier.from, to: later.to, label: `${earlier.label} or ${later.label}` };
  used.add(joint);
  return true;
}

function askWhich({ draft, items }: Reading, found: Periods): void {
  const said = found.map(({ index }) => `"${items[index]?.said}"`).join(" and ");
  draft.problems.push({ sentence: `I read more than one period: ${said}. Which one do you mean?`, options: [] });
}

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

/** "over time", "trend": in units that suit the period. */
export function readTrend(reading: Reading): void {
  const roles = indexesOf(reading, "trend");
  if (roles.length === 0) return;
  reading.draft.grain ??= trendGrain(reading.draft.period ?? null);
  use(reading, ...roles);
}
