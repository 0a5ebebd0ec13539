import type { Column, QueryResult, Row, Value } from "../../warehouse/warehouse.ts";
import type { Answer, AnswerColumn } from "../answer.ts";
import { suggestFromTypes } from "../chart/from-types.ts";
import { toFigure } from "../phrasing/figure.ts";
import type { Linking } from "../planner/link/name-index.ts";
import type { Selected } from "../planning.ts";
import { lineageIn, type SqlLineage, withUnits } from "../sql/lineage.ts";
import { otherQuestions } from "./follow-ups.ts";

const caution =
  "A language model wrote this SQL, since no plan of the catalog could say it; read it before you rely on it.";

/** The answer for a SELECT that a model wrote: its rows, with the model's reading marked as such. */
export function answerSelected({ sql, result, reading }: Selected, linking: Linking): Answer {
  const { truncated } = result;
  const lineage = lineageIn(sql);
  const { columns, rows } = toTable(lineage, result);
  const period = { from: null, to: null, zone: linking.zone, label: "as the SQL says" };
  return {
    answer: `${endSentence(reading)} ${summarize(result, columns)}`,
    sql,
    explanation: caution,
    data: { columns, rows, row_count: rows.length, truncated },
    chart_suggestion: suggestFromTypes({ ...result, columns: withUnits(lineage, result), zone: lineage.zone }),
    interpretation: { summary: reading, measures: [], grouping: [], filters: [], period, notes: [caution] },
    plan: null,
    follow_ups: [...otherQuestions(linking)],
    timing_ms: { plan: 0, query: 0, total: 0 },
    planner: "llm",
  };
}

/**
 * The rows with their columns' units. Buckets and local times are written as text: as instants, a reader's program would
 * move them to its zone, and show the day before.
 */
function toTable(lineage: SqlLineage, { columns, rows }: QueryResult) {
  const clocks = columns.filter(({ name, type }) => type === "time" && lineage.of(name).isWallClock);
  return {
    columns: withUnits(lineage, { columns }).map(({ type, ...column }): AnswerColumn => {
      const isClock = clocks.some(({ name }) => name === column.name);
      return { ...column, type: isClock ? "text" : type };
    }),
    rows: rows.map((row) => ({ ...row, ...labels(row, clocks, rows) })),
  };
}

function labels(row: Row, clocks: readonly Column[], rows: readonly Row[]): Row {
  const isDay = ({ name }: Column) => rows.every((each) => each[name] === null || /T00:00:00/.test(String(each[name])));
  return Object.fromEntries(
    clocks.map((column) => {
      const value = row[column.name];
      const label = typeof value === "string" ? value.slice(0, isDay(column) ? 10 : 16).replace("T", " ") : null;
      return [column.name, label];
    }),
  );
}

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function summarize({ rows, truncated }: QueryResult, columns: readonly AnswerColumn[]): string {
  const [column, ...others] = columns;
  const [row] = rows;
  if (row === undefined) return "There is nothing to show.";
  if (column !== undefined && others.length === 0 && rows.length === 1)
    return `${column.name}: ${sayValue(row[column.name], column)}.`;
  const count = `${rows.length.toLocaleString("en-US")} ${rows.length === 1 ? "row" : "rows"}`;
  return truncated ? `The first ${count}; there are more.` : `${count}.`;
}

const sayValue = (value: Value | undefined, { unit }: AnswerColumn): string =>
  typeof value === "number" && unit !== null ? toFigure(value, unit) : String(value ?? "none");
