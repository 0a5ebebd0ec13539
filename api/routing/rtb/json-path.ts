import { LRUCache } from "lru-cache";

/** Names that lead out of an answer's own data into the prototype chain. */
const hostile: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Reads the value at a path of a buyer's answer: `$.a.b[0]['c d']`, `a.b.0` or `/a/b/0`; `$` is the whole of it. Undefined
 * where there is none, and for any other path: wildcards and expressions are not supported.
 */
export function readPath(value: unknown, path: string): unknown {
  const { names } = paths.memo(path);
  if (names === null) return undefined;
  let at = value;
  for (const name of names) {
    if (typeof at !== "object" || at === null || !isOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

/** Paths of formulas are read once; beyond so many, those that were used longest ago are forgotten. */
const paths = new LRUCache<string, { readonly names: readonly string[] | null }>({
  max: 20_000,
  memoMethod: (path) => ({ names: toNames(path.trim()) }),
});

function isOwn(holder: object, name: string): boolean {
  if (hostile.has(name)) return false;
  // A list has its places alone: its length is no answer of the buyer's.
  return (Array.isArray(holder) ? /^\d+$/.test(name) : true) && Object.hasOwn(holder, name);
}

/** The names along a path; null for what is no path. */
function toNames(path: string): readonly string[] | null {
  if (path === "") return null;
  if (path.startsWith("/")) {
    const names = path.slice(1).split("/");
    return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return toSteps(path.startsWith("$") ? path.slice(1) : `.${path}`);
}

/** `.name`, `[0]`, `['name']` or `["name"]`, each where the one before it ended. */
const step = /\.([^.[\]'"]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

function toSteps(path: string): string[] | null {
  // A leading bracket needs no name before it: `['a'].b` without the `$`.
  const steps = path.startsWith(".[") ? path.slice(1) : path;
  const names: string[] = [];
  for (let at = 0; at < steps.length; ) {
    step.lastIndex = at;
    const found = step.exec(steps);
    if (found === null) return null;
    const quoted = found[3] ?? found[4];
    names.push(found[1] ?? found[2] ?? quoted?.replace(/\\(.)/g, "$1") ?? "");
    at += found[0].length;
  }
  return names;
}
