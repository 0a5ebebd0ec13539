/** Levels of a body: what walks it later may do so by recursion. */
const maxDepth = 64;

interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key?: string | number;
  readonly parent?: Place;
}

export interface Unstorable {
  readonly path: readonly (string | number)[];
  readonly type: "string_unicode" | "too_deep";
  readonly msg: string;
}

/**
 * The first thing in an input that no store keeps as it was sent: text with a NUL or half a surrogate pair, or nesting
 * deeper than 64 levels. Walks without recursion, so the deepest input cannot exhaust the stack.
 */
export function findUnstorable(input: unknown): Unstorable | null {
  const places: Place[] = [{ value: input, depth: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value, depth } = place;
    if (typeof value === "string" && !isStorable(value)) return unicodeFault(place);
    if (typeof value !== "object" || value === null) continue;
    if (depth === maxDepth) {
      return { path: pathOf(place), type: "too_deep", msg: `must not be nested deeper than ${maxDepth} levels` };
    }
    for (const [key, each] of Object.entries(value)) {
      const inside = { value: each, depth: depth + 1, key: Array.isArray(value) ? Number(key) : key, parent: place };
      if (!isStorable(key)) return unicodeFault(place);
      places.push(inside);
    }
  }
  return null;
}

/** A lone surrogate is what is left of category Surrogate once pairs are read as one. */
const isStorable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);

const unicodeFault = (place: Place): Unstorable => ({
  path: pathOf(place),
  type: "string_unicode",
  msg: "must be Unicode text without NUL characters",
});

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.unshift(at.key);
  return path;
}
