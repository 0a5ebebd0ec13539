import type { Row } from "../../warehouse/warehouse.ts";
import { toFigure } from "../phrasing/figure.ts";
import { type Chart, fit, inLegend, root, type Spec, titleOf } from "./encode.ts";
import type { Figure, Shape } from "./shape.ts";

/** Figures side by side, each in its unit; beside another period's, what has changed. */
export function bigNumbers({ rows, figures }: Shape): Chart {
  const [row = {}] = rows;
  const values = figures.flatMap((figure) => [
    { title: titleOf({ ...figure, label: inLegend(figure) }), value: toFigure(row[figure.name], figure.unit) },
    ...changeOf(figure, row),
  ]);
  const encoding: Spec = {
    text: { field: "value", type: "nominal" },
    ...(values.length > 1 ? { x: { field: "title", type: "nominal", title: null, sort: null } } : {}),
  };
  return { type: "number", spec: { ...root(values), ...fit, mark: { type: "text", size: 32 }, encoding } };
}

function changeOf({ name, label, isBefore }: Figure, row: Row): readonly Row[] {
  const change = row[name.replace(/_before$/, "_change")];
  if (isBefore !== true || typeof change !== "number") return [];
  return [{ title: `Change of ${label} (%)`, value: `${change > 0 ? "+" : ""}${toFigure(change, "percent")}` }];
}
