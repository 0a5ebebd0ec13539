import type { VisualizationSpec } from "vega-embed";
import { mixesColours, type Spec, toFittedSpec } from "./chart-spec.ts";
import { toChartConfig } from "./chart-theme.ts";
import { legendRoom } from "./legend-room.ts";

export type Drawing = { readonly node: HTMLElement; readonly finalize: () => void };

const toRamp = (element: HTMLElement, name: "ramp" | "paper-ramp"): string[] => {
  const styles = getComputedStyle(element);
  return [1, 2, 3, 4].map((step) => styles.getPropertyValue(`--${name}-${step}`).trim());
};

// Charts carry their rows; a specification that wants to fetch something is not one of ours.
const refuse = async (address: string): Promise<never> => {
  throw new Error(`a chart may not load ${address}`);
};

/** Begins to fetch the drawing code, so that it is there when the first answer is. */
export const warmCharts = (): void => {
  void import("vega-embed").catch(() => undefined);
};

type Given = { readonly rowCount: number; readonly widthPx: number };

/**
 * `ast` makes Vega interpret its expressions instead of compiling them with `Function`, and the styles both libraries would
 * inject are ours, so a strict content security policy holds.
 */
const drawWith = async (ramp: string[], spec: Spec, { rowCount, widthPx }: Given): Promise<Drawing> => {
  const { default: embed } = await import("vega-embed");
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
    config: toChartConfig({ rowCount, ramp, widthPx, legend: legendRoom(spec, widthPx) }),
  });
  return { node, finalize };
};

/** One for the screen and one for paper, each shown where it belongs. */
const beside = (screen: Drawing, paper: Drawing): Drawing => {
  screen.node.className = "on-screen";
  paper.node.className = "on-paper";
  const node = document.createElement("div");
  node.append(screen.node, paper.node);
  return {
    node,
    finalize: () => {
      screen.finalize();
      paper.finalize();
    },
  };
};

/**
 * A drawing as wide as `element`, to be put into it: drawn apart, so that a redrawing never leaves a hole. Mixed colours
 * do not follow the scheme, and printing waits for no drawing: where they are the dark scheme's, paper has its own beforehand.
 */
export const drawChart = async (element: HTMLElement, spec: Spec, rowCount: number): Promise<Drawing> => {
  const given = { rowCount, widthPx: element.clientWidth };
  const [ramp, paperRamp] = [toRamp(element, "ramp"), toRamp(element, "paper-ramp")];
  const screen = await drawWith(ramp, spec, given);
  if (!mixesColours(spec) || ramp.join() === paperRamp.join()) return screen;
  return beside(screen, await drawWith(paperRamp, spec, given));
};
