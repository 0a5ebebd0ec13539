import { weekdayNames } from "../../calendar.ts";
import type { Period } from "../../plan.ts";
import { parseWeekday } from "../period/date.ts";
import { readPeriod } from "../period/period.ts";
import type { Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
import type { Linking } from "./name-index.ts";

type Moment = Pick<Linking, "now" | "zone">;

const owners = /^(?:yesterday|today|january|february|april|june|july|august|september|october|november|december)s$/;

/** What a number stands behind that is no year. */
const notYears =
  /^(than|over|under|top|bottom|least|most|above|below|between|exceed(s|ed|ing)?|topped|surpassed|beyond)$/;

/** A bare year or month is a period only where it cannot be a number or a verb. */
export function matchPeriod(words: readonly Word[], at: number, { now, zone }: Moment): Match | undefined {
  // "Yesterdays", "octobers": typed without the apostrophe.
  const texts = words.slice(at).map(({ text }) => (text === "," ? "" : owners.test(text) ? text.slice(0, -1) : text));
  const found = readPeriod(texts, now, zone);
  if (found === undefined) return undefined;
  const before = words[at - 1]?.text ?? "";
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

const dayMs = 86_400_000;
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
