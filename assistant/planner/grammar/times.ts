import { type Grain, isRecurring, type Period, runningGrains } from "../../plan.ts";
import { earlierOf } from "../period/earlier.ts";
import type { Moved, Piece } from "./piece.ts";
import type { Setting } from "./production.ts";

/** "October vs September". */
export function against(_: Setting, { period }: Piece, other: Piece): Piece | undefined {
  if (period === null || other.period === null || other.period === undefined) return undefined;
  // "Last week vs the prior week": the one before it.
  const isBefore = /^(the )?(prior|previous|preceding) /.test(other.word?.said ?? "");
  if (isBefore && period?.from === other.period.from) return { period, versus: { kind: "before", isUnit: true } };
  return { ...(period && { period }), versus: { kind: "period", period: other.period } };
}

/** "Down vs last week": this week, where no other time is said. */
export const againstNow = (setting: Setting, other: Piece): Piece | undefined =>
  heldAs({ mayBeNow: true }, against(setting, {}, other));

const heldAs = (
  how: { readonly isJoined?: true; readonly isSame?: true; readonly mayBeNow?: true },
  held: Piece | undefined,
): Piece | undefined => (held?.versus?.kind === "period" ? { ...held, versus: { ...held.versus, ...how } } : undefined);

/** "Vs the same stretch of last month": of a period that still runs. */
export const samePartOf = (setting: Setting, other: Piece): Piece | undefined =>
  heldAs({ isSame: true }, against(setting, {}, other));

/** "Vs the same month last year". */
export const yearBefore = (_: Setting, { word }: Piece): Piece => ({
  versus: { kind: "year before", unit: /same (\w+)/.exec(word?.said ?? "")?.[1] ?? "" },
});

/** "Month over month", "wow": the unit begins with the letter. */
export function overOver(_: Setting, { word }: Piece): Piece {
  const letter = word?.said?.replace(/^(from )?(one )?/, "").charAt(0) ?? "";
  return { versus: { kind: "over", grain: runningGrains.find((unit) => unit.startsWith(letter)) ?? "month" } };
}

/** "In each of the last 4 weeks": by the unit that the period is counted in. */
export function eachUnitOf(_: Setting, ...parts: readonly Piece[]): Piece | undefined {
  const period = parts.at(-1)?.period;
  const unit = /\b\d+ (hour|day|week|month|quarter|year)s$/.exec(period?.label ?? "")?.[1];
  return unit === undefined || period === undefined ? undefined : { period, groups: [unit] };
}

const falls =
  /^(decreas|declin|drop|fell|fall|dip|lose|lost|worsen|(go|went|gone|going|trending|is|are|was|were|been) down|down|slip|shr[ai]nk|plung|plummet|tank|slump|tumbl|slid|crash|dwindl|sank|nosedive|deteriorat)/;
const rises =
  /^(increas|gr[eo]w(?!th)|r[io]se|rising|jump|(go|went|gone|going|trending|is|are|was|were|been) up|up|more|higher|slower|longer|climb|soar|surg|spik|shot up|expand|ramped)/;

/** "Dropped", "up", "fewer": where a figure went; undefined of "up or down" and of a change as such. */
export function movedTo({ word }: Piece): Piece {
  const said = word?.said ?? "";
  const ends: readonly (readonly [Moved, RegExp])[] = [
    ["worse", /^(worse|weaker)/],
    ["better", /^(improv|better|stronger)/],
    ["down", falls],
    ["down", /^(fewer|less|lower|faster|quicker|shorter)/],
    ["up", rises],
  ];
  const found = / or /.test(said) ? undefined : ends.find(([, words]) => words.test(said))?.[0];
  return found === undefined ? {} : { movedTo: found };
}

/** "Grew the most", "the biggest drop": ranked by how far the figure moved from the period before. */
export function changedMost(_: Setting, change: Piece, end: Piece): Piece {
  const isFall = falls.test(change.word?.said ?? "");
  // "Fell the worst" is fell the most.
  const isMost = end.direction !== "asc" || (isFall && end.quality === true);
  return { changes: true, direction: isFall === isMost ? "asc" : "desc", isHighest: true };
}

/** "September and October": side by side, but one stretch where a series runs through both. */
export function joinedWith(setting: Setting, one: Piece, other: Piece): Piece | undefined {
  // "Since Labor Day, September 7": the same said twice.
  if (one.period?.from != null && one.period.from === other.period?.from) return { period: one.period };
  return heldAs({ isJoined: true }, against(setting, one, other));
}

/** "In September or October": both, where the one begins as the other ends. */
export function throughBoth(_: Setting, { period: one }: Piece, { period: other }: Piece): Piece | undefined {
  const period = one && other ? throughout(one, other) : undefined;
  return period && { period };
}

/** "September, October and November": three or more times that follow one another, by the unit that each of them is. */
export function inTurn({ zone }: Setting, ...parts: readonly Piece[]): Piece | undefined {
  const periods = parts.flatMap(({ period }) => period ?? []).sort((a, b) => Date.parse(a.to) - Date.parse(b.to));
  const [first, last] = [periods[0], periods.at(-1)];
  const unit = runningGrains.find((grain) =>
    periods.every((period, at) => {
      const before = earlierOf(period, grain, zone);
      return before !== null && (at === 0 || before.from === periods[at - 1]?.from);
    }),
  );
  if (first === undefined || last === undefined || unit === undefined) return undefined;
  return { period: { ...last, from: first.from, label: `${first.label} to ${last.label}` }, groups: [unit] };
}

export function throughout(one: Period, other: Period): Period | undefined {
  const [earlier, later] = Date.parse(one.to) <= Date.parse(other.to) ? [one, other] : [other, one];
  if (later.from === null || Date.parse(earlier.to) !== Date.parse(later.from)) return undefined;
  return { from: earlier.from, to: later.to, label: `${earlier.label} or ${later.label}` };
}

/** "From October 1 to date", "Q4 to date". */
export function untilNow({ now }: Setting, { period }: Piece): Piece | undefined {
  if (period == null || period.from === null) return undefined;
  if (Date.parse(period.to) >= now) return { period };
  return { period: { from: period.from, to: new Date(now).toISOString(), label: `since ${period.label}` } };
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
