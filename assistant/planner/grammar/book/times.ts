import { ofHours } from "../bounds.ts";
import { both, type Piece } from "../piece.ts";
import { type Production, production as p } from "../production.ts";
import {
  against,
  againstWeekday,
  joinedWith,
  overOver,
  samePartOf,
  throughBoth,
  untilNow,
  yearBefore,
} from "../times.ts";

/** Times of day and periods: "after 9pm", "October vs September", "week over week". */
export const timesPage: readonly Production[] = [
  // Times of day.
  p("hours", "LATER|AT_LEAST HOUR", (_, _later, hour) => ofHours({ from: hour })),
  p("hours", "EARLIER|LESS_THAN HOUR", (_, _earlier, hour) => ofHours({ to: hour })),
  p("hours", "HOUR OR_MORE", (_, hour) => ofHours({ from: hour })),
  p("hours", "LATER|AT_LEAST HOUR OR EARLIER|LESS_THAN HOUR", (_, _later, from, _earlier, to) => around(from, to)),
  p("hours", "EARLIER|LESS_THAN HOUR OR LATER|AT_LEAST HOUR", (_, _earlier, to, _later, from) => around(from, to)),
  p("hours", "BETWEEN HOUR AND HOUR", (_, _between, from, to) => ofHours({ from, to })),
  p("hours", "HOUR 'to'|'-'|'until' HOUR", (_, from, to) => ofHours({ from, to })),
  p("hours", "COUNT 'to'|'until' COUNT", (_, from, to) => workingHours(from, to)),

  // When, and against what.
  p("when", "OF|'over'? only? period only?", (_, ...parts) => parts.find(({ period }) => period !== undefined)),
  p("period", "'far'? PERIOD 'far'?"),
  p("period", "PERIOD 'to' 'date'", untilNow),
  p("when", "OF PERIOD 'on' &$|&','|&BY|&EACH", untilNow),
  p("when", "'to' 'date'", () => ({ period: null })),
  p("when", "VERSUS OF? SAME_PART OF? period", (setting, _part, other) => samePartOf(setting, other)),
  p("when", "OF? period VERSUS|WITH OF? period", against),
  p("when", "OF? period VERSUS|WITH OF? PERIOD EARLIER &$|&','|&BY|&EACH", againstWeekday),
  p("when", "OF? period AND AND? PREVIOUS_PERIOD", (_, { period }) =>
    period ? { period, versus: { kind: "before" } } : undefined,
  ),
  p("when", "OF? period AND AND? HOW_MANY? OF? period", (setting, one, ...parts) =>
    joinedWith(setting, one, parts.at(-1) ?? {}),
  ),
  p("when", "OF? period OR OF? period", throughBoth),
  p("when", "WITH|'to' period", (setting, other) => against(setting, {}, other)),
  p("when", "VERSUS OF? period", (setting, other) => against(setting, {}, other)),
  p("when", "WITH OF? COUNT? PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  // "This month vs last".
  p("when", "VERSUS LIST &$|&','|&BY|&EACH", (_, last) =>
    last.word?.said === "last" ? { versus: { kind: "before", isUnit: true } } : undefined,
  ),
  // "Vs the 4 weeks before".
  p("when", "VERSUS COUNT PREVIOUS_PERIOD", (_, count, unit) => ({
    versus: { kind: "before", length: `${count.word?.number} ${unit.word?.said?.replace(/s? before$/, "")}` },
  })),
  p("when", "VERSUS OF? PERIOD EARLIER &$|&','|&BY|&EACH", (_, ...parts) => {
    const day = parts.find(({ period }) => period != null)?.period;
    return day == null ? undefined : { versus: { kind: "weekday before", day } };
  }),
  p("when", "VERSUS PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  p("when", "VERSUS YEAR_BEFORE", yearBefore),
  p("when", "OVER_OVER", overOver),
  p("when", "CHANGE", () => ({ moves: true })),
  p("when", "CHANGE OF PREVIOUS_PERIOD", () => ({ moves: true })),
  // "Its margin in October with its margin in September".
  p("when", "OF? period VERSUS|WITH figure OF? period", (setting, one, figure, other) =>
    both(figure, against(setting, one, other)),
  ),
  // "Changed from September to October": the one against the other, where it is no figure over both.
  p("when", "FROM_TO", (_, ends) => ({ ...ends, isHeld: true })),
];

/** "After 9pm or before 6am": over midnight; else it would be every hour. */
const around = (from: Piece, to: Piece): Piece | undefined =>
  (from.word?.hour ?? 0) > (to.word?.hour ?? 0) ? ofHours({ from, to }) : undefined;

/** "9-to-5": from the morning to the afternoon; "9 to 11" could be either. */
function workingHours({ word: from }: Piece, { word: to }: Piece): Piece | undefined {
  const [first, last] = [from?.number ?? 0, to?.number ?? 0];
  return first > last && first <= 12
    ? ofHours({ from: { word: { hour: first } }, to: { word: { hour: last + 12 } } })
    : undefined;
}
