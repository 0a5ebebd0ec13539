import type { QueryResult } from "../../warehouse/warehouse.ts";
import type { AnswerColumn } from "../answer.ts";
import { isTimeZone } from "../calendar.ts";
import { catalog } from "../catalog/catalog.ts";
import type { Unit } from "../catalog/field.ts";

/** The origin of a result's column, as far as the text of its SELECT tells. */
export interface Lineage {
  readonly unit: Unit | null;
  /** True for the start of a bucket or the clock of a zone: it is no instant. */
  readonly isWallClock: boolean;
}

export interface SqlLineage {
  of(column: string): Lineage;
  /** The zone of its wall clocks: the one that its text names, else UTC. */
  readonly zone: string;
  /** True for SQL with buckets of UTC, which are no days of an organization elsewhere. */
  readonly hasUtcBucket: boolean;
}

const bucket = /\b(date_trunc|time_bucket|tostartof\w*|tomonday|todate)\s*\(|::\s*date\b|\bas\s+date\s*\)/;
const zoned = /\b(timezone|totimezone)\s*\(|at\s+time\s+zone/;
const counting =
  /^\s*((round|coalesce|max|min|sum|avg|median|any_value|lag|lead)\s*\(\s*)*(count|countif|uniq\w*|approx_count_distinct)\b/;
/** Functions and keywords of SQL that do not change the unit of their operands. */
const keeping =
  /\b(sum|avg|min|max|median|quantile\w*|any_value|first|last|round|coalesce|nullif|abs|filter|where|over|partition|order|by|rows|range|between|preceding|following|unbounded|current|row|and|or|not|is|null|as|case|when|then|else|end|cast|double|decimal|float|tofloat64|asc|desc|lag|lead|if|sumif|avgif|ifnull)\b/g;

/** Units of the columns that catalog's quantities are read from; a name with several units has none. */
const columnUnits: ReadonlyMap<string, Unit | null> = catalog
  .flatMap(({ quantities }) => quantities.map(({ column, unit }) => [column, unit] as const))
  .reduce((units, [column, unit]) => units.set(column, (units.get(column) ?? unit) === unit ? unit : null), new Map());

/** Reads a SELECT's text for what its columns come from, through the aliases of its subqueries. */
export function lineageIn(sql: string): SqlLineage {
  const aliases = aliasesIn(sql.replaceAll(/'[^']*'/g, "''").toLowerCase());
  const sourceOf = (name: string, seen: ReadonlySet<string> = new Set()): string => {
    const expression = seen.has(name) ? undefined : aliases.get(name);
    if (expression === undefined) return name;
    const inner = new Set([...seen, name]);
    return expression.replaceAll(/[a-z_]\w*(?!\w|\s*\()/g, (word) => (word === name ? word : sourceOf(word, inner)));
  };
  return {
    of(column) {
      const source = sourceOf(column.toLowerCase());
      return { unit: unitOf(source), isWallClock: bucket.test(source) || zoned.test(source) };
    },
    zone: [...sql.matchAll(/'(\w+\/[\w/+-]+)'/g)].map(([, name = ""]) => name).find(isTimeZone) ?? "UTC",
    hasUtcBucket: [...aliases.keys()].some((alias) => {
      const source = sourceOf(alias);
      return bucket.test(source) && !zoned.test(source);
    }),
  };
}

/** Expressions by the names that SELECTs give them: what stands before AS, back to the comma or SELECT of its level. */
function aliasesIn(sql: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { index, 1: alias } of sql.matchAll(/\bas\s+"?([a-z_]\w*)"?/g)) {
    const expression = expressionBefore(sql, index);
    if (alias !== undefined && expression !== "" && !found.has(alias)) found.set(alias, expression);
  }
  return found;
}

function expressionBefore(sql: string, end: number): string {
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    const letter = sql[at];
    if (letter === ")") depth += 1;
    if (letter === "(") depth -= 1;
    if (depth < 0) return "";
    const isStart =
      depth === 0 && (letter === "," || /\bselect(\s+distinct)?\s$/.test(sql.slice(Math.max(0, at - 16), at + 1)));
    if (isStart) return sql.slice(at + 1, end).trim();
  }
  return "";
}

function unitOf(source: string): Unit | null {
  if (/\//.test(source)) return /\b100(\.0+)?\b/.test(source) ? "percent" : null;
  if (counting.test(source)) return "count";
  // Conditions and windows have columns of their own, which are not what is measured.
  const measured = source
    .replaceAll(/\b(filter|over)\s*\([^()]*(\([^()]*\)[^()]*)*\)/g, "")
    .replaceAll(/\bcase\s+when\b.*?\bthen\b/g, "");
  if (/[*]/.test(measured)) return null;
  const names = measured.replaceAll(keeping, "").match(/[a-z_]\w*/g) ?? [];
  const units = [...new Set(names.map((name) => columnUnits.get(name) ?? null))];
  return units.length === 1 ? (units[0] ?? null) : null;
}

/** The columns of a SELECT with the units of their figures. */
export const withUnits = (lineage: SqlLineage, { columns }: Pick<QueryResult, "columns">): readonly AnswerColumn[] =>
  columns.map(({ name, type }) => {
    const isFigure = type === "integer" || type === "number";
    return { name, type, unit: isFigure ? lineage.of(name).unit : null };
  });
