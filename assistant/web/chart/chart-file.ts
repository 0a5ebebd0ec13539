import type { Spec } from "./chart-spec.ts";
import { embedChart, toPageChart } from "./draw-chart.ts";

export const imageFormats = ["png", "svg"] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** The words on a picture of a chart. */
export type Titled = { readonly title: string; readonly rowCount: number };

const widthPx = 960;
// Twice as many dots as the picture has in print and on screens of twice the density.
const density = 2;
const titleLetters = 110;

/** "revenue-by-campaign-last-month-oct-1-31-2026.png" */
export const imageName = (title: string, format: ImageFormat): string => {
  const words = title
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return `${words.slice(0, 80).replace(/-$/, "") || "chart"}.${format}`;
};

/** The specification under a title; what it said of itself, such as how much of the rows it draws, stands below. */
export const withTitle = (spec: Spec, title: string): Spec => {
  const cut = title.length > titleLetters ? `${title.slice(0, titleLetters - 1)}…` : title;
  const text = cut.charAt(0).toUpperCase() + cut.slice(1);
  const own = spec["title"];
  return { ...spec, title: { text, ...(typeof own === "string" && { subtitle: own }) } };
};

/** Replaces the page's variables of colour, at any depth: a file has no style sheet beside it. */
export const withColours = <T>(part: T, colourOf: (name: string) => string): T =>
  JSON.parse(JSON.stringify(part).replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => colourOf(name)));

/** Draws a chart as the page shows it now, light or dark, as a file that needs nothing beside it. */
export const drawImage = async (given: Spec, format: ImageFormat, { title, rowCount }: Titled): Promise<Blob> => {
  const styles = getComputedStyle(document.documentElement);
  const colourOf = (name: string): string => styles.getPropertyValue(name).trim();
  const ramp = [1, 2, 3, 4].map((step) => colourOf(`--ramp-${step}`));
  const chart = toPageChart(withTitle(given, title), { ramp, rowCount, widthPx });
  const { spec, config } = withColours(chart, colourOf);
  const view = await embedChart(document.createElement("div"), spec, {
    ...config,
    background: colourOf("--surface"),
    padding: 20,
  });
  try {
    if (format === "svg") return new Blob([await view.view.toSVG()], { type: "image/svg+xml" });
    const canvas = await view.view.toCanvas(density);
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error("the chart has no picture")) : resolve(blob)),
        "image/png",
      );
    });
  } finally {
    view.finalize();
  }
};
