import { seriesFunctions } from "./series-duckdb.ts";
import { refuse, type Tree, toNodes } from "./tree.ts";

/**
 * Factor by which a text or list may exceed its columns' content. The engine works on 2048 rows at a time, and neither
 * accounts for a function's results nor stops in between: a text of 1 KB made 64 times as long takes it 130 MB.
 */
const maxGrowth = 64;

/** Their result is as long as all that they are given, this many times: what they escape grows, and lists hold overhead. */
const joining: ReadonlyMap<string, number> = new Map([
  ...["||", "concat", "concat_ws", "list_value", "row", "struct_pack", "map"].map((name) => [name, 1] as const),
  ...["regexp_escape", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"].map(
    (name) => [name, 2] as const,
  ),
  ...["to_json", "json", "strftime"].map((name) => [name, 2] as const),
  ["url_encode", 3],
  ...["string_split", "str_split", "split", "string_split_regex", "regexp_extract_all"].map(
    (name) => [name, 8] as const,
  ),
]);
/** Functions whose result grows with the rows of a group. */
const gathering: ReadonlySet<string> = new Set(
  "string_agg group_concat listagg list array_agg histogram map_entries".split(" "),
);
const ofGathered = 8;
/** Functions that repeat their second argument for every element of the first. */
const separating: ReadonlySet<string> = new Set(["array_to_string"]);
/** Numbers, however long what they are worked out from. */
const measuring: ReadonlySet<string> = new Set(
  "count count_star length len strlen char_length character_length sum avg hash md5 sha256 array_length".split(" "),
);

interface Scope {
  /** The growth of the columns that are read. */
  readonly source: number;
  /** The growth of names of WITH and of the select list, lower case. */
  readonly names: ReadonlyMap<string, number>;
  /** True where a list is expanded to rows. */
  readonly isUnnested: boolean;
  readonly isInLambda: boolean;
}

/** Refuses a query whose texts or lists could grow without regard to what the tables hold. Throws `query_refused`. */
export function checkGrowth(statement: Tree): void {
  growthOf(statement, { source: 1, names: new Map(), isUnnested: false, isInLambda: false });
}

function growthOf(tree: Tree, scope: Scope): number {
  const growth = "class" in tree ? ofExpression(tree, scope) : ofPart(tree, scope);
  if (growth > maxGrowth) {
    throw refuse("The query makes texts or lists too long. Put together fewer values, or fewer times over.");
  }
  return growth;
}

const greatest = (trees: readonly Tree[], scope: Scope): number =>
  trees.reduce((most, tree) => Math.max(most, growthOf(tree, scope)), 1);

/** A SELECT, what it reads from, and all that is neither. */
function ofPart(tree: Tree, outer: Scope): number {
  const isUnnested = tree["type"] === "TABLE_FUNCTION";
  const scope = { ...outer, names: withNames(tree, outer), isUnnested };
  if (tree["type"] === "BASE_TABLE") return scope.names.get(nameOf(tree["table_name"])) ?? 1;
  if (tree["type"] === "JOIN") return ofJoin(tree, scope);
  if (tree["type"] !== "SELECT_NODE") return greatest(inside(tree, ["cte_map"]), scope);
  const source = Math.max(outer.source, greatest(toNodes(tree["from_table"]), scope));
  const names = new Map(scope.names);
  let most = source;
  for (const selected of toNodes(tree["select_list"])) {
    const growth = growthOf(selected, { ...scope, source, names });
    if (typeof selected["alias"] === "string") names.set(nameOf(selected["alias"]), growth);
    most = Math.max(most, growth);
  }
  greatest(inside(tree, ["cte_map", "from_table", "select_list"]), { ...scope, source: most, names });
  return most;
}

