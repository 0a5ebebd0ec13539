import { isReserved } from "../../ingest/primitives.ts";

/** Levels of an input: what walks it later may do so by recursion. */
const maxDepth = 64;

/** Where something is inside an input, from the top. */
export type Path = readonly (string | number)[];

/** Where an input is nested deeper than 64 levels, or null. */
export const findTooDeep = (input: unknown): Path | null =>
  findPlace(input, ({ value, depth }) => depth > maxDepth && typeof value === "object" && value !== null);

/** Where an input has text that no store keeps as it was sent, a NUL or half a surrogate pair, or null. */
export const findUnstorableText = (input: unknown): Path | null =>
  findPlace(input, ({ value, key }) => isUnstorable(value) || isUnstorable(key));

/** Where an input has a field of a name that nothing keeps, or null. */
export const findReservedName = (input: unknown): Path | null =>
  findPlace(input, ({ key }) => typeof key === "string" && isReserved(key));

/** Read as code points, a whole pair is one that is no surrogate. */
const isUnstorable = (text: unknown): boolean => typeof text === "string" && /[\0\p{Surrogate}]/u.test(text);

interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key?: string | number;
  readonly parent?: Place;
}

/** Walks without recursion, so that the deepest input cannot exhaust the stack; what was found is not gone into. */
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
