import type { SubjectName } from "../../plan.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Names } from "./name-index.ts";

/** What words are looked up in. */
export interface Known {
  readonly lexicon: Lexicon;
  readonly names: Names;
}

/** What a question is linked with; the clock and the zone give periods their dates. */
export interface Linking extends Known {
  readonly now: number;
  readonly zone: string;
  /** Phrases that mean nothing of these records are read as their single words. */
  readonly of?: SubjectName;
}
