import { refuse, type Tree, toNodes } from "./tree.ts";

/**
 * Refuses a lambda that uses more than its parameters and what is written out: the engine makes a copy of anything else
 * for each element of the list, so that a list of n of its own elements would hold n², and a text as often as it has
 * letters. A table's `x.name` goes before that of a parameter x, and `X` is no parameter x. Throws `query_refused`.
 */
export function checkLambda({ lhs, expr }: Tree): void {
  const given = new Set(toNodes(lhs).flatMap(namesIn));
  const other = toNodes(expr)
    .flatMap(namesIn)
    .find((name) => !given.has(name));
  if (other === undefined) return;
  throw refuse(`A lambda can use only its parameters, and "${other}" is none. Write x['name'] for x.name.`);
}

/** Returns all names that a tree reads. */
function namesIn(tree: Tree): readonly string[] {
  switch (tree["class"]) {
    case "COLUMN_REF":
      return [toNames(tree["column_names"]).join(".")];
    case "POSITIONAL_REFERENCE":
      return [`#${tree["index"]}`];
    case "STAR":
      return ["*"];
    case "SUBQUERY":
      return ["SELECT"];
    default:
      return Object.values(tree).flatMap(toNodes).flatMap(namesIn);
  }
}

const toNames = (names: unknown): readonly string[] => (Array.isArray(names) ? names.map(String) : []);
