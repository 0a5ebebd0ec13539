import { cutText } from "../../ingest/primitives.ts";

/** Characters of JSON that the answer of a tool has at most, some 6,000 tokens of a model's context. */
export const maxAnswerLength = 24_000;

export interface Bounds {
  /** Fields and arrays that are never cut, by their path: a cursor is of use only whole. The items of an array are cut. */
  readonly whole?: readonly string[];
  /** Fields that are cut only where nothing else helps: a plan and its SQL are worth their length. */
  readonly last?: readonly string[];
  /** Items of an array that are shown at most, by its path, such as `data.rows` or `subjects[].measures`. */
  readonly most?: Readonly<Record<string, number>>;
}

export interface BoundedAnswer {
  readonly answer: Readonly<Record<string, unknown>>;
  /** The parts that were left out, in words: `bids: 25 of 120 are shown`. */
  readonly leftOut: readonly string[];
  readonly fits: boolean;
}

/** Items of an array and characters of a text at first, and those that nothing is cut below. */
const items = { atFirst: 25, atLeast: 3 };
const characters = { atFirst: 2000, atLeast: 120 };
/** Fields of an object that are shown; only a record, such as that of a call's tags, has more. */
export const mostFields = 60;
/** Each level halves what may be shown. */
const levels = 7;

/**
 * Cuts long texts, arrays and records of an answer until it fits into a model's context. It drops no field of a schema, so
 * that the answer still has its form.
 */
export function boundAnswer(answer: Readonly<Record<string, unknown>>, bounds: Bounds = {}): BoundedAnswer {
  for (let level = 0; ; level += 1) {
    const cut = cutAt(level, answer, bounds);
    const fits = JSON.stringify(cut.answer).length <= maxAnswerLength;
    if (fits || level === levels - 1) return { ...cut, fits };
  }
}

function cutAt(level: number, answer: Readonly<Record<string, unknown>>, { whole = [], last = [], most = {} }: Bounds) {
  const maxText = Math.max(characters.atLeast, characters.atFirst >> level);
  const maxItems = (path: string): number => {
    const atFirst = most[path] ?? items.atFirst;
    return Math.max(Math.min(items.atLeast, atFirst), atFirst >> level);
  };
  const isKept = (path: string): boolean => whole.includes(path) || (level < levels - 1 && last.includes(path));
  const counts = new Map<string, { shown: number; of: number }>();
  let texts = 0;
  function shorten<T>(given: readonly T[], path: string, atMost: number): readonly T[] {
    const counted = counts.get(path) ?? { shown: 0, of: 0 };
    const shown = given.slice(0, atMost);
    counts.set(path, { shown: counted.shown + shown.length, of: counted.of + given.length });
    return shown;
  }
  function walk(value: unknown, path: string): unknown {
    if (Array.isArray(value)) {
      return shorten(value, path, isKept(path) ? value.length : maxItems(path)).map((each) => walk(each, `${path}[]`));
    }
    if (isKept(path)) return value;
    if (typeof value === "string") {
      if (value.length <= maxText) return value;
      texts += 1;
      return cutText(value, maxText);
    }
    if (typeof value !== "object" || value === null) return value;
    const fields = shorten(Object.entries(value), path, mostFields);
    return Object.fromEntries(fields.map(([name, each]) => [name, walk(each, path === "" ? name : `${path}.${name}`)]));
  }
  const kept = walk(answer, "") as Readonly<Record<string, unknown>>;
  const cut = [...counts].filter(([, { shown, of }]) => shown < of);
  return {
    answer: kept,
    leftOut: [
      ...cut.map(([path, { shown, of }]) => `${path}: ${shown} of ${of} are shown`),
      ...(texts === 0 ? [] : [`texts are cut after ${maxText} characters, where [cut] stands: ${texts}`]),
    ],
  };
}
