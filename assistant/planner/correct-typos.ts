import { type Item, itemAt } from "./link/item.ts";
import { isKnownWord, type Lexicon, type Meaning } from "./link/lexicon.ts";
import { link } from "./link/link.ts";
import type { Known, Linking, Names } from "./link/name-index.ts";
import { isEnglish } from "./words/english.ts";
import { createWordIndex, distance, type Near } from "./words/nearby.ts";
import { functionWords, stopWords } from "./words/small-words.ts";
import { stem, toWords, type Word } from "./words/tokenize.ts";

export interface Understood {
  readonly items: readonly Item[];
  /** "I read 'revnue' as 'revenue'." */
  readonly corrections: readonly string[];
}

/** More unknown words are no typos: the question is handed back as it is. */
const mostUnknown = 5;

/** Links the question, corrects what is nearly a known word, and links again. */
export function understand(words: readonly Word[], linking: Linking): Understood {
  const first = link(words, linking);
  const unknown = first.filter(({ kind }) => kind === "unknown");
  if (unknown.length > mostUnknown) return { items: first, corrections: [] };
  const corrections: string[] = [];
  const corrected = words.flatMap((word, index): Word | readonly Word[] => {
    if (itemAt(first, index)?.kind !== "unknown") return word;
    // "Everyone" is "every one".
    const isRight = isEnglish(word.text) && !word.text.startsWith("every");
    const parts = isRight ? undefined : splitInTwo(word, linking);
    if (parts !== undefined) {
      corrections.push(`I read "${word.original}" as "${parts.map(({ text }) => text).join(" ")}".`);
      return parts;
    }
    const [only, other] = isRight ? [] : (nearestInName(words, index, linking) ?? nearest(word, linking));
    if (only === undefined || other !== undefined || only === word.stem) return word;
    // "Acme" is a name that we do not know, no "came"; "Wich" at the beginning is no name.
    const isName = /^\p{Lu}/u.test(word.original) && (index > 0 || slipOf(word.stem, only) > 2);
    if (stopWords.has(only) && (isName || only[0] !== word.stem[0])) return word;
    const several = `${only}s`;
    const meant = word.text.endsWith("s") && stem(several) === only ? several : only;
    corrections.push(`I read "${word.original}" as "${meant}".`);
    return { original: meant, text: meant, stem: stem(meant), quoted: false };
  });
  if (corrections.length === 0) return { items: first, corrections };
  const items = link(corrected, linking);
  // A word of a longer phrase, which says nothing by itself, is no correction.
  const isNothing = items.some(({ kind, from }) => kind === "unknown" && corrected[from] !== words[from]);
  return isNothing && corrected.length === words.length ? { items: first, corrections: [] } : { items, corrections };
}

/** "Northshore leeds": beside a word of a name, the word that is nearly another one of the same name. */
function nearestInName(words: readonly Word[], index: number, { names }: Known): readonly string[] | undefined {
  const said = words[index]?.stem ?? "";
  const most = said.length >= 8 ? 2 : 1;
  if (said.length < 4 || /\d/.test(said) || isEnglish(said)) return undefined;
  const beside = [words[index - 1], words[index + 1]].filter((word) => word !== undefined && !stopWords.has(word.text));
  const near = beside.flatMap((word) =>
    (names.namesWith.get(word?.stem ?? "") ?? []).flatMap((name) =>
      toWords(name)
        .filter((part) => part.stem !== word?.stem && distance(said, part.stem, most) <= most)
        .map(({ text }) => text),
    ),
  );
  const found = [...new Set(near)];
  return found.length === 1 ? found : undefined;
}

const leastPart = 3;

/** "lastweek", "fillrate": two known words with their space left out; undefined when there is no or more than one way. */
function splitInTwo({ original, text }: Word, { lexicon }: Known): readonly [Word, Word] | undefined {
  const isKnown = (part: string) => isKnownWord(lexicon, { text: part, stem: stem(part) });
  const places = Array.from({ length: Math.max(0, text.length - 2 * leastPart + 1) }, (_, step) => step + leastPart);
  const [at, other] = places.filter((place) => isKnown(text.slice(0, place)) && isKnown(text.slice(place)));
  if (at === undefined || other !== undefined) return undefined;
  const word = (part: string): Word => ({ original: part, text: part, stem: stem(part), quoted: false });
  return [word(original.slice(0, at).toLowerCase()), word(original.slice(at).toLowerCase())];
}

