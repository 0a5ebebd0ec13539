import { isPublicTable } from "../public-tables.ts";
import { isAllowedFunction } from "./functions-duckdb.ts";
import { isBoundedSeries, seriesFunctions } from "./series-duckdb.ts";
import { noSuchTable, refuse, sessionWords, type Tree, toNodes } from "./tree.ts";

/**
 * Bounds of what the engine must plan, which it does not interrupt: a sum of 900 terms took it 30 s, one of 100 takes
 * 60 ms; 20 joined tables take 20 ms.
 */
const maxDepth = 100;
const maxNodes = 5000;
const maxTables = 20;

/** The nodes that the engine's syntax tree may consist of; expressions have a `class`, other objects a `type`. */
const expressions: ReadonlySet<string> = new Set(
  "COLUMN_REF CONSTANT FUNCTION WINDOW CAST CASE OPERATOR COMPARISON CONJUNCTION BETWEEN SUBQUERY STAR LAMBDA COLLATE POSITIONAL_REFERENCE".split(
    " ",
  ),
);
const parts: ReadonlySet<string> = new Set(
  "SELECT_NODE SET_OPERATION_NODE EMPTY BASE_TABLE JOIN SUBQUERY EXPRESSION_LIST TABLE_FUNCTION LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER ORDER_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING".split(
    " ",
  ),
);
const castTypes =
  /^(BOOLEAN|U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL|VARCHAR|DATE|TIME|TIMESTAMP( WITH TIME ZONE|_S|_MS)?|INTERVAL|LIST|STRUCT|MAP)$/;

interface Scope {
  /** Names of the text's own, lower case. */
  readonly names: ReadonlySet<string>;
  readonly depth: number;
}
interface Counts {
  nodes: number;
  tables: number;
}

/**
 * Refuses what is not on the lists, given the tree that the engine's own parser made of the text: what it understands
 * is what is judged. Throws `WarehouseError` `query_refused`.
 */
export function checkTree(root: Tree): void {
  const counts = { nodes: 0, tables: 0 };
  visit(root, { names: new Set(), depth: 0 }, counts);
}

function visit(tree: Tree, outer: Scope, counts: Counts): void {
  counts.nodes += 1;
  if (counts.nodes > maxNodes) throw refuse("The query is too long. Split it, or ask for less at once.");
  const scope = { ...outer, depth: outer.depth + ("class" in tree ? 1 : 0) };
  if (scope.depth > maxDepth) throw refuse(`The query is nested too deeply. Keep to ${maxDepth} levels.`);
  checkNode(tree, scope, counts);
  if (tree["class"] === "CONSTANT") return;
  const inner = "cte_map" in tree ? visitNames(tree, scope, counts) : scope;
  for (const [key, value] of Object.entries(tree)) {
    if (key === "cte_map" || key === "cast_type" || key === "sample") continue;
    for (const node of toNodes(value)) visit(node, inner, counts);
  }
}

/** Each name of a WITH is known to those after it and to the query. */
function visitNames(tree: Tree, scope: Scope, counts: Counts): Scope {
  const names = new Set(scope.names);
  for (const map of toNodes(tree["cte_map"])) {
    for (const entry of toNodes(map["map"])) {
      const name = String(entry["key"]);
      if (isPublicTable(name.toLowerCase())) {
        throw refuse(`"${name}" is the name of a table. Give the part of your WITH another name.`);
      }
      for (const value of toNodes(entry["value"])) visit(value, { ...scope, names }, counts);
      names.add(name.toLowerCase());
    }
  }
  return { ...scope, names };
}

function checkNode(tree: Tree, scope: Scope, counts: Counts): void {
  const kind = tree["class"];
  if (typeof kind === "string") {
    if (!expressions.has(kind)) throw refuse(kinds[kind] ?? "The query has an expression that is not possible here.");
    checkExpression(kind, tree);
    return;
  }
  const part = tree["type"];
  if (typeof part !== "string") return;
  if (!parts.has(part))
    throw refuse(kinds[part] ?? "The query has a part that is not possible here. Write one SELECT.");
  if (part === "BASE_TABLE") checkTable(tree, scope, counts);
  if (part === "TABLE_FUNCTION") checkTableFunction(tree);
}

const kinds: Readonly<Record<string, string>> = {
  SHOW_REF: "DESCRIBE, SHOW and SUMMARIZE are not possible here. The catalog lists tables and columns.",
  RECURSIVE_CTE_NODE: "A recursive WITH is not possible here.",
  PARAMETER: "Parameters are not possible here. Write the value itself.",
  PIVOT: "PIVOT is not possible here. Use CASE or FILTER.",
};

function checkTable(tree: Tree, { names }: Scope, counts: Counts): void {
  counts.tables += 1;
  if (counts.tables > maxTables) throw refuse(`The query reads more than ${maxTables} tables. Split it.`);
  const name = String(tree["table_name"]);
  if ("schema_name" in tree || "catalog_name" in tree) {
    throw refuse(`Name tables by themselves: "${name}" has something before it.`);
  }
  if ("at_clause" in tree) throw refuse("AT is not possible here.");
  const known = name.toLowerCase();
  if (names.has(known) || isPublicTable(known)) return;
  throw refuse(noSuchTable(name));
}

function checkTableFunction(tree: Tree): void {
  for (const call of toNodes(tree["function"])) {
    const name = String(call["function_name"]).toLowerCase();
    if (name !== "unnest" && !seriesFunctions.has(name)) {
      throw refuse(`The function ${name} cannot be read from. Read from the tables.`);
    }
  }
}

function checkExpression(kind: string, tree: Tree): void {
  if (kind === "FUNCTION" || kind === "WINDOW") checkFunction(tree);
  if (kind === "COLUMN_REF") checkColumn(tree);
  if (kind === "CAST") checkType(tree["cast_type"]);
  // Without an expression it is the ALL of ORDER BY.
  if (kind === "STAR" && tree["columns"] === true && "expr" in tree)
    throw refuse("COLUMNS is not possible here. Name the columns.");
}

function checkFunction(tree: Tree): void {
  const name = String(tree["function_name"]);
  const { schema = "main", catalog = "" } = tree;
  if (schema !== "main" || catalog !== "") throw refuse(`Call ${name} by its name alone.`);
  if (seriesFunctions.has(name.toLowerCase())) {
    if (isBoundedSeries(tree)) return;
    throw refuse(
      `${name} is possible only between whole numbers or times that are written out, in steps of an hour or more; in minutes, 100,000 of them at most.`,
    );
  }
  if (!isAllowedFunction(name)) throw refuse(`The function ${name} is not possible here.`);
  checkPattern(tree);
}

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
function checkPattern(call: Tree): void {
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

function checkColumn(tree: Tree): void {
  const names = Array.isArray(tree["column_names"]) ? tree["column_names"].map(String) : [];
  const [first = ""] = names;
  if (names.length === 1 && sessionWords.test(first)) throw refuse(`${first} is not possible here.`);
  if (names.length > 3) throw refuse(`Name columns by table and column: "${names.join(".")}" has more parts.`);
}

/** Types that are listed, and JSON, which the parser leaves by its name. */
function checkType(type: unknown): void {
  for (const { id, type_info } of toNodes(type)) {
    const [info] = toNodes(type_info);
    const isJson = id === "UNBOUND" && info?.["name"] === "JSON" && !("schema" in info) && !("catalog" in info);
    if (!isJson && !castTypes.test(String(id))) throw refuse("The query casts to a type that is not possible here.");
    if (info === undefined) continue;
    checkType(info["child_type"]);
    for (const child of toNodes(info["child_types"])) checkType(child["second"]);
  }
}
