import { RE2JS } from "re2js";
import { remember } from "./remember.ts";

/** A customer's regular expression, matched in time linear in the text (lessons: customer paths and scripts). */
export interface Pattern {
  /** Whether it matches somewhere in the text; false for a text longer than `maxTextLength`. */
  test(text: string): boolean;
}

/** Longest pattern (semantics 8.3). */
export const maxPatternLength = 256;
/** Time is steps of the program times length of the text: with these two, some milliseconds at the very worst. */
const maxProgramSize = 1000;
const maxTextLength = 2048;

/** The pattern in RE2's syntax, unanchored; null for one that cannot be read, or is too long or too large. */
export const toPattern = remember(1000, compile);

function compile(source: string): Pattern | null {
  if (source.length > maxPatternLength || repeatsOf(source) > maxProgramSize) return null;
  try {
    const compiled = RE2JS.compile(source);
    if (compiled.programSize() > maxProgramSize) return null;
    return { test: (text) => text.length <= maxTextLength && compiled.test(text) };
  } catch {
    // Whatever the library finds wrong with it, nothing can be matched against it.
    return null;
  }
}

/** All counts of `{n,m}` together: each repeat becomes as many steps before the size of the program can be asked. */
function repeatsOf(source: string): number {
  let sum = 0;
  for (const [, low, high] of source.matchAll(/\{(\d+),?(\d*)\}/g)) sum += Math.max(Number(low), Number(high));
  return sum;
}
