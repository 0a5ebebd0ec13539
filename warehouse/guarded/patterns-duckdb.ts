import { refuse, type Tree, toNodes } from "./tree.ts";

const wildcards: ReadonlyMap<string, string> = new Map([
  ...["~~", "!~~", "like_escape", "not_like_escape"].map((name) => [name, "%"] as const),
  ...["~~*", "!~~*", "ilike_escape", "not_ilike_escape"].map((name) => [name, "%"] as const),
  ["~~~", "*"],
]);
/** The operators for which the engine matches a pattern without `_` as a sequence of pieces, however many. */
const quick: ReadonlySet<string> = new Set(["~~", "!~~"]);

/**
 * Refuses patterns that the engine tries in every way there is: each `%` but one at the end multiplies the work by the
 * length of the text, and nothing stops it, also not while it plans. `'%_a%_a%_a%b'` over 500 letters took it minutes.
 */
export function checkPattern(call: Tree): void {
  const name = String(call["function_name"]);
  const wildcard = wildcards.get(name);
  if (wildcard === undefined) return;
  const pattern = toNodes(toNodes(call["children"])[1]?.["value"])[0]?.["value"];
  if (typeof pattern !== "string")
    throw refuse("Write the pattern of LIKE as text, or use contains or regexp_matches.");
  if (quick.has(name) && !pattern.includes("_")) return;
  const inner = pattern.slice(0, -1).split(wildcard).length - 1;
  if (inner > 1)
    throw refuse(`The pattern ${wildcard === "%" ? "of LIKE" : "of GLOB"} has too many wildcards: use regexp_matches.`);
}
