import type { ChartSuggestion, Data } from "../wire.ts";
import type { Spec } from "./chart-spec.ts";

/** A way to see an answer's rows; `spec` is null for the table alone. */
export type Look = { readonly type: string; readonly spec: Spec | null };

const tableOnly: Look = { type: "table", spec: null };

const isRecord = (value: unknown): value is Spec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is drawn of the suggested chart's rows comes without them. */
const withRows = (spec: Spec, rows: unknown): Spec => {
  const data = isRecord(spec["data"]) ? spec["data"] : {};
  return "values" in data ? spec : { ...spec, data: { ...data, values: rows } };
};

/** The suggested look first, the others that the server finds as true, and the table alone; none where nothing is drawn. */
export const looksOf = (chart: ChartSuggestion | null | undefined, data: Data): readonly Look[] => {
  if (!chart || chart.type === "number" || data.rows.length === 0) return [];
  const suggested = chart.type === "table" || !chart.vega_lite ? null : chart.vega_lite;
  const rows = isRecord(suggested?.["data"]) ? suggested["data"]["values"] : undefined;
  const others = chart.alternatives.map(
    ({ type, vega_lite: spec }): Look => ({ type, spec: rows === undefined ? spec : withRows(spec, rows) }),
  );
  if (suggested === null) return others.length === 0 ? [] : [tableOnly, ...others];
  return [{ type: chart.type, spec: suggested }, ...others, tableOnly];
};
