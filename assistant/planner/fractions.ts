import { stem, type Word } from "./words/tokenize.ts";

interface Reworded {
  readonly words: readonly Word[];
  readonly notes: readonly string[];
}

const counted = "(?:the |our |my )?calls?";
/** How else the part of all calls is asked for; where the answer is not of a hundred, it is said so. */
const ways: readonly { readonly said: RegExp; readonly isPercent: boolean }[] = [
  // "one in how many calls", "1 out of how many calls"
  { said: new RegExp(`^(?:one|1) (?:in|of|out of) (?:every )?how many ${counted}\\b`), isPercent: false },
  // "how many of every 10 calls", "how many in 100 calls"
  {
    said: new RegExp(`^how many (?:of|in|out of) (?:every |each )?(?<size>10|100|1000) ${counted}\\b`),
    isPercent: false,
  },
  // "out of every 10 calls how many"
  {
    said: new RegExp(`^(?:of|in|out of) (?:every |each )?(?<size>10|100|1000) ${counted} ,? ?how many\\b`),
    isPercent: false,
  },
  // "how many out of all calls", "how many calls out of all"
  { said: new RegExp(`^how many (?:out of all ${counted}|${counted} out of all(?: calls)?)\\b`), isPercent: true },
];

/** "One in how many calls converted", "how many out of every 10 calls": a percentage of calls, in other words. */
export function withPercentages(words: readonly Word[]): Reworded {
  const texts = words.map(({ text, quoted }) => (quoted ? '"' : text));
  for (const at of words.keys()) {
    const rest = texts.slice(at).join(" ");
    for (const { said, isPercent } of ways) {
      const match = said.exec(rest);
      if (match === null) continue;
      const length = match[0].split(" ").length;
      const isOfHundred = isPercent || match.groups?.size === "100";
      const notes = isOfHundred ? [] : [`I show "${match[0]}" as a percentage.`];
      return { words: [...words.slice(0, at), ...percentage, ...words.slice(at + length)], notes };
    }
  }
  return { words, notes: [] };
}

const percentage: readonly Word[] = ["percentage", "of", "calls"].map((text) => ({
  original: text,
  text,
  stem: stem(text),
  quoted: false,
}));
