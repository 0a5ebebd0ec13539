import type { Answer } from "../../assistant/answer.ts";
import type { Row } from "../../warehouse/warehouse.ts";

type Cells = Readonly<Record<string, unknown>>;
type Mapping = ReadonlyMap<string, string>;

/** Whether an answer's rows are the gold ones, as the rules of question sets have it. */
export function agrees(answer: Pick<Answer, "data">, gold: readonly Row[], ordered: boolean): boolean {
  const { columns, rows } = answer.data;
  const figures = new Set(columns.filter(({ unit }) => unit !== null).map(({ name }) => name));
  const wanted = Object.keys(gold[0] ?? {});
  if (wanted.length === 0) return rows.every((row) => isEmptyOf(row, figures));
  const names = columns.map(({ name }) => name);
  const same = (mapping: Mapping) => sameTables({ rows, gold, mapping, figures, ordered });
  const isNamed = wanted.every((name) => names.includes(name));
  if (isNamed && same(new Map(wanted.map((name) => [name, name])))) return true;
  return mappings(wanted, names).some(same);
}

const isEmptyOf = (row: Cells, names: ReadonlySet<string>): boolean =>
  names.size > 0 && [...names].every((name) => (row[name] ?? 0) === 0);

/** Every way in which gold's columns may be found among the answer's. */
function mappings(wanted: readonly string[], given: readonly string[]): Mapping[] {
  const [first, ...others] = wanted;
  if (first === undefined) return [new Map()];
  return given.flatMap((name) =>
    mappings(
      others,
      given.filter((each) => each !== name),
    ).map((rest) => new Map([[first, name], ...rest])),
  );
}

interface Tables {
  readonly rows: readonly Cells[];
  readonly gold: readonly Row[];
  readonly mapping: Mapping;
  readonly figures: ReadonlySet<string>;
  readonly ordered: boolean;
}

function sameTables({ rows, gold, mapping, figures, ordered }: Tables): boolean {
  const goldFigures = new Set([...mapping].filter(([, name]) => figures.has(name)).map(([wanted]) => wanted));
  const mapped = new Set([...goldFigures].map((wanted) => mapping.get(wanted) ?? ""));
  const left = rows.filter((row) => !isEmptyOf(row, mapped));
  const right = gold.filter((row) => !isEmptyOf(row, goldFigures));
  if (left.length !== right.length) return false;
  const lines = left.map((row) => [...mapping].map(([, name]) => row[name]));
  const goldLines = right.map((row) => [...mapping].map(([wanted]) => row[wanted]));
  return ordered ? lines.every((line, index) => sameLine(line, goldLines[index] ?? [])) : sameBag(lines, goldLines);
}

/** Lines are paired by their names first, so that few need to be compared. */
function sameBag(lines: readonly unknown[][], goldLines: readonly unknown[][]): boolean {
  const buckets = new Map<string, unknown[][]>();
  for (const line of goldLines) {
    const key = keyOf(line);
    buckets.set(key, [...(buckets.get(key) ?? []), line]);
  }
  return lines.every((line) => {
    const bucket = buckets.get(keyOf(line)) ?? [];
    const at = bucket.findIndex((other) => sameLine(line, other));
    if (at >= 0) bucket.splice(at, 1);
    return at >= 0;
  });
}
const keyOf = (line: readonly unknown[]): string =>
  line.map((cell) => (typeof cell === "string" ? cell.slice(0, 4) : typeof cell === "number" ? "#" : cell)).join("|");

const sameLine = (line: readonly unknown[], other: readonly unknown[]): boolean =>
  line.every((cell, index) => sameCell(cell, other[index]));

const precision = 1e-6;

function sameCell(cell: unknown, gold: unknown): boolean {
  if ((cell ?? null) === null || (gold ?? null) === null) return (cell ?? null) === (gold ?? null);
  if (typeof cell === "number" && typeof gold === "number")
    return Math.abs(cell - gold) <= precision * Math.max(1, Math.abs(gold));
  const [said, wanted] = [String(cell), String(gold)];
  return said === wanted || isBucketOf(said, wanted);
}

/** "2026-10" and "2026-10-05 14:00" as the starts of buckets: gold may have the instant. */
function isBucketOf(label: string, gold: string): boolean {
  const instant = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(gold);
  if (instant === null || !/^\d{4}(-\d\d){0,2}( \d\d:00)?$/.test(label)) return false;
  return `${instant[1]} ${instant[2] ?? "00:00"}`.startsWith(label);
}
