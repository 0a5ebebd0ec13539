import type { VisualizationSpec } from "vega-embed";
import { type Spec, toFittedSpec } from "./chart-spec.ts";
import { toChartConfig } from "./chart-theme.ts";
import { legendRoom } from "./legend-room.ts";

export type Drawing = { readonly node: HTMLElement; readonly finalize: () => void };

const toRamp = (element: HTMLElement): string[] => {
  const styles = getComputedStyle(element);
  return [1, 2, 3, 4].map((step) => styles.getPropertyValue(`--ramp-${step}`).trim());
};

// Charts carry their rows; a specification that wants to fetch something is not one of ours.
const refuse = async (address: string): Promise<never> => {
  throw new Error(`a chart may not load ${address}`);
};

/** Begins to fetch the drawing code, so that it is there when the first answer is. */
export const warmCharts = (): void => {
  void import("vega-embed").catch(() => undefined);
};

/**
 * A drawing as wide as `element`, to be put into it: drawn apart, so that a redrawing never leaves a hole. `ast` makes Vega interpret its expressions instead of compiling them
 * with `Function`, and the styles both libraries would inject are ours, so a strict content security policy holds.
 */
export const drawChart = async (element: HTMLElement, spec: Spec, rowCount: number): Promise<Drawing> => {
  const { default: embed } = await import("vega-embed");
  const widthPx = element.clientWidth;
  // The wire knows a specification only as an object; Vega-Lite refuses at once what it cannot draw.
  const fitted = toFittedSpec(spec, widthPx) as unknown as VisualizationSpec;
  const node = document.createElement("div");
  // The description around it stands for the whole; mark by mark it would be noise, and Vega names some marks badly.
  node.ariaHidden = "true";
  const { finalize } = await embed(node, fitted, {
    mode: "vega-lite",
    renderer: "svg",
    ast: true,
    actions: false,
    defaultStyle: false,
    tooltip: { theme: "trunkline", disableDefaultStyle: true },
    loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
    config: toChartConfig({ rowCount, ramp: toRamp(element), widthPx, legend: legendRoom(spec, widthPx) }),
  });
  return { node, finalize };
};
