import { field, inLegend, type Json, quantitative, type Spec } from "./encode.ts";
import type { Figure } from "./shape.ts";

/** Figures of one unit on one axis: each becomes rows of its own, told apart by colour. */
export function folded(
  figures: readonly Figure[],
  extra: Spec = {},
): { readonly transform: Json; readonly value: Spec; readonly key: Spec } {
  const labels = Object.fromEntries(figures.map((figure) => [figure.name, inLegend(figure)]));
  return {
    transform: [
      { fold: figures.map(({ name }) => field(name)), as: ["measure_name", "value"] },
      { calculate: `${JSON.stringify(labels)}[datum.measure_name]`, as: "measure" },
    ],
    value: quantitative(
      { ...(figures[0] ?? { unit: "number", additive: false }), name: "value", label: sharedLabel(figures) },
      extra,
    ),
    key: { field: "measure", type: "nominal", title: null, sort: figures.map(inLegend) },
  };
}

/** Of the two periods of a figure its name, since the legend tells which is which. */
const sharedLabel = (figures: readonly Figure[]): string => [...new Set(figures.map(({ label }) => label))].join(", ");
