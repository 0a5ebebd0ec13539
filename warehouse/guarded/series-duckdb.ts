import { isPublicTable } from "../public-tables.ts";
import { type Tree, toNodes } from "./tree.ts";

/** Functions that make as many rows as their arguments say, so the arguments must be literals near each other. */
export const seriesFunctions: ReadonlySet<string> = new Set(["range", "generate_series"]);

const maxCount = 100_000;
const steps = /^to_(hours|days|weeks|months|quarters|years)$/;
const minuteMs = 60_000;
const firstYear = 2000;
const lastYear = 2100;

/**
 * Returns true if a series is small whatever the data: of literal whole numbers, or of times in steps of an hour or
 * more whose ends are literals or a table's first or last time, or of minutes between literals that are no more than so
 * many of them apart. From 2000 to 2100 there are 880,000 hours.
 */
export function isBoundedSeries(call: Tree): boolean {
  const given = toNodes(call["children"]);
  const numbers = given.map(toInteger);
  if (numbers.length > 0 && numbers.every((value) => value !== null && Math.abs(value) <= maxCount)) {
    return numbers[2] !== 0;
  }
  const [first, last, step, ...others] = given;
  if (first === undefined || last === undefined || step === undefined || others.length > 0) return false;
  const minutes = countOf(step, /^to_minutes$/);
  if (minutes !== null) return stepsBetween(first, last, minutes * minuteMs) <= maxCount;
  return isEdge(first) && isEdge(last) && countOf(step, steps) !== null;
}

/** Infinity where an end is no literal. */
function stepsBetween(first: Tree, last: Tree, stepMs: number): number {
  const [from, to] = [first, last].map((end) =>
    end["class"] === "CAST" && toNodes(end["child"]).every(isWrittenTime)
      ? Date.parse(String(toNodes(end["child"]).map(writtenValue)[0]).replace(" ", "T"))
      : Number.NaN,
  );
  const count = ((to ?? Number.NaN) - (from ?? Number.NaN)) / stepMs;
  return Number.isNaN(count) ? Number.POSITIVE_INFINITY : count;
}

const writtenValue = (tree: Tree): unknown => {
  if (tree["class"] !== "CONSTANT") return undefined;
  return toNodes(tree["value"])[0]?.["value"];
};

function toInteger(tree: Tree): number | null {
  const value = writtenValue(tree);
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

/** The count of `INTERVAL 1 DAY`, which the parser writes as `to_days(CAST(trunc(CAST(1 AS DOUBLE)) AS INTEGER))`; null for another step. */
function countOf(tree: Tree, units: RegExp): number | null {
  if (tree["class"] !== "FUNCTION" || !units.test(String(tree["function_name"]))) return null;
  let [inner] = toNodes(tree["children"]);
  while (inner !== undefined && inner["class"] !== "CONSTANT") {
    const isWrap = inner["class"] === "CAST" || inner["function_name"] === "trunc";
    inner = isWrap ? toNodes(inner["child"] ?? inner["children"])[0] : undefined;
  }
  const count = inner === undefined ? null : toInteger(inner);
  return count !== null && count >= 1 && count <= 1000 ? count : null;
}

function isEdge(tree: Tree): boolean {
  switch (tree["class"]) {
    case "CAST":
      return toNodes(tree["child"]).every(isWrittenTime);
    case "SUBQUERY":
      return isRowsEdge(tree);
    case "FUNCTION":
      return isEdgeOf(tree);
    default:
      return false;
  }
}

function isWrittenTime(tree: Tree): boolean {
  const year = /^(\d{4})-\d\d-\d\d/.exec(String(writtenValue(tree)))?.[1];
  return year !== undefined && Number(year) >= firstYear && Number(year) <= lastYear;
}

/** Functions that keep a time near itself. */
function isEdgeOf(tree: Tree): boolean {
  const given = toNodes(tree["children"]);
  const [first, second] = given;
  switch (tree["function_name"]) {
    case "date_trunc":
    case "timezone":
      return given.length === 2 && first?.["class"] === "CONSTANT" && second !== undefined && isEdge(second);
    default:
      return false;
  }
}

/** `(SELECT min(started_at) FROM calls WHERE …)`: a column of a public table, and nothing worked out of it. */
function isRowsEdge(tree: Tree): boolean {
  const [query] = toNodes(tree["subquery"]);
  const [select] = toNodes(query?.["node"]);
  const [from] = toNodes(select?.["from_table"]);
  const selected = toNodes(select?.["select_list"]);
  const isTable = from?.["type"] === "BASE_TABLE" && isPublicTable(String(from["table_name"]).toLowerCase());
  return isTable && !("cte_map" in (select ?? {})) && selected.length === 1 && selected.every(isExtreme);
}

const isExtreme = (tree: Tree): boolean =>
  (tree["function_name"] === "min" || tree["function_name"] === "max") &&
  toNodes(tree["children"]).every((each) => each["class"] === "COLUMN_REF");
