import type { ChartSuggestion } from "../wire.ts";
import type { Spec } from "./chart-spec.ts";

export type ChartLook = "line" | "bar" | "area" | "table";

const isRecord = (value: unknown): value is Spec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const markOf = (spec: Spec): unknown => (isRecord(spec["mark"]) ? spec["mark"]["type"] : spec["mark"]);
const channel = (spec: Spec, name: string): Spec | null => {
  const encoding = spec["encoding"];
  return isRecord(encoding) && isRecord(encoding[name]) ? encoding[name] : null;
};

/**
 * The looks that show the same figures without misleading: a course over time as a line, as bars from zero, or as an
 * area where there is one course alone; anything as its table. A line over names would tell of an order that is none.
 */
export const looksOf = (chart: ChartSuggestion, spec: Spec): readonly ChartLook[] => {
  const mark = markOf(spec);
  const isPlain = channel(spec, "x") !== null && channel(spec, "y") !== null;
  if (!isPlain || (mark !== "line" && mark !== "bar" && mark !== "area")) return [own(chart), "table"];
  if (!(String(chart.x_axis) in buckets)) return [mark === "line" ? "line" : "bar", "table"];
  const single = channel(spec, "color") === null && channel(spec, "xOffset") === null;
  return single ? ["line", "bar", "area", "table"] : mark === "line" ? ["line", "table"] : ["bar", "table"];
};

const own = ({ type }: ChartSuggestion): ChartLook => (type === "line" ? "line" : "bar");

/** Units of time, and what makes a bar as wide as its bucket where they lie on an axis of time. */
const buckets: Readonly<Record<string, string | null>> = {
  ...{ hour: "utcyearmonthdatehours", day: "utcyearmonthdate", week: null, month: "utcyearmonth" },
  ...{ quarter: null, year: null, hour_of_day: null, day_of_week: null },
};

/** The look that the server chose. */
export const firstLook = (chart: ChartSuggestion, spec: Spec): ChartLook => {
  const mark = markOf(spec);
  return mark === "line" || mark === "bar" || mark === "area" ? mark : own(chart);
};

/** The chart's specification with another mark; bars and areas begin at zero. */
export const withLook = (chart: ChartSuggestion, spec: Spec, look: ChartLook): Spec => {
  const before = markOf(spec);
  // What is made of several views has a mark in each, and is drawn as it came.
  if (look === "table" || before === look || (before !== "line" && before !== "bar" && before !== "area")) return spec;
  const mark = isRecord(spec["mark"]) ? { ...spec["mark"], type: look } : { type: look, tooltip: true };
  const [x, y] = [channel(spec, "x"), channel(spec, "y")];
  const bucket = buckets[String(chart.x_axis)] ?? null;
  const isBand = look === "bar" && x?.["type"] === "temporal" && bucket !== null;
  const scale = { ...(isRecord(y?.["scale"]) ? y["scale"] : {}), zero: true };
  const encoding = isRecord(spec["encoding"]) ? spec["encoding"] : {};
  return {
    ...{ ...spec, mark },
    encoding: {
      ...encoding,
      x: isBand ? { ...x, timeUnit: bucket } : x,
      y: { ...y, ...(look === "line" ? {} : { scale }) },
    },
  };
};
