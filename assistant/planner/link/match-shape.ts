import { dayMs, weekdayNames } from "../../calendar.ts";
import { states } from "../../catalog/states.ts";
import { httpMethods } from "../../catalog/webhook-exchange.ts";
import type { Period } from "../../plan.ts";
import { parseWeekday } from "../period/date.ts";
import { readNoDay, readPeriod } from "../period/period.ts";
import { parseNumber, places, type Word } from "../words/tokenize.ts";
import { asMeanings, asValue, type Match, type NumberUnit } from "./item.ts";
import type { Linking } from "./name-index.ts";

const timeUnits: readonly (readonly [unit: RegExp, seconds: number])[] = [
  [/^s(ec(ond)?)?$/, 1],
  [/^m(in(ute)?)?$/, 60],
  [/^h(r|our)?$/, 3600],
];
const timeUnit = (word: string): number | undefined => timeUnits.find(([unit]) => unit.test(word))?.[1];

const percentile = /^(p?)([1-9]\d?)(?:st|nd|rd|th)?$/;
/** "And 90th percentile", behind the 50th. */
const listed = /^(?:(?:,|and|or|&|\d{1,2}(?:st|nd|rd|th)) )+percentile\b/;

/** "p90", "90th percentile", "95th percentile of". */
export function matchPercentile(words: readonly Word[], at: number): Match | undefined {
  const [, short = "", level] = percentile.exec(words[at]?.text ?? "") ?? [];
  const isOrdinal = /(st|nd|rd|th)$/.test(words[at]?.text ?? "");
  if (level === undefined) return undefined;
  const behind = words.slice(at + 1, at + 13).map(({ stem }) => stem);
  // "90th pct" is no share.
  const isNamed = /^(percentile|pctl|pctile)$/.test(behind[0] ?? "") || (isOrdinal && behind[0] === "percent");
  const length = short === "p" ? 1 : isNamed ? 2 : 0;
  if (length === 0 && !listed.test(behind.join(" "))) return undefined;
  const ofIt = length > 0 && behind[length - 1] === "of" ? 1 : 0;
  const statistic = level === "50" ? "median" : `p${level}`;
  return asMeanings([{ kind: "statistic", statistic }], Math.max(1, length) + ofIt);
}

/** "9am", "9 am", "17:00", "noon". */
function matchClock(words: readonly Word[], at: number): Match | undefined {
  const text = words[at]?.text ?? "";
  if (/^(noon|midday|midnight)$/.test(text))
    return { length: 1, content: { kind: "hour", hour: text === "midnight" ? 0 : 12 } };
  const half = /^(am|pm)$/.exec(words[at + 1]?.text ?? "")?.[1];
  const said = half === undefined ? text : `${text}${half}`;
  const clock = /^(1[0-2]|[1-9])(?::00)?(am|pm)$/.exec(said) ?? /^([01]?\d|2[0-3]):00$/.exec(text);
  if (clock === null) return undefined;
  const hour = (Number(clock[1]) % (clock[2] === undefined ? 24 : 12)) + (clock[2] === "pm" ? 12 : 0);
  return { length: half === undefined ? 1 : 2, content: { kind: "hour", hour } };
}

const ends =
  /^(best|worst|top|bottom|(bigg|larg|high|low|small|great|poor|weak|busi|quiet|slow|fast|long|short)est|most|least|fewest)$/;

