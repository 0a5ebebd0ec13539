import dictionary from "dictionary-en";
import nspell from "nspell";

let spelling: ReturnType<typeof nspell> | undefined;

/** Tells if a word is spelled as in American English. The first call reads the dictionary, which takes a fifth of a second. */
export function isEnglish(word: string): boolean {
  spelling ??= nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic));
  return spelling.correct(word);
}
