import { cutText } from "../../ingest/primitives.ts";

/** Characters of JSON that the answer of a tool has at most, some 6,000 tokens of a model's context. */
export const maxAnswerLength = 24_000;

export interface Bounds {
  /** Fields that are never cut: a cursor or a plan is of use only whole. */
  readonly whole?: readonly string[];
  /** Items of an array that are shown at most, by its path, such as `data.rows`. */
  readonly most?: Readonly<Record<string, number>>;
}

export interface BoundedAnswer {
  readonly answer: Readonly<Record<string, unknown>>;
  /** What was left out, in words: `bids: 25 of 120 are shown`. */
  readonly leftOut: readonly string[];
  readonly fits: boolean;
}

/** Items of an array and characters of a text at first, and those that nothing is cut below. */
const items = { atFirst: 25, atLeast: 3 };
const characters = { atFirst: 2000, atLeast: 120 };
/** Each level halves what may be shown. */
const levels = 7;

/**
 * Cuts long texts and arrays of an answer until it fits into a model's context. What it drops are values, never fields,
 * so that the answer still has the form of its schema.
 */
export function boundAnswer(answer: Readonly<Record<string, unknown>>, bounds: Bounds = {}): BoundedAnswer {
  for (let level = 0; ; level += 1) {
    const cut = cutAt(level, answer, bounds);
    const fits = JSON.stringify(cut.answer).length <= maxAnswerLength;
    if (fits || level === levels - 1) return { ...cut, fits };
  }
}

function cutAt(level: number, answer: Readonly<Record<string, unknown>>, { whole = [], most = {} }: Bounds) {
  const maxText = Math.max(characters.atLeast, characters.atFirst >> level);
  const maxItems = (path: string): number => {
    const atFirst = most[path] ?? items.atFirst;
    return Math.max(Math.min(items.atLeast, atFirst), atFirst >> level);
  };
  const arrays = new Map<string, { shown: number; of: number }>();
  let texts = 0;
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === "string") {
      if (value.length <= maxText) return value;
      texts += 1;
      return cutText(value, maxText);
    }
    if (Array.isArray(value)) {
      const counted = arrays.get(path) ?? { shown: 0, of: 0 };
      const shown = whole.includes(path) ? value : value.slice(0, maxItems(path));
      arrays.set(path, { shown: counted.shown + shown.length, of: counted.of + value.length });
      return shown.map((each) => walk(each, path));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, walk(each, path === "" ? name : `${path}.${name}`)]),
    );
  };
  const kept = Object.entries(answer).map(([name, value]) => [name, isWhole(name, value) ? value : walk(value, name)]);
  function isWhole(name: string, value: unknown): boolean {
    // The items of an array that is whole are cut nevertheless.
    return whole.includes(name) && !Array.isArray(value);
  }
  const cutArrays = [...arrays].filter(([, { shown, of }]) => shown < of);
  return {
    answer: Object.fromEntries(kept) as Readonly<Record<string, unknown>>,
    leftOut: [
      ...cutArrays.map(([path, { shown, of }]) => `${path}: ${shown} of ${of} are shown`),
      ...(texts === 0 ? [] : [`${texts} texts are cut after ${maxText} characters, where [cut] stands`]),
    ],
  };
}
