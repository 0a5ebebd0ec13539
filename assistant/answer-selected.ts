import type { QueryResult } from "../warehouse/warehouse.ts";
import type { Answer } from "./answer.ts";
import { suggestFromTypes } from "./chart/from-types.ts";
import { otherQuestions } from "./follow-ups.ts";
import type { Linking } from "./planner/link/linking.ts";
import type { Selected } from "./planning.ts";

const caution =
  "A language model wrote this SQL, since no plan of the catalog could say it; read it before you rely on it.";

/** The answer for a SELECT that a model wrote: its rows, with the model's reading marked as such. */
export function answerSelected({ sql, result, reading }: Selected, linking: Linking): Answer {
  const { rows, truncated } = result;
  const period = { from: null, to: null, zone: linking.zone, label: "as the SQL says" };
  return {
    answer: `${endSentence(reading)} ${summarize(result)}`,
    sql,
    explanation: caution,
    data: {
      columns: result.columns.map((column) => ({ ...column, unit: null })),
      rows: [...rows],
      row_count: rows.length,
      truncated,
    },
    chart_suggestion: suggestFromTypes(result),
    interpretation: { summary: reading, measures: [], grouping: [], filters: [], period, notes: [caution] },
    plan: null,
    follow_ups: [...otherQuestions(linking)],
    timing_ms: { plan: 0, query: 0, total: 0 },
    planner: "llm",
  };
}

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function summarize({ columns, rows, truncated }: QueryResult): string {
  const [column, ...others] = columns;
  const [row] = rows;
  if (row === undefined) return "There is nothing to show.";
  if (column !== undefined && others.length === 0 && rows.length === 1)
    return `${column.name}: ${row[column.name] ?? "none"}.`;
  const count = `${rows.length.toLocaleString("en-US")} ${rows.length === 1 ? "row" : "rows"}`;
  return truncated ? `The first ${count}; there are more.` : `${count}.`;
}
