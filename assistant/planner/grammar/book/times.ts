import { ofHours } from "../bounds.ts";
import { both, type Piece } from "../piece.ts";
import { type Production, production as p } from "../production.ts";
import { against, joinedWith, overOver, samePartOf, throughBoth, untilNow, yearBefore } from "../times.ts";

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

  // When, and against what.
  p("when", "OF|'over'? only? period only?", (_, ...parts) => parts.find(({ period }) => period !== undefined)),
  p("period", "'far'? PERIOD 'far'?"),
  p("period", "PERIOD 'to' 'date'", untilNow),
  p("when", "OF PERIOD 'on'|'onwards'|'onward'|'forward'", untilNow),
  p("when", "'to' 'date'", () => ({ period: null })),
  p("when", "VERSUS OF? SAME_PART OF? period", (setting, _part, other) => samePartOf(setting, other)),
  p("when", "OVER_OVER CHANGE", overOver),
  p("when", "OF? period VERSUS OF? period", against),
  p("when", "OF? period AND HOW_MANY? OF? period", (setting, one, _many, other) => joinedWith(setting, one, other)),
  p("when", "OF? period OR OF? period", throughBoth),
  p("when", "VERSUS OF? period AND|VERSUS OF? period", against),
  p("when", "WITH|'to' period", (setting, other) => against(setting, {}, other)),
  p("when", "VERSUS OF? period", (setting, other) => against(setting, {}, other)),
  p("when", "WITH OF? COUNT? PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
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
  p("when", "CHANGE OF? FROM_TO", (_, _change, ends) => ends),
  p("when", "FROM_TO", (_, ends) => ({ ...ends, isHeld: true })),
  p("when", "VERSUS FROM_TO", (_, ends) => ends),
];

/** "After 9pm or before 6am": over midnight; else it would be every hour. */
const around = (from: Piece, to: Piece): Piece | undefined =>
  (from.word?.hour ?? 0) > (to.word?.hour ?? 0) ? ofHours({ from, to }) : undefined;