/** The known words that are nearest: one of five letters or more may be off by one, of eight by two. */
function nearest({ stem: said }: Word, { lexicon, names }: Known): readonly string[] {
  if (said.length < 3 || /\d/.test(said)) return [];
  const bare = withoutVowels(said, lexicon, names);
  if (bare.length > 0) return bare;
  const most = said.length >= 8 ? 2 : 1;
  const small = said.length < 4 ? [] : smallWords.near(said, 1).filter(({ word }) => slipOf(said, word) <= 1);
  const near = [...lexicon.words.near(said, most), ...names.words.near(said, most)].filter(
    ({ word }) => word !== said && !/\d/.test(word) && isLikely(said, word) && !isOpposite(said, word),
  );
  const found = [...near, ...small].map(({ word, letters }) => ({ word, away: 8 * letters + slipOf(said, word) }));
  const best = Math.min(...found.map(({ away }) => away));
  return [...new Set(found.filter(({ away }) => away === best).map(({ word }) => word))];
}

/** The words that change no plan, of the lengths that are mistyped. */
const smallWords = createWordIndex([...functionWords].filter((word) => /^[a-z]{5,}$/.test(word)));

/** A short word is a slip of a longer one, of its own letters, or of itself with one letter doubled. */
const isLikely = (said: string, word: string): boolean =>
  said.length < 4
    ? isDoubled(said, word)
    : word.length >= (said.length === 4 ? 5 : 4) || isTurned(word, said) || isDoubled(said, word);

const isDoubled = (said: string, word: string): boolean =>
  word.length === said.length + 1 && said[0] === word[0] && word.replace(/(\p{L})\1/gu, "$1") === said;

/** How a slip of one letter came about, the likeliest first: two letters swapped, one left out, one too many, another one; seldom the first or the last. */
function slipOf(said: string, word: string): number {
  const kind = isTurned(word, said) ? 0 : word.length > said.length ? 1 : word.length < said.length ? 2 : 3;
  return kind + (said[0] === word[0] && said.at(-1) === word.at(-1) ? 0 : 4);
}

/** "Unprofitable" is no slip of "profitable". */
function isOpposite(said: string, word: string): boolean {
  const [prefix] = /^(?:un|non|dis|mis|im|ir|in)/.exec(said) ?? [];
  return prefix !== undefined && !word.startsWith(prefix) && distance(said.slice(prefix.length), word, 1) <= 1;
}

/** "mnay": its letters in another order. */
const isTurned = (word: string, said: string): boolean => [...word].sort().join() === [...said].sort().join();

const vowels = /[aeiou]/g;
const mostVowels = 4;

/** "clls", "chnged", "ystrday": typed with fewer vowels than it has. */
function withoutVowels(said: string, lexicon: Lexicon, names: Names): readonly string[] {
  const bones = said.replace(vowels, "");
  if (bones.length < 3 || (said.match(vowels) ?? []).length > 1) return [];
  const begun = [...lexicon.vocabulary, ...stopWords].filter((word) => word[0] === said[0]);
  const fits = (word: string) =>
    word.length > said.length &&
    word.length <= said.length + mostVowels &&
    word.replace(vowels, "") === bones &&
    isWithin(said, word);
  return [...new Set([...begun, ...names.words.startingWith(said.slice(0, 3))].filter(fits).map(stem))];
}

/** Whether letters were only left out. */
function isWithin(said: string, word: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === said[at]) at++;
  return at === said.length;
}

const suggested = 3;
const things = new Set<Meaning["kind"]>(["subject", "measure", "dimension", "value", "flag", "quantity"]);

/** Measures, groups, facts and names that resemble a word we do not know, for "did you mean"; names are quoted. */
export function suggest(said: string, { lexicon, names }: Known): readonly string[] {
  const key = stem(said.toLowerCase());
  if (key.length < 3) return [];
  const isThing = (word: string) =>
    word.length > 3 && lexicon.meanings.get(word)?.some(({ kind }) => things.has(kind)) === true;
  const words = alike(key, lexicon.words).filter(({ word }) => word !== key && isThing(word));
  const ofNames = alike(key, names.words)
    .filter(({ word }) => word !== key)
    .flatMap(({ word, letters }) =>
      (names.namesWith.get(word) ?? []).slice(0, suggested).map((name) => ({ word: `"${name}"`, letters })),
    );
  const ranked = [...words, ...ofNames].sort((a, b) => a.letters - b.letters);
  return [...new Set(ranked.map(({ word }) => word))].slice(0, suggested);
}

/** A word that starts alike may be two letters further away. */
function alike(key: string, words: Known["names"]["words"]): readonly Near[] {
  const most = key.length < 6 ? 1 : 2;
  const start = key.slice(0, 4);
  const begun = words
    .startingWith(start)
    .map((word): Near => ({ word, letters: distance(key, word, most + 2) - 2 }))
    .filter(({ letters }) => letters <= most);
  return [...begun, ...words.near(key, most).filter(({ word }) => !word.startsWith(start))];
}
