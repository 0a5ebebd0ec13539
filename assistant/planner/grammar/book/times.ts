import { hoursOfWork } from "../../../catalog/hours.ts";
import { besideHours, ofHours, outsideHours } from "../bounds.ts";
import { counting, statistic } from "../figures.ts";
import { asked, speed } from "../makes.ts";
import { both, type Piece } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";
import {
  against,
  againstNow,
  eachUnitOf,
  inTurn,
  joinedWith,
  movedTo,
  overOver,
  samePartOf,
  throughBoth,
  untilNow,
  yearBefore,
} from "../times.ts";

/** Times of day and periods: "after 9pm", "October vs September", "week over week". */
export const timesPage: readonly Production[] = [
  // Times of day.
  p("hours", "since"),
  p("hours", "until"),
  p("since", "LATER hour", (_, _later, hour) => ofHours({ from: hour })),
  p("since", "HOUR OR_MORE", (_, hour) => ofHours({ from: hour })),
  p("until", "EARLIER hour", (_, _earlier, hour) => ofHours({ to: hour })),
  // "Before 6am or after 9pm": over midnight.
  p("hours", "since OR until", (_, from, to) => aroundMidnight(from, to)),
  p("hours", "until OR since", (_, to, from) => aroundMidnight(from, to)),
  p("hours", "BETWEEN clock AND hour", (_, _between, from, to) => fromTo(from, to)),
  p("hours", "BETWEEN hour AND COUNT !QUANTITY", (_, _between, from, to) => fromTo(from, to)),
  p("hours", "hour 'to'|'-'|'until' COUNT !QUANTITY", (_, from, to) => fromTo(from, to)),
  p("hours", "~QUANTITY BETWEEN COUNT AND COUNT !QUANTITY", (_, _between, from, to) => fromTo(from, to)),
  p("hours", "clock 'to'|'-'|'until' clock", (_, from, to) => fromTo(from, to)),
  p("hours", "clock HOUR", (_, from, to) => fromTo(from, to)),
  p("clock", "COUNT|hour"),
  p("hour", "HOUR|hour-of-part"),
  // "8 in the morning".
  p("hour-of-part", "COUNT OF? PARTS", (_, count, part) => hourOf(count, part)),

  // "8am-12pm vs 12pm-5pm", "in working hours against the rest".
  p("condition", "OF? hours more-hours more-hours?", (_, ...sides) =>
    besideHours(...sides.filter(({ filters }) => filters !== undefined)),
  ),
  p("more-hours", "VERSUS|AND AND? OF? hours", (_, hours) => hours),
  // "After 5pm vs before".
  p("condition", "OF? LATER|EARLIER HOUR VERSUS|AND|OR LATER|EARLIER &$|&','|&AND|&BY|&period", (_, ...parts) => {
    const [one, hour = {}, other] = parts;
    const sides = [{ from: hour }, { to: hour }].flatMap((side) => ofHours(side) ?? []);
    return one?.word?.said === other?.word?.said ? undefined : besideHours(...sides);
  }),
  // "Outside 9am to 5pm".
  p("condition", "NOT OF? hours", (_, _not, hours) => outsideHours(hours)),
  p("condition", "OF? sides-of-work"),
  p("sides-of-work", "WORK_HOURS|OFF_HOURS VERSUS|AND|OR|WITH OF? WORK_HOURS|OFF_HOURS|REST", (_, one, other) =>
    one.word?.said === other.word?.said ? undefined : { groups: [hoursOfWork], isAtWork: true },
  ),

  // When, and against what.
  p("when", "OF|'over'|'across'|'throughout'? only? period only?", (_, ...parts) =>
    parts.find(({ period }) => period !== undefined),
  ),
  p("when", "OF? EACH 'of' ALL? PERIOD", eachUnitOf),
  p("period", "'far'? PERIOD 'far'?"),
  p("period", "PERIOD 'to' 'date'", untilNow),
  // "Veterans Day (November 11)": the same said twice.
  p("period", "PERIOD PERIOD", (_, { period }, other) =>
    period?.from != null && period.from === other.period?.from && period.to === other.period.to
      ? { period }
      : undefined,
  ),
  p("when", "OF PERIOD 'on' &$|&','|&BY|&EACH", untilNow),
  p("when", "'to' 'date'", () => ({ period: null })),
  p(
    "when",
    "VERSUS OF|'over'? SAME_PART|THAT_PERIOD? OF? period OF|WITH? SAME_PART?",
    (setting, before, other, behind) => ((before.word ?? behind.word) ? samePartOf(setting, other) : undefined),
  ),
  // "Is revenue this month higher than last month".
  p("when", "OF? period VERSUS|WITH|MORE_THAN|LESS_THAN OF? period", (setting, one, _than, other) =>
    against(setting, one, other),
  ),
  p("when", "OF? period AND AND? HOW_MANY? PREVIOUS_PERIOD", (_, { period }) =>
    period ? { period, versus: { kind: "before" } } : undefined,
  ),
  p("when", "OF? period AND AND? HOW_MANY? OF? period", (setting, one, ...parts) =>
    joinedWith(setting, one, parts.at(-1) ?? {}),
  ),
  p("when", "OF? period OR OF? period", throughBoth),
  p("when", "OF? period more-times more-times more-times? more-times? more-times?", inTurn),
  p("more-times", "VERSUS|AND AND? OF? period", (_, ...parts) => parts.at(-1)),
  p("when", "WITH|'to' period", (setting, other) => against(setting, {}, other)),
  p("when", "AND? 'how'? VERSUS OF? period", (setting, ...parts) => againstNow(setting, parts.at(-1) ?? {})),
  // "This month vs last", "this month and last".
  p("when", "VERSUS|AND LIST &$|&','|&BY|&EACH", (_, last) =>
    last.word?.said === "last" ? { versus: { kind: "before", isUnit: true } } : undefined,
  ),
  // "Vs the 4 weeks before".
  p("when", "VERSUS OF? COUNT PREVIOUS_PERIOD", (_, count, unit) => ({
    versus: { kind: "before", length: `${count.word?.number} ${unit.word?.said?.replace(/s? before$/, "")}` },
  })),
  p("when", "VERSUS OF? PERIOD EARLIER &$|&','|&BY|&EACH", (_, ...parts) => {
    const day = parts.find(({ period }) => period != null)?.period;
    return day == null ? undefined : { versus: { kind: "weekday before", day } };
  }),
  // "Yesterday against the same day last week", "today vs the same time yesterday".
  p("when", "VERSUS OF? DAYS_BEFORE", (_, { word }) => ({
    versus: { kind: "days before", days: /\by(ester)?day|day before/.test(word?.said ?? "") ? 1 : 7 },
  })),
  p("when", "VERSUS|WITH|'to' OF? PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  p("when", "VERSUS YEAR_BEFORE", yearBefore),
  p("when", "OVER_OVER", overOver),
  p("when", "WITH? CHANGE", (_, change) => ({ moves: true, ...movedTo(change) })),
  // "Which publishers sent fewer calls this week than last week", "which buyers spent less": what than is said elsewhere.
  p("when", "WITH? MEASURE BETTER figure", (_, verb, end, figure) =>
    /^(earn|earned|earns|made|make|makes|brought|brings?)$/.test(verb.word?.said ?? "")
      ? both(movedTo(end), figure)
      : undefined,
  ),
  // "Which targets got slower", "did calls get longer".
  p("when", "SLOWER callers? QUANTITY?", (setting, end, _callers, of) =>
    both({ moves: true, ...movedTo(end) }, of.word ? meanOf(setting, of) : lasting(setting, end)),
  ),
  p("group", "KIND &SLOWER", (setting, kind) => (kind.word?.isPlural ? asked(setting, kind) : undefined)),
  p("when", "WITH? BETTER such-kind? figure|NOUN", (setting, end, { filters = [] }, figure) =>
    both(movedTo(end), { filters }, counting(setting, figure)),
  ),
  // "Changed from September to October": the one against the other, where it is no figure over both.
  p("when", "BETTER? FROM_TO", (_, end, ends) => ({
    ...(end.word && { moves: true as const, ...movedTo(end) }),
    ...ends,
    isHeld: true,
  })),
];

/** The time that got slower or longer: slow are answers, long are the records themselves. */
function lasting(setting: Setting, { word }: Piece): Piece | undefined {
  if (!/^(longer|shorter)/.test(word?.said ?? "")) return speed(setting);
  return meanOf(setting, { word: { quantity: setting.subject.length ?? "" } });
}

const meanOf = (setting: Setting, of: Piece) => statistic(setting, { word: { statistic: "avg" } }, of);

/** "After 9pm or before 6am": over midnight; else it would be every hour. */
function aroundMidnight({ filters: [from] = [] }: Piece, { filters: [to] = [] }: Piece): Piece | undefined {
  const [first, last] = [Number(from?.values[0]), Number(to?.values[0])];
  return first > last ? ofHours({ from: ofHour(first), to: ofHour(last) }) : undefined;
}

/**
 * "From 9am to 5pm", "9-to-5", "2-5pm": a number before an hour is of the same half of the day where that comes before;
 * two numbers go from the morning to the afternoon, "9 to 11" could be either; a number behind an hour is the next such hour.
 */
function fromTo(from: Piece, to: Piece): Piece | undefined {
  const [first, last] = [from.word?.number, to.word?.number];
  if (first === undefined) return ofHours({ from, to: last === undefined ? to : nextAfter(from, last) });
  if (last === undefined) return ofHours({ from: halfOf(from, to), to });
  return first > last && first <= 12 ? ofHours({ from: ofHour(first), to: ofHour(last + 12) }) : undefined;
}

/** "From noon to 6": the next time that the clock shows that hour. */
const nextAfter = ({ word }: Piece, hour: number): Piece =>
  ofHour(hour <= 12 && hour <= (word?.hour ?? 0) ? (hour % 12) + 12 : hour % 24);

const ofHour = (hour: number): Piece => ({ word: { hour } });

function halfOf({ word: from }: Piece, { word: to }: Piece): Piece {
  const [first, last] = [from?.number ?? 0, to?.hour ?? 0];
  return ofHour(first < 12 && first + 12 < last ? first + 12 : first % 24);
}

const halves: Readonly<Record<string, number>> = { morning: 0, afternoon: 12, evening: 12 };

function hourOf({ word }: Piece, { filters: [part] = [] }: Piece): Piece | undefined {
  const [hour = 0, half] = [word?.number, halves[String(part?.values[0])]];
  return half === undefined || hour < 1 || hour > 12 ? undefined : ofHour((hour % 12) + half);
}
