import { isPublicTable, publicColumns } from "../public-tables.ts";
import { refuse, type Tree, toNodes } from "./tree.ts";

/**
 * Bounds of what a text becomes as it is bound, which the engine does not interrupt: an alias stands for its whole
 * expression wherever the same list names it, a star for all columns, and the name of a table for a value with all of its
 * columns inside. 10,000 of any take the engine about 100 ms; what people write stays below 500.
 */
const most = 10_000;

/** The columns of a relation, by name where they have one, with the size of each one's type. */
interface Relation {
  readonly columns: number;
  readonly size: number;
  readonly sizes: ReadonlyMap<string, number>;
}

interface Scope {
  /** Relations by the names that they are known under in FROM and by WITH, lower case. */
  readonly relations: ReadonlyMap<string, Relation>;
  readonly source: Relation;
  /** Lengths of the expressions that aliases of the same list stand for. */
  readonly aliases: ReadonlyMap<string, number>;
}

const nothing: Relation = { columns: 0, size: 0, sizes: new Map() };
const outermost: Scope = { relations: new Map(), source: nothing, aliases: new Map() };
const nameOf = (name: unknown): string => String(name).toLowerCase();

/** Refuses a query that would become too large while it is bound. Throws `query_refused`. */
export function checkExpansion(statement: Tree): void {
  relationOf(toNodes(statement["node"])[0] ?? statement, outermost.relations);
}

function bounded(size: number): number {
  if (size <= most) return size;
  throw refuse(
    "The query becomes too large as it is planned. Use fewer aliases of aliases, stars of stars, or values of whole rows.",
  );
}

/** A SELECT, or several put together. */
function relationOf(node: Tree, outer: Scope["relations"]): Relation {
  const names = withNames(node, outer);
  if (node["type"] !== "SELECT_NODE") {
    const sides = ["left", "right", "children"].flatMap((side) => toNodes(node[side]));
    return sides.map((side) => relationOf(side, names))[0] ?? nothing;
  }
  const relations = new Map(names);
  const source = sourceOf(toNodes(node["from_table"])[0], relations);
  const aliases = new Map<string, number>();
  const sizes = new Map<string, number>();
  let [columns, size, length] = [0, 0, 0];
  for (const item of toNodes(node["select_list"])) {
    const scope = { relations, source, aliases };
    const isStar = item["class"] === "STAR";
    const own = isStar ? source.size : typeSizeOf(item, scope);
    columns = bounded(columns + (isStar ? source.columns : 1));
    size = bounded(size + own);
    const long = lengthOf(item, scope);
    length = bounded(length + long);
    const { alias, column_names: path } = item;
    const name = nameOf(alias ?? (Array.isArray(path) ? path.at(-1) : ""));
    if (isStar) for (const [each, known] of source.sizes) sizes.set(each, known);
    else sizes.set(name, own);
    if (alias !== undefined) aliases.set(name, long);
  }
  // Conditions, groups and orders may name aliases, too.
  for (const [part, value] of Object.entries(node)) {
    if (["select_list", "from_table", "cte_map"].includes(part)) continue;
    for (const tree of toNodes(value)) length = bounded(length + lengthOf(tree, { relations, source, aliases }));
  }
  return { columns, size, sizes };
}

function withNames(node: Tree, outer: Scope["relations"]): Scope["relations"] {
  const known = new Map(outer);
  for (const map of toNodes(node["cte_map"])) {
    for (const { key, value } of toNodes(map["map"])) {
      const [query] = toNodes(toNodes(value)[0]?.["query"]);
      const [inner] = toNodes(query?.["node"]);
      if (inner !== undefined) known.set(nameOf(key), relationOf(inner, known));
    }
  }
  return known;
}

/** Returns the source of FROM, and adds its names to the relations. */
function sourceOf(from: Tree | undefined, relations: Map<string, Relation>): Relation {
  if (from === undefined) return nothing;
  if (from["type"] === "JOIN") {
    const sides = ["left", "right"].map((side) => sourceOf(toNodes(from[side])[0], relations));
    return sides.reduce((one, other) => ({
      columns: bounded(one.columns + other.columns),
      size: bounded(one.size + other.size),
      sizes: new Map([...one.sizes, ...other.sizes]),
    }));
  }
  const found = named(from, readOf(from, relations));
  relations.set(nameOf(from["alias"] ?? from["table_name"]), found);
  return found;
}

function readOf(from: Tree, relations: ReadonlyMap<string, Relation>): Relation {
  const [query] = toNodes(from["subquery"]);
  const [inner] = toNodes(query?.["node"]);
  if (inner !== undefined) return relationOf(inner, relations);
  const table = nameOf(from["table_name"]);
  const known = relations.get(table);
  if (known !== undefined) return known;
  const columns: readonly string[] = isPublicTable(table) ? publicColumns[table] : ["value"];
  return { columns: columns.length, size: columns.length, sizes: new Map(columns.map((column) => [column, 1])) };
}

/** FROM … AS t(a, b): the first columns under other names. */
function named(from: Tree, relation: Relation): Relation {
  const { column_name_alias: names } = from;
  if (!Array.isArray(names)) return relation;
  const sizes = [...relation.sizes.values()];
  const renamed = names.map((name, at) => [nameOf(name), sizes[at] ?? 1] as const);
  return { ...relation, sizes: new Map([...relation.sizes, ...renamed]) };
}

const childrenOf = (tree: Tree): readonly Tree[] => Object.values(tree).flatMap((value) => toNodes(value));

/** Returns the length of an expression after its aliases are expanded. */
function lengthOf(tree: Tree, scope: Scope): number {
  if (tree["class"] === "SUBQUERY") {
    for (const query of toNodes(tree["subquery"])) {
      for (const node of toNodes(query["node"])) relationOf(node, scope.relations);
    }
  }
  if (tree["class"] === "STAR") return Math.max(1, scope.source.columns);
  if (tree["class"] === "COLUMN_REF") {
    const path = tree["column_names"];
    return (Array.isArray(path) && path.length === 1 ? scope.aliases.get(nameOf(path[0])) : undefined) ?? 1;
  }
  const inner = tree["class"] === "SUBQUERY" ? toNodes(tree["child"]) : childrenOf(tree);
  return bounded(inner.reduce((sum, child) => sum + lengthOf(child, scope), "class" in tree ? 1 : 0));
}

/** Functions that make one value of all their arguments. */
const holding: ReadonlySet<string> = new Set(["row", "struct_pack", "struct_insert", "map", "union_value"]);

function typeSizeOf(tree: Tree, scope: Scope): number {
  if (tree["class"] === "SUBQUERY") return 1;
  if (tree["class"] === "COLUMN_REF") {
    const path = tree["column_names"];
    const name = nameOf(Array.isArray(path) ? path.at(-1) : "");
    return scope.source.sizes.get(name) ?? scope.relations.get(name)?.size ?? 1;
  }
  const given = childrenOf(tree).map((child) => typeSizeOf(child, scope));
  if (holding.has(nameOf(tree["function_name"]))) return bounded(given.reduce((sum, each) => sum + each, 1));
  return Math.max(1, ...given);
}
