import type { Word } from "./words/tokenize.ts";

const lengthWords = new Set(
  "duration length long longest shortest acl aht talk handle connected wait time latency slowest fastest response".split(
    " ",
  ),
);
const unitWords = /^(hours?|hrs|minutes?|mins|seconds?|secs|ms|milliseconds?)$/;

/** "Total duration in hours": the unit of a figure is no unit of time to group by; figures keep their own unit. */
export function withoutUnits(words: readonly Word[]): { readonly words: readonly Word[]; readonly notes: string[] } {
  const at = words.findIndex(
    ({ text }, index) =>
      text === "in" && unitWords.test(words[index + 1]?.text ?? "") && words[index + 2]?.text !== "of",
  );
  if (at < 0 || !words.some(({ text }) => lengthWords.has(text))) return { words, notes: [] };
  const said = words[at + 1]?.text ?? "";
  const kept = words.some(({ text }) => /^(latency|response)$/.test(text)) ? "milliseconds" : "seconds";
  const unit = /^m(s|illi)/.test(said) ? "milliseconds" : said.startsWith("sec") ? "seconds" : said;
  const notes = unit === kept ? [] : [`I took "in ${said}" as the unit of the figure; in the table it is in ${kept}.`];
  return { words: words.filter((_, index) => index !== at && index !== at + 1), notes };
}
