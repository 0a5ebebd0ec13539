import type { Config, VisualizationSpec } from "vega-embed";
import { mixesColours, type Spec, toFittedSpec } from "./chart-spec.ts";
import { toChartConfig } from "./chart-theme.ts";
import { toDistinctNames } from "./distinct-names.ts";
import { legendLayout } from "./legend-layout.ts";
import { datumAt, placeIn } from "./nearest-point.ts";

export type Drawing = { readonly node: HTMLElement; readonly finalize: () => void };

const toRamp = (element: HTMLElement, name: "ramp" | "paper-ramp"): string[] => {
  const styles = getComputedStyle(element);
  return [1, 2, 3, 4].map((step) => styles.getPropertyValue(`--${name}-${step}`).trim());
};

// The server's charts carry their rows, and load nothing.
const refuse = async (address: string): Promise<never> => {
  throw new Error(`a chart may not load ${address}`);
};

/** Preloads the drawing code while the first answer is awaited. */
export const warmCharts = (): void => {
  void import("vega-embed").catch(() => undefined);
};

type Given = { readonly rowCount: number; readonly widthPx: number };

/** Called with the datum of the mark that was clicked; undefined where none was. */
export type Pick = (datum: unknown) => void;

/** The specification and Vega-Lite's configuration of a chart as the page draws it. */
export const toPageChart = (spec: Spec, { ramp, rowCount, widthPx }: Given & { readonly ramp: string[] }) => ({
  spec: toFittedSpec(toDistinctNames(spec, widthPx), widthPx),
  config: toChartConfig({ rowCount, ramp, widthPx, legend: legendLayout(spec, widthPx) }),
});

/**
 * Draws under a strict content security policy: `ast` makes Vega interpret its expressions instead of compiling them with
 * `Function`, and the styles that both libraries would inject are in the page's own.
 */
export const embedChart = async (node: HTMLElement, spec: Spec, config: Config) => {
  const { default: embed } = await import("vega-embed");
  // Unchecked: Vega-Lite refuses at once a specification that it cannot draw.
  return embed(node, spec as unknown as VisualizationSpec, {
    mode: "vega-lite",
    renderer: "svg",
    ast: true,
    actions: false,
    defaultStyle: false,
    tooltip: { theme: "trunkline", disableDefaultStyle: true },
    loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
    config,
  });
};

const drawWith = async (
  ramp: string[],
  given: Spec,
  { onPick, ...size }: Given & { readonly onPick: Pick | null },
): Promise<Drawing> => {
  const { spec, config } = toPageChart(given, { ramp, ...size });
  const node = document.createElement("div");
  // The element around it has the text alternative; Vega's own labels of marks would be noise.
  node.ariaHidden = "true";
  const { finalize, view } = await embedChart(node, spec, config);
  if (onPick !== null) {
    view.addEventListener("click", (event, item) => {
      const svg = node.querySelector("svg");
      const at = svg === null || !(event instanceof MouseEvent) ? null : placeIn(svg, event, view.origin());
      onPick(datumAt(item, at));
    });
  }
  return { node, finalize };
};

/** Puts a drawing for the screen and one for paper side by side; styles show one of them. */
const forScreenAndPaper = (screen: Drawing, paper: Drawing): Drawing => {
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
 * Draws a chart as wide as `element`, outside of it, so that a redrawing never leaves a gap. Mixed colours do not
 * follow the colour scheme, and printing does not wait for a drawing: in the dark scheme such a chart has a second
 * drawing for paper.
 */
export const drawChart = async (
  element: HTMLElement,
  spec: Spec,
  { rowCount, onPick }: { readonly rowCount: number; readonly onPick: Pick | null },
): Promise<Drawing> => {
  const given = { rowCount, onPick, widthPx: element.clientWidth };
  const [ramp, paperRamp] = [toRamp(element, "ramp"), toRamp(element, "paper-ramp")];
  const screen = await drawWith(ramp, spec, given);
  if (!mixesColours(spec) || ramp.join() === paperRamp.join()) return screen;
  return forScreenAndPaper(screen, await drawWith(paperRamp, spec, given));
};