/** The right side may read the left one, with LATERAL or without. */
function ofJoin(tree: Tree, scope: Scope): number {
  const left = greatest(toNodes(tree["left"]), scope);
  const right = greatest(toNodes(tree["right"]), { ...scope, source: Math.max(scope.source, left) });
  const both = Math.max(left, right);
  greatest(inside(tree, ["left", "right"]), { ...scope, source: Math.max(scope.source, both) });
  return both;
}

function withNames(tree: Tree, scope: Scope): ReadonlyMap<string, number> {
  const names = new Map(scope.names);
  for (const map of toNodes(tree["cte_map"])) {
    for (const { key, value } of toNodes(map["map"])) {
      names.set(nameOf(key), greatest(toNodes(value), { ...scope, names }));
    }
  }
  return names;
}

const nameOf = (name: unknown): string => String(name).toLowerCase();
const inside = (tree: Tree, without: readonly string[] = []): readonly Tree[] =>
  Object.entries(tree).flatMap(([key, value]) => (without.includes(key) ? [] : toNodes(value)));

function ofExpression(tree: Tree, { isUnnested, ...others }: Scope): number {
  const scope = { ...others, isUnnested: false };
  switch (tree["class"]) {
    case "CONSTANT":
      return ofConstant(tree);
    case "COLUMN_REF":
      return Math.max(scope.source, ofAlias(tree, scope));
    case "POSITIONAL_REFERENCE":
    case "STAR":
      return Math.max(scope.source, greatest(inside(tree), scope));
    case "COMPARISON":
    case "CONJUNCTION":
    case "BETWEEN":
      greatest(inside(tree), scope);
      return 1;
    case "LAMBDA":
      if (scope.isInLambda) throw refuse("A lambda within a lambda is not possible here.");
      checkLambda(tree);
      return greatest(inside(tree), { ...scope, isInLambda: true });
    case "WINDOW":
      if (gathering.has(nameOf(tree["function_name"])))
        throw refuse(`The function ${tree["function_name"]} cannot have OVER here.`);
      return greatest(inside(tree), scope);
    case "FUNCTION":
      return ofFunction(tree, { ...scope, isUnnested });
    default:
      return greatest(inside(tree), scope);
  }
}

/** About so many times what a column usually has. */
function ofConstant(tree: Tree): number {
  const [value] = toNodes(tree["value"]);
  return Math.max(1, String(value?.["value"] ?? "").length / 200);
}

function ofAlias({ column_names }: Tree, { names }: Scope): number {
  const [name, ...others] = Array.isArray(column_names) ? column_names : [];
  return others.length === 0 ? (names.get(nameOf(name)) ?? 1) : 1;
}

function ofFunction(tree: Tree, { isUnnested, ...others }: Scope): number {
  const name = nameOf(tree["function_name"]);
  if (seriesFunctions.has(name) && !isUnnested) {
    throw refuse(`Write unnest(${name}(…)) or FROM ${name}(…): a series is possible only where it becomes rows.`);
  }
  const scope = { ...others, isUnnested: name === "unnest" };
  const given: number[] = [];
  for (const child of toNodes(tree["children"])) {
    // A lambda is given what the list before it holds.
    const source = child["class"] === "LAMBDA" ? Math.max(scope.source, ...given) : scope.source;
    given.push(growthOf(child, { ...scope, source }));
  }
  const most = Math.max(greatest(inside(tree, ["children"]), scope), ...given);
  if (measuring.has(name)) return 1;
  if (separating.has(name)) return given.reduce((product, growth) => product * growth, 1);
  if (gathering.has(name)) return most * ofGathered;
  const times = joining.get(name);
  return times === undefined ? most : given.reduce((sum, growth) => sum + growth, 0) * times;
}

/**
 * Refuses a lambda that uses more than its parameters and what is written out: the engine makes a copy of anything else
 * for each element of the list, so that a list of n of its own elements would hold n², and a text as often as it has
 * letters. A table's `x.name` goes before that of a parameter x, and `X` is no parameter x. Throws `query_refused`.
 */
function checkLambda({ lhs, expr }: Tree): void {
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
