import type { Lexicon } from "./lexicon.ts";
import { type Item, type Linking, link } from "./link.ts";
import type { Names } from "./names.ts";
import { refuse } from "./refuse.ts";
import { distance, stem, toWords, type Word } from "./words.ts";

export interface Understood {
  readonly items: readonly Item[];
  /** "I read 'revnue' as 'revenue'." */
  readonly corrections: readonly string[];
  readonly refusal: string | undefined;
}

/** Links the question, corrects what is nearly a known word, and links again. */
export function understand(question: string, linking: Linking): Understood {
  const words = toWords(question);
  const first = link(words, linking);
  const refusal = refuse(words, (index) => isFree(first, index));
  if (refusal !== undefined) return { items: first, corrections: [], refusal };
  const corrections: string[] = [];
  const corrected = words.map((word, index): Word => {
    if (!isUnknown(first, index)) return word;
    const [only, other] = nearest(word, linking);
    if (only === undefined || other !== undefined) return word;
    corrections.push(`I read "${word.original}" as "${only}".`);
    return { original: only, text: only, stem: stem(only), quoted: false };
  });
  return { items: corrections.length === 0 ? first : link(corrected, linking), corrections, refusal };
}

const itemAt = (items: readonly Item[], index: number) => items.find(({ from, to }) => from <= index && index < to);
const isUnknown = (items: readonly Item[], index: number): boolean => itemAt(items, index)?.kind === "unknown";
const isFree = (items: readonly Item[], index: number): boolean =>
  ["unknown", "stop"].includes(itemAt(items, index)?.kind ?? "");

/** The known words that are the fewest letters away: one of five letters or more may be off by one, of eight by two. */
export function nearest(
  word: Word,
  { lexicon, names }: { readonly lexicon: Lexicon; readonly names: Names },
): readonly string[] {
  const { stem: said } = word;
  if (said.length < 4 || /\d/.test(said)) return [];
  const most = said.length >= 8 ? 2 : 1;
  let best = most;
  let found: string[] = [];
  for (const known of new Set([...lexicon.vocabulary, ...names.vocabulary])) {
    if (known.length < 4 || (said.length === 4 && known.length === 4)) continue;
    const letters = distance(said, known, best);
    if (letters > best) continue;
    if (letters < best) found = [];
    best = letters;
    found.push(known);
  }
  return found;
}

/** Known words and names that resemble one we do not know, for "did you mean". */
export function suggest(
  said: string,
  { lexicon, names }: { readonly lexicon: Lexicon; readonly names: Names },
): readonly string[] {
  const key = stem(said.toLowerCase());
  if (key.length < 3) return [];
  const most = key.length < 6 ? 1 : 2;
  const score = (known: string) => {
    const start = known.startsWith(key.slice(0, 4)) ? 2 : 0;
    return distance(key, known, 4) - start;
  };
  const near = (all: Iterable<string>) =>
    [...all]
      .filter((word) => word !== key)
      .map((word) => ({ word, letters: score(word) }))
      .filter(({ letters }) => letters <= most);
  const ofNames = names.all.flatMap(({ value }) => {
    const letters = Math.min(...toWords(value).map((word) => score(word.stem)));
    return letters <= most ? [{ word: value, letters }] : [];
  });
  const ranked = [...near(lexicon.vocabulary), ...ofNames].sort((a, b) => a.letters - b.letters);
  return [...new Set(ranked.map(({ word }) => word))].slice(0, 3);
}
