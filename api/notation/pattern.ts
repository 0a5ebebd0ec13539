import { RE2JS } from "re2js";
import { remember } from "./remember.ts";

/** A customer's regular expression, matched in time linear in the text (lessons: customer paths and scripts). */
export interface Pattern {
  /** Instructions of its program: a match takes so many steps for each character, at the worst. */
  readonly size: number;
  /** Whether it matches somewhere in the text; false for a text longer than `maxTextLength`. */
  test(text: string): boolean;
}

/** Longest pattern (semantics 8.3). */
export const maxPatternLength = 256;
const maxProgramSize = 1000;
const maxTextLength = 2048;

/** The pattern in RE2's syntax, unanchored; null for one that cannot be read, or is too long or too large. */
export const toPattern = remember(1000, compile);

/** Patterns that are compiled for the filters of one destination, and their instructions together: some 20 ms of work. */
export const maxPatterns = 100;
export const maxPatternSize = 10_000;

/** Counts patterns that belong together, and compiles none beyond what they may have. */
export function createPatternAllowance() {
  let count = 0;
  let size = 0;
  return {
    /** False where these are too many, or those so far too large together. */
    take(sources: readonly string[]): boolean {
      count += sources.length;
      if (count > maxPatterns) return false;
      for (const source of sources) {
        size += toPattern(source)?.size ?? 0;
        if (size > maxPatternSize) return false;
      }
      return true;
    },
    isExceeded: (): boolean => count > maxPatterns || size > maxPatternSize,
  };
}

function compile(source: string): Pattern | null {
  if (source.length > maxPatternLength || repeatsOf(source) > maxProgramSize) return null;
  try {
    const compiled = RE2JS.compile(source);
    if (compiled.programSize() > maxProgramSize) return null;
    // Not `test`: its automaton grows by the text, up to 8 MB a pattern, and is many times as slow while it does.
    const isFound = (text: string) => compiled.matcher(text).find();
    return { size: compiled.programSize(), test: (text) => text.length <= maxTextLength && isFound(text) };
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
