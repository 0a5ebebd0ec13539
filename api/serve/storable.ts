import { isReserved } from "../../ingest/primitives.ts";

/** Levels of nesting that an input may have, so that later code can walk it by recursion. */
const maxDepth = 64;

/** The path of a value inside an input. */
export type Path = readonly (string | number)[];

/** Returns the path at which an input is nested deeper than 64 levels, or null. */
export const findTooDeep = (input: unknown): Path | null =>
  findPlace(input, ({ value, depth }) => depth > maxDepth && typeof value === "object" && value !== null);

/** Returns the path of text that stores cannot keep, with a NUL or half a surrogate pair, or null. */
export const findUnstorableText = (input: unknown): Path | null =>
  findPlace(input, ({ value, key }) => isUnstorable(value) || isUnstorable(key));

/** Returns the path of a field with a reserved name, or null. */
export const findReservedName = (input: unknown): Path | null =>
  findPlace(input, ({ key }) => typeof key === "string" && isReserved(key));

/** With the `u` flag a complete pair is one code point and not a surrogate. */
const isUnstorable = (text: unknown): boolean => typeof text === "string" && /[\0\p{Surrogate}]/u.test(text);

interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key?: string | number;
  readonly parent?: Place;
}

/** Walks without recursion, so that a deeply nested input cannot exhaust the stack. */
function findPlace(input: unknown, isFault: (place: Place) => boolean): Path | null {
  const places: Place[] = [{ value: input, depth: 1 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (isFault(place)) return pathOf(place);
    const { value, depth } = place;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, each] of Object.entries(value)) {
      places.push({ value: each, depth: depth + 1, key: Array.isArray(value) ? Number(key) : key, parent: place });
    }
  }
  return null;
}

function pathOf(place: Place): Path {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
