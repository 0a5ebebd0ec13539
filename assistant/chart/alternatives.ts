import type { ChartSuggestion } from "../answer.ts";
import type { ChartType } from "../plan.ts";
import type { Chart, Spec } from "./encode.ts";
import { countNames, type Shape } from "./shape.ts";
import { drawWish } from "./wish.ts";

/** In the order in which they are offered. */
const offered: readonly ChartType[] = ["line", "bar", "area", "heat_map", "scatter", "pie"];
const mostOfferedSlices = 5;

type Alternatives = NonNullable<ChartSuggestion["alternatives"]>;

/** The other charts that tell the truth of these rows. What has the suggested chart's rows goes without them. */
export function alternatives(
  shape: Shape,
  { chart, suited }: { readonly chart: Chart; readonly suited: Chart | undefined },
): Alternatives {
  if (shape.rows.length < 2 || chart.type === "number") return [];
  return offered.flatMap((type) => {
    if (type === chart.type || (type === "pie" && !isFewSlices(shape))) return [];
    const other = suited?.type === type ? suited : drawWish(shape, type);
    return typeof other === "string" || other.type !== type || other.spec === null
      ? []
      : [{ type, vega_lite: withoutRowsOf(chart, other.spec) }];
  });
}

/** A pie may be asked for; of more slices, or of days, nobody should be led to one. */
const isFewSlices = (shape: Shape): boolean => shape.grain === null && countNames(shape) <= mostOfferedSlices;

const valuesOf = (spec: Spec | null): unknown => {
  const data = spec?.["data"];
  return typeof data === "object" && data !== null && "values" in data ? data["values"] : undefined;
};

function withoutRowsOf({ spec }: Chart, other: Spec): Spec {
  const [own, shown] = [valuesOf(other), valuesOf(spec)];
  const isSame =
    Array.isArray(own) &&
    Array.isArray(shown) &&
    own.length === shown.length &&
    own.every((row, at) => row === shown[at]);
  if (!isSame) return other;
  const { data, ...rest } = other;
  const format = typeof data === "object" && data !== null && "format" in data ? { format: data["format"] } : {};
  return { ...rest, data: format };
}
