import { phrasesOf } from "../../catalog/wording.ts";

/** Wordings parted by commas; "comma" is the sign itself. */
export const phrases = (list: string): readonly string[] =>
  list.split(", ").flatMap((wording) => (wording === "comma" ? "," : phrasesOf(wording)));
