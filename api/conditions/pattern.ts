import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";

/** A customer's regular expression, matched in time linear in the text: RE2, which does not backtrack. */
export interface Pattern {
  /** Instructions of its program: the most steps that a match takes for each character. */
  readonly size: number;
  /** Returns true if it matches anywhere in the text; false for a text longer than `maxTextLength`. */
  test(text: string): boolean;
}

/** Longest pattern, in characters. */
export const maxPatternLength = 256;
const maxProgramSize = 1000;
const maxTextLength = 2048;

const compiledPatterns = new LRUCache<string, { readonly pattern: Pattern | null }>({
  max: 1000,
  memoMethod: (source) => ({ pattern: compile(source) }),
});

/** Compiles a pattern of RE2's syntax, unanchored; null if it is not valid, too long or too large. The last 1000 are kept. */
export const toPattern = (source: string): Pattern | null => compiledPatterns.memo(source).pattern;

/** Bounds of the patterns compiled for one destination's filters, and of their instructions in total: some 20 ms of work. */
export const maxPatterns = 100;
export const maxPatternSize = 10_000;

/** Counts the patterns of one destination and compiles none beyond its bounds. */
export function createPatternAllowance() {
  let count = 0;
  let size = 0;
  return {
    /** Returns false if there are now too many patterns, or if they are too large in total. */
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
  if (source.length > maxPatternLength || lengthWrittenOut(source) > maxProgramSize) return null;
  try {
    const compiled = RE2JS.compile(source);
    if (compiled.programSize() > maxProgramSize) return null;
    // Not `test`: its automaton grows by the text, up to 8 MB a pattern, and is many times as slow while it does.
    const isFound = (text: string) => compiled.matcher(text).find();
    return { size: compiled.programSize(), test: (text) => text.length <= maxTextLength && isFound(text) };
  } catch {
    // The library throws errors of several kinds; nothing can be matched against any such pattern.
    return null;
  }
}

/** A repeat, a group's begin with its flags or name, its end, an escape, a class, or any other character. */
const parts =
  /\{(?<low>\d+)(?:,(?<high>\d*))?\}|(?<begin>\((?:\?(?:P?<\w+>|[imsU-]*:))?)|(?<end>\))|\\(?:[pPx]\{\w*\}|.)|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|./gsu;

/**
 * Returns how many characters a pattern has when its repeats are written out, in one another too: what the library does
 * before it can report the program's size, which is no less. A pattern of 14 characters can take it 50 ms.
 */
function lengthWrittenOut(source: string): number {
  const outer: number[] = [];
  let length = 0;
  let last = 0;
  for (const { groups: { low, high, begin, end } = {} } of source.matchAll(parts)) {
    if (begin !== undefined) {
      outer.push(length);
      [length, last] = [0, 0];
    } else if (end !== undefined) {
      last = length;
      length += outer.pop() ?? 0;
    } else if (low !== undefined) {
      const [least, most] = [Number(low), Number(high || low)];
      // An optional part takes one more instruction, which chooses.
      const written = last * Math.max(1, most + Math.max(0, most - least));
      length += written - last;
      last = written;
    } else {
      last = 1;
      length += 1;
    }
  }
  return outer.reduce((sum, each) => sum + each, length);
}
