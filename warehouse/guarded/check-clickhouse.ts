import { isPublicTable, publicColumns } from "../public-tables.ts";
import { isAllowedFunction } from "./functions-clickhouse.ts";
import { oneSelect, refuse, sessionWords } from "./tree.ts";

const maxDepth = 150;
const maxNodes = 5000;
const maxTables = 20;

/** The nodes that the engine's syntax tree may consist of. */
const parts: ReadonlySet<string> = new Set(
  `SelectWithUnionQuery SelectIntersectExceptQuery SelectQuery ExpressionList WithElement Subquery TablesInSelectQuery
  TablesInSelectQueryElement TableExpression TableIdentifier TableJoin ArrayJoin Function Identifier Literal Asterisk
  QualifiedAsterisk ColumnsTransformerList ColumnsExceptTransformer ColumnsReplaceTransformer
  ColumnsReplaceTransformer::Replacement OrderByElement WindowDefinition WindowListElement`.split(/\s+/),
);
/** The table that a SELECT without FROM reads. */
const noTable = "system.one";
const membership = /^(global)?(not)?(null)?in(ignoreset)?$/i;

interface Node {
  readonly depth: number;
  readonly kind: string;
  readonly name: string;
}

/**
 * Refuses what is not on the lists, given the lines in which the engine shows the tree that it made of the text
 * (`EXPLAIN AST`). Each node is a line, so each is looked at; a name with a line break of its own only adds lines.
 */
export function checkLines(lines: readonly string[]): void {
  if (lines.length > maxNodes) throw refuse("The query is too long. Split it, or ask for less at once.");
  const nodes = lines.map(toNode);
  // Beside its list of SELECTs the root has what ends a statement: FORMAT, INTO OUTFILE.
  if (nodes.some(({ depth, kind }, index) => depth === 1 && (index !== 1 || kind !== "ExpressionList"))) {
    throw refuse(oneSelect);
  }
  if (nodes.filter(({ kind }) => kind === "TableIdentifier").length > maxTables) {
    throw refuse(`The query reads more than ${maxTables} tables. Split it.`);
  }
  nodes.forEach((node, index) => {
    const before = nodes[index - 1];
    const isInPlace = before === undefined ? node.depth === 0 : node.depth > 0 && node.depth <= before.depth + 1;
    if (!isInPlace) throw refuse("The query has a name that is not possible here. Names have no line breaks.");
    checkNode(node, before);
    if (node.kind === "Function" && membership.test(node.name)) checkMembers(nodes, index);
  });
}

/** "   Function sum (alias n) (children 1)": the depth is how far it stands in. */
function toNode(line: string): Node {
  const found = /^( *)([\w:]+)(?: (.*))?$/s.exec(line);
  if (found === null) throw refuse("The query has a name that is not possible here. Names are letters and digits.");
  const [, indent = "", kind = "", rest = ""] = found;
  const name = rest.replace(/ ?\(children \d+\)$/, "").replace(/ ?\(alias .*\)$/s, "");
  return { depth: indent.length, kind, name };
}

function checkNode(node: Node, parent: Node | undefined): void {
  const { kind, name, depth } = node;
  if (!parts.has(kind))
    throw refuse(kinds[kind] ?? "The query has a part that is not possible here. Write one SELECT.");
  if (depth > maxDepth) throw refuse(`The query is nested too deeply. Keep to ${maxDepth} levels.`);
  if (kind === "TableIdentifier") checkTable(name);
  if (kind === "Identifier" && sessionWords.test(name)) throw refuse(`${name} is not possible here.`);
  if (kind !== "Function") return;
  // The first below it; what comes later stands below something else.
  if (parent?.kind === "TableExpression")
    throw refuse(`The function ${name} cannot be read from. Read from the tables.`);
  if (!isAllowedFunction(name)) throw refuse(`The function ${name} is not possible here.`);
}

export const noSettings = "SETTINGS is not possible here.";
const kinds: Readonly<Record<string, string>> = {
  Set: noSettings,
  Explain: "EXPLAIN is not possible here.",
  ColumnsApplyTransformer: "APPLY is not possible here. Name the columns.",
  ColumnsRegexpMatcher: "COLUMNS is not possible here. Name the columns.",
};

/** A name that is neither a table nor one of WITH means nothing where the text runs. */
function checkTable(name: string): void {
  if (name === noTable || isPublicTable(name.toLowerCase())) return;
  if (name.includes(".")) throw refuse(`Name tables by themselves: "${name}" has something before it.`);
}

/** Allows only values and subqueries after IN: `x IN name` would read a table of that name. */
function checkMembers(nodes: readonly Node[], at: number): void {
  const [list, ...below] = childrenOf(nodes, at);
  const [, members] = list === undefined ? [] : childrenOf(nodes, nodes.indexOf(list));
  const isPlain =
    members?.kind === "Literal" || members?.kind === "Subquery" || /^(tuple|array)$/.test(members?.name ?? "");
  if (!isPlain || below.length > 0) throw refuse("After IN write values in parentheses, or a SELECT.");
}

function childrenOf(nodes: readonly Node[], at: number): readonly Node[] {
  const depth = nodes[at]?.depth ?? 0;
  const after = nodes.slice(at + 1);
  const end = after.findIndex((node) => node.depth <= depth);
  return after.slice(0, end === -1 ? after.length : end).filter((node) => node.depth === depth + 1);
}

/** Strings and quoted names, as the engine writes them. */
const strings = /'(?:[^'\\]|\\.)*'/gs;

/** Checks what the syntax tree does not show, in the engine's own formatting of the text on one line. */
export function checkWriting(written: string): void {
  const bare = written.replaceAll(strings, "''");
  if (!/^[\s(]*(SELECT|WITH)\b/i.test(bare)) throw refuse(oneSelect);
  if (/\bWITH RECURSIVE\b/i.test(bare)) throw refuse("A recursive WITH is not possible here.");
  if (/`?\bsystem`?\s*\./i.test(bare))
    throw refuse(`There is no table of that name. There are ${Object.keys(publicColumns).join(", ")}.`);
  const shadow = /(?:\bWITH|,)\s+`?(\w+)`?\s+AS\s+\(\s*(?:SELECT|WITH)\b/gi;
  for (const [, name = ""] of bare.matchAll(shadow)) {
    if (isPublicTable(name.toLowerCase())) {
      throw refuse(`"${name}" is the name of a table. Give the part of your WITH another name.`);
    }
  }
}
