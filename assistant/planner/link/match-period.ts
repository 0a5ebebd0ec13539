import { weekdayNames } from "../../calendar.ts";
import { readPeriod } from "../period/period.ts";
import type { Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
import type { Linking } from "./linking.ts";

type Moment = Pick<Linking, "now" | "zone">;

/** What a number stands behind that is no year. */
const notYears =
  /^(than|over|under|top|bottom|least|most|above|below|between|exceed(s|ed|ing)?|topped|surpassed|beyond)$/;

/** A bare year or month is a period only where it cannot be a number or a verb. */
export function matchPeriod(words: readonly Word[], at: number, { now, zone }: Moment): Match | undefined {
  const texts = words.slice(at).map((word) => (word.text === "," ? "" : word.text));
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
    at !== 0
  )
    return undefined;
  return { length: found.words, content: { kind: "period", period: found.period } };
}

/** "Mondays", "weekdays". */
export function matchDays(words: readonly Word[], at: number): Match | undefined {
  const text = words[at]?.text ?? "";
  const before = words[at - 1]?.text;
  // "Monday mornings" are of every Monday, "Monday morning" is of the last one.
  const isOfMany = /^(mornings|afternoons|evenings|nights)$/.test(words[at + 1]?.text ?? "");
  const day = weekdayNames.filter(
    (name) => text === `${name.toLowerCase()}${isOfMany && !text.endsWith("s") ? "" : "s"}`,
  );
  const beforeNoun = text === "weekday" && /^(call|traffic|lead)$/.test(words[at + 1]?.stem ?? "");
  const isOfWeek = text === "weekdays" && (before === "on" || before === "during");
  const days = isOfWeek || (beforeNoun && before !== "by") ? weekdayNames.slice(0, 5) : day;
  return days.length === 0 ? undefined : asMeanings([{ kind: "days", days }]);
}