/** "The second best", "came 3rd in calls": which one of a ranking. */
export function matchPlace(words: readonly Word[], at: number): Match | undefined {
  const text = words[at]?.text ?? "";
  const numbered = text === "number" ? parseNumber(words[at + 1]?.text ?? "") : undefined;
  if (numbered !== undefined && numbered > 1 && /^(in|by|for|on)$/.test(words[at + 2]?.text ?? ""))
    return { length: 2, content: { kind: "place", place: numbered } };
  const digits = /^(\d{1,2})(?:nd|rd|th)$/.exec(text)?.[1];
  const place = digits === undefined ? places.indexOf(text) + 1 : Number(digits);
  const [before, after] = [words[at - 1]?.text ?? "", words[at + 1]?.text ?? ""];
  const came =
    /^(came?|comes|ranks?|ranked|finished|placed)$/.test(before === "in" ? (words[at - 2]?.text ?? "") : before) ||
    (/^(is|was|are|were)$/.test(before) && /^(in|by|for|on)$/.test(after));
  // "Who is second", "and the third?"
  const isAlone = after === "" && (at === 0 || /^(the|and|is|was|who|who['’]?s|which|one)$/.test(before));
  if (place < 2 || !(ends.test(after) || came || isAlone)) return undefined;
  return { length: 1, content: { kind: "place", place } };
}

/** "Half a second", "half an hour", "half a minute". */
function matchHalf(words: readonly Word[], at: number): Match | undefined {
  const unit = timeUnit(words[at + 2]?.stem ?? "");
  if (words[at]?.text !== "half" || !/^an?$/.test(words[at + 1]?.text ?? "") || unit === undefined) return undefined;
  return { length: 3, content: { kind: "number", value: unit / 2, unit: "seconds" } };
}

const parts: Readonly<Record<string, number>> = { half: 2, third: 3, quarter: 4, fifth: 5, tenth: 10 };

/** "Less than half", "over two thirds of them", "fewer than one in three": a bound by a part of all. */
function matchPart(words: readonly Word[], at: number): Match | undefined {
  if (!/^(than|over|under|above|below|least|most)$/.test(words[at - 1]?.text ?? "")) return undefined;
  const [first = "", second = "", third = "", fourth = ""] = words.slice(at, at + 4).map(({ text }) => text);
  const ratio = (length: number, part: number, of = Number.NaN): Match | undefined =>
    part < of
      ? { length, content: { kind: "number", value: Number(((100 * part) / of).toFixed(2)), unit: "percent" } }
      : undefined;
  if (first === "half") return ratio(1, 1, 2);
  const count = /^an?$/.test(first) ? 1 : (parseNumber(first) ?? Number.NaN);
  if (second === "in") return ratio(3, count, parseNumber(third));
  if (second === "out" && third === "of") return ratio(4, count, parseNumber(fourth));
  // "Over a quarter" may be how long.
  return second.startsWith("quarter") && third !== "of" ? undefined : ratio(2, count, parts[second.replace(/s$/, "")]);
}

/** "6th attempt", "fourth try"; the first is a fact of its own. */
function ordinalOfAttempt(text: string, next: string): number | undefined {
  if (next !== "attempt" && next !== "try") return undefined;
  const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(text)?.[1];
  const place = digits === undefined ? places.indexOf(text) + 1 : Number(digits);
  return place < 2 ? undefined : place;
}

/** "5 minutes" and "5m" in seconds, "$50", "50 dollars", "20%", "500 ms", "9am"; 1 in "a minute". */
export function matchNumber(words: readonly Word[], at: number): Match | undefined {
  const text = words[at]?.text ?? "";
  const clock = matchClock(words, at) ?? matchHalf(words, at) ?? matchPart(words, at);
  if (clock !== undefined) return clock;
  const attached = /^(\$?)([\d,.]+?k?)(s|sec|secs|m|min|mins|h|hr|hrs|ms|%|usd)?$/.exec(text);
  const next = words[at + 1]?.stem ?? "";
  const article = (text === "a" || text === "an") && timeUnit(next) !== undefined ? 1 : undefined;
  const often = text === "once" ? 1 : text === "twice" ? 2 : undefined;
  const value = parseNumber(attached?.[2] ?? text) ?? article ?? often ?? ordinalOfAttempt(text, next);
  if (value === undefined) return undefined;
  const suffix = attached?.[3] ?? "";
  const make = (length: number, unit: NumberUnit, scale = 1): Match => ({
    length,
    content: { kind: "number", value: value * scale, unit },
  });
  if (attached?.[1] === "$" || suffix === "usd") return make(1, "money");
  if (suffix === "%") return make(1, "percent");
  if (suffix === "ms") return make(1, "ms");
  const own = timeUnit(suffix.replace(/(?<=.)s$/, ""));
  if (own !== undefined) return make(1, "seconds", own);
  // "top 3 hours" counts hours.
  if (/^(top|bottom|best|worst|busiest|the|first)$/.test(words[at - 1]?.text ?? "")) return make(1, null);
  if (["dollar", "usd", "buck"].includes(next)) return make(2, "money");
  if (["percent", "%"].includes(next)) return make(2, "percent");
  if (["ms", "millisecond"].includes(next)) return make(2, "ms");
  // "Answered with 429: hour of day".
  const isOfDay = /^of (?:the )?day\b/.test(
    words
      .slice(at + 2, at + 5)
      .map((word) => word.text)
      .join(" "),
  );
  const unit = isOfDay ? undefined : timeUnit(next);
  if (unit === undefined) return make(1, null);
  // "A minute and a half".
  const isAndHalf = ["and", "a", "half"].every((word, step) => words[at + 2 + step]?.text === word);
  return isAndHalf
    ? { length: 5, content: { kind: "number", value: (value + 0.5) * unit, unit: "seconds" } }
    : make(2, "seconds", unit);
}

/** "TX", "GET": in capitals among words that are not, so that the capitals say something. */
const standsInCapitals = (words: readonly Word[], at: number): boolean =>
  isCapital(words[at]) && !words.every(isCapital);

const isCapital = (word: Word | undefined): boolean => word?.original === word?.original.toUpperCase();

const stateCodes = new Set(states.map(({ code }) => code));

/** Codes that are words too: only in capitals are they states. */
const wordCodes = new Set(["AL", "CO", "DE", "HI", "ID", "IN", "LA", "MA", "ME", "MS", "OH", "OK", "OR", "PA"]);
/** "TX" in capitals, "from tx" or "tx calls". */
export function matchState(words: readonly Word[], at: number): Match | undefined {
  const { original = "", quoted = false } = words[at] ?? {};
  const value = original.toUpperCase();
  if (quoted || !stateCodes.has(value)) return undefined;
  const isOther = (word: Word | undefined) => stateCodes.has(word?.original.toUpperCase() ?? "") && word !== words[at];
  // "ny and nj".
  const isPair = /^(and|or|vs|versus|,|\/)$/.test(words[at + 1]?.text ?? "") && isOther(words[at + 2]);
  const isBeside = /^(call|caller|traffic)$/.test(words[at + 1]?.stem ?? "");
  const isPlaced = /^(from|in|for|state|vs|and|or)$/.test(words[at - 1]?.text ?? "");
  // "Outside of ca, tx, fl": the last of several.
  const isLast = /^(and|or|,)$/.test(words[at - 1]?.text ?? "") && isOther(words[at - 2]);
  const isMeant = standsInCapitals(words, at) || ((isBeside || isPlaced || isPair || isLast) && !wordCodes.has(value));
  return isMeant ? asValue({ name: "state", value }, ["calls", "inbound_rtb_requests"]) : undefined;
}

/** "Using GET", "method put": a webhook's method, where the same word in small letters means little or something else. */
export function matchMethod(words: readonly Word[], at: number): Match | undefined {
  const { original = "", quoted = false } = words[at] ?? {};
  const value = original.toUpperCase();
  const isPlaced = /^(using|via|method|methods|verb)$/.test(words[at - 1]?.text ?? "");
  if (quoted || !httpMethods.includes(value) || !(isPlaced || standsInCapitals(words, at))) return undefined;
  return asValue({ name: "method", value }, ["outgoing_webhook_requests", "incoming_webhook_requests"]);
}

/** "/crm/calls": the path of a webhook's address. */
export function matchPath(words: readonly Word[], at: number): Match | undefined {
  const value = words[at]?.original ?? "";
  return /^\/\w/.test(value) ? asValue({ name: "path", value }, ["outgoing_webhook_requests"]) : undefined;
}

/** A phone number that is none of the organization's is a caller's, who may have withheld it; an address is where a change came from. */
export function matchPhone(words: readonly Word[], at: number): Match | undefined {
  const value = words[at]?.text ?? "";
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(value)) return asValue({ name: "source_ip", value }, ["audit_logs"]);
  const isWithheld = value === "anonymous" && words[at]?.quoted === false;
  if (!isWithheld && !/^\+\d{10,15}$/.test(value)) return undefined;
  return asValue({ name: "caller", value }, ["calls", "inbound_rtb_requests"]);
}

const callId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** "Call 01a1fc3a-f67d-7382-88da-5cf9a7a7ff74", with or without its noun: records of that one call. */
export function matchCall(words: readonly Word[], at: number): Match | undefined {
  const isNoun = words[at]?.text === "call";
  const from = !isNoun ? at : words[at + 1]?.text === "id" ? at + 2 : at + 1;
  const value = words[from]?.text ?? "";
  if (!callId.test(value)) return undefined;
  const subjects = [
    "calls",
    "outgoing_webhook_requests",
    "incoming_webhook_requests",
    "outbound_rtb_requests",
  ] as const;
  return asValue({ name: "call", value }, subjects, from - at + 1);
}

type Moment = Pick<Linking, "now" | "zone">;

const owners = /^(?:yesterday|today|january|february|april|june|july|august|september|october|november|december)s$/;

/** What a number stands behind that is no year. */
const notYears =
  /^(than|over|under|top|bottom|least|most|above|below|between|exceed(s|ed|ing)?|topped|surpassed|beyond)$/;

/** A bare year or month is a period only where it cannot be a number or a verb. */
export function matchPeriod(words: readonly Word[], at: number, { now, zone }: Moment): Match | undefined {
  // "Yesterdays", "octobers": typed without the apostrophe.
  const texts = words.slice(at).map(({ text }) => (text === "," ? "" : owners.test(text) ? text.slice(0, -1) : text));
  // "1st half of October", "the 3rd quarter": of a longer time, where "the 1st" is a day.
  const first = texts[0] === "the" ? 1 : 0;
  const ordinal = places[Number(/^([1-4])(?:st|nd|rd|th)$/.exec(texts[first] ?? "")?.[1]) - 1];
  if (ordinal !== undefined && /^(half|quarter|weeks?|days?)$/.test(texts[first + 1] ?? "")) texts[first] = ordinal;
  const noDay = readNoDay(texts, now, zone);
  if (noDay > 0) return { length: noDay, content: { kind: "unknown" } };
  const found = readPeriod(texts, now, zone);
  if (found === undefined) return undefined;
  const before = words[at - 1]?.text ?? "";
  // "Per week from October 5 through November 15": of each.
  if (texts[0] === "week" && /^(per|by|each|every)$/.test(before)) return undefined;
  const bare = found.words === 1 ? (texts[0] ?? "") : "";
  if (/^\d+$/.test(bare) && notYears.test(before)) return undefined;
  // "17th" alone is a day where the words before say so.
  if (/^\d+(st|nd|rd|th)$/.test(bare) && !/^(on|the|and|or|to|vs|versus|from|since|until)$/.test(before))
    return undefined;
  if (
    ["may", "march"].includes(bare) &&
    !/^(in|for|during|of|from|to|until|and|vs|versus|by)$/.test(before) &&
    (at !== 0 || /^(i|we)$/.test(words[at + 1]?.text ?? ""))
  )
    return undefined;
  const ends = endsOf(texts.slice(0, found.words), { now, zone });
  return { length: found.words, content: { kind: "period", period: found.period, ...(ends && { ends }) } };
}

/** "From September to October": the two periods, where both are longer than a day. */
function endsOf(texts: readonly string[], { now, zone }: Moment): readonly [Period, Period] | undefined {
  const middle = texts.indexOf(texts[0] === "between" ? "and" : "to");
  if (!/^(from|between)$/.test(texts[0] ?? "") || middle < 0) return undefined;
  const [first, last] = [texts.slice(1, middle), texts.slice(middle + 1)].map((part) => {
    const found = readPeriod(part, now, zone);
    return found?.words === part.length ? found.period : undefined;
  });
  return first && last && isLong(first) && isLong(last) ? [first, last] : undefined;
}

const isLong = ({ from, to }: Period): boolean => from !== null && Date.parse(to) - Date.parse(from) > 1.5 * dayMs;

/** "Mondays", "weekdays". */
export function matchDays(words: readonly Word[], at: number): Match | undefined {
  const stretch = stretchOfDays(words, at);
  if (stretch !== undefined) return stretch;
  const text = words[at]?.text ?? "";
  const before = words[at - 1]?.text;
  // "Monday mornings" are of every Monday, "Monday morning" is of the last one.
  const isOfMany = /^(mornings|afternoons|evenings|nights)$/.test(words[at + 1]?.text ?? "");
  // "A Monday", "the average Monday" are any.
  const isAny = /^(an?|average|typical)$/.test(before ?? "");
  const day = weekdayNames.filter((name) => {
    const one = name.toLowerCase();
    return text === `${one}s` || (text === one && (isOfMany || isAny));
  });
  const beforeNoun = text === "weekday" && /^(call|traffic|lead)$/.test(words[at + 1]?.stem ?? "");
  // "Only weekdays after 5pm" are five days of the week; "by weekdays" and "which weekdays" are any.
  const isLimit = /^(on|during|only|just|except|excluding|without)$/.test(before ?? "");
  const isLimited =
    words[at + 1]?.text === "only" || (isTimeNext(words, at) && !/^(by|per|each|which)$/.test(before ?? ""));
  const isOfWeek = text === "weekdays" && (isLimit || isLimited);
  const days = isOfWeek || (beforeNoun && before !== "by") ? weekdayNames.slice(0, 5) : day;
  return days.length === 0 ? undefined : asMeanings([{ kind: "days", days }]);
}

const isTimeNext = (words: readonly Word[], at: number): boolean =>
  /^(after|before|between|from)$/.test(words[at + 1]?.text ?? "") && /^\d/.test(words[at + 2]?.text ?? "");

/** "Mon-Fri", "Monday to Friday": those days of every week. */
function stretchOfDays(words: readonly Word[], at: number): Match | undefined {
  const joint = words[at + 1]?.text ?? "";
  const isShort = joint === "-";
  if (!isShort && !/^(to|through)$/.test(joint)) return undefined;
  const [from, to] = [words[at], words[at + 2]].map((word) => parseWeekday(word?.text, true)?.number);
  // "From Monday to Wednesday" are days of one week.
  if (from === undefined || to === undefined || from >= to || (!isShort && (from !== 1 || to !== 5))) return undefined;
  return asMeanings([{ kind: "days", days: weekdayNames.slice(from - 1, to) }], 3);
}
