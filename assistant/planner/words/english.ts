import { createRequire } from "node:module";
import dictionary from "dictionary-en";
import nspell from "nspell";
import type { ItemToken, ItsHelpers, Model, WinkMethods } from "wink-nlp";

let spelling: ReturnType<typeof nspell> | undefined;

/** Tells if a word is spelled as in American English. The first call reads the dictionary, which takes a fifth of a second. */
export function isEnglish(word: string): boolean {
  spelling ??= nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic));
  return spelling.correct(word);
}

let tagger: { readonly nlp: WinkMethods; readonly its: ItsHelpers } | undefined;

/** A word as it is used: its part of speech, by its universal tag such as "VERB", and its base form. */
export interface Spoken {
  readonly part: string;
  readonly lemma: string;
}

/** The part of speech of each word of a clause (universal tags, such as "VERB"), by the word in small letters. */
export function partsOfSpeech(clause: string): ReadonlyMap<string, Spoken> {
  // Read at the first remark and not with the module: it takes 0.16 s and 40 MB.
  if (tagger === undefined) {
    const require = createRequire(import.meta.url);
    const winkNlp = require("wink-nlp") as (model: Model, pipe: string[]) => WinkMethods;
    const nlp = winkNlp(require("wink-eng-lite-web-model") as Model, ["pos"]);
    tagger = { nlp, its: nlp.its };
  }
  const { nlp, its } = tagger;
  const found = new Map<string, Spoken>();
  nlp
    .readDoc(clause)
    .tokens()
    .each((token: ItemToken) => {
      const word = token.out().toLowerCase();
      if (!found.has(word))
        found.set(word, { part: token.out(its.pos), lemma: token.out(its.lemma as typeof its.pos) });
    });
  return found;
}
