import { isReserved } from "../../ingest/primitives.ts";

/** Levels of nesting that an input may have, so that later code can walk it by recursion. */
const maxDepth = 64;

/** The path of a value inside an input. */
export type Path = readonly (string | number)[];

/** Returns the path at which an input is nested deeper than 64 levels, or null. */
export const findTooDeep = (input: unknown): Path | null =>
  findPlace(input, (value, { depth }) => depth > maxDepth && isContainer(value));

/** Returns the path of text that stores cannot keep, with a NUL or half a surrogate pair, or null. */
export const findUnstorableText = (input: unknown): Path | null =>
  findPlace(input, (value, { key }) => isUnstorable(value) || isUnstorable(key));

/** Returns the path of a field with a reserved name, or null. */
export const findReservedName = (input: unknown): Path | null =>
  findPlace(input, (_value, { key }) => typeof key === "string" && isReserved(key));

/** With the `u` flag a complete pair is one code point and not a surrogate. */
const isUnstorable = (text: unknown): boolean => typeof text === "string" && /[\0\p{Surrogate}]/u.test(text);

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

interface Container {
  readonly value: object;
  /** The depth of the values in it: 1 for the input itself. */
  readonly depth: number;
  readonly key?: string | number;
  readonly parent?: Container;
}

/** The place of a value that is looked at, the same object for each: a body of a megabyte has half a million values. */
interface Place {
  depth: number;
  key?: string | number;
}

/** Walks without recursion, so that a deeply nested input cannot exhaust the stack. */
function findPlace(input: unknown, isFault: (value: unknown, place: Place) => boolean): Path | null {
  const place: Place = { depth: 1 };
  if (isFault(input, place)) return [];
  const containers: Container[] = isContainer(input) ? [{ value: input, depth: 2 }] : [];
  for (let within = containers.pop(); within !== undefined; within = containers.pop()) {
    const { value, depth } = within;
    const isList = Array.isArray(value);
    const keys = isList ? null : Object.keys(value);
    const count = isList ? value.length : (keys?.length ?? 0);
    for (let index = 0; index < count; index++) {
      const key = keys?.[index] ?? index;
      const each: unknown = (value as Record<string | number, unknown>)[key];
      place.depth = depth;
      place.key = key;
      if (isFault(each, place)) return [...pathOf(within), key];
      if (isContainer(each)) containers.push({ value: each, depth: depth + 1, key, parent: within });
    }
  }
  return null;
}

function pathOf(container: Container): Path {
  const path: (string | number)[] = [];
  for (let at: Container | undefined = container; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
