import type { Word } from "./tokenize.ts";

/** "TX", "GET": in capitals among words that are not, so that the capitals say something. */
export const standsInCapitals = (words: readonly Word[], at: number): boolean =>
  isCapital(words[at]) && !words.every(isCapital);

const isCapital = (word: Word | undefined): boolean => word?.original === word?.original.toUpperCase();
