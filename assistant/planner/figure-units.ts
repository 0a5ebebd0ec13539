import type { Word } from "./words/tokenize.ts";

const lengthWords = new Set(
  "duration length long longest shortest acl aht talk handle connected wait time latency slowest fastest response".split(
    " ",
  ),
);
const unitWords = /^(hours?|hrs|minutes?|mins|seconds?|secs|ms|milliseconds?)$/;
const moneyWords = /^(dollars?|usd|bucks|money)$/;
const figuresInMoney = /^(revenue|payout|profit|cost|epc|rpc|bid|spend|income|earning)$/;

/** "Total duration in hours", "p95 latency by webhook, ms": the unit of a figure is no unit of time to group by; figures keep their own unit. */
export function withoutUnits(words: readonly Word[]): { readonly words: readonly Word[]; readonly notes: string[] } {
  const at = unitAt(words);
  const said = words[at + 1]?.text ?? "";
  if (at < 0) return { words, notes: [] };
  const others = words.filter((_, index) => index !== at && index !== at + 1);
  if (moneyWords.test(said)) return { words: others, notes: [] };
  if (!words.some(({ text }) => lengthWords.has(text))) return { words, notes: [] };
  const kept = words.some(({ text }) => /^(latency|response)$/.test(text)) ? "milliseconds" : "seconds";
  const unit = /^m(s|illi)/.test(said) ? "milliseconds" : said.startsWith("sec") ? "seconds" : said;
  const notes = unit === kept ? [] : [`I took "${said}" as the unit of the figure; in the table it is in ${kept}.`];
  return { words: others, notes };
}

/** Where "in" or a comma stands before a unit; behind a comma only at the end. */
function unitAt(words: readonly Word[]): number {
  const last = words.length - 2;
  return words.findIndex(({ text }, index) => {
    const next = words[index + 1]?.text ?? "";
    if (text === "in") return unitWords.test(next) && words[index + 2]?.text !== "of";
    if (text !== "," || index !== last) return false;
    return unitWords.test(next) || (moneyWords.test(next) && words.some(({ stem }) => figuresInMoney.test(stem)));
  });
}
