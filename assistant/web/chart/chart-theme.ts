import { maxNameWidth, narrowPx } from "./legend-layout.ts";

const seriesColours = Array.from({ length: 8 }, (_, index) => `var(--series-${index + 1})`);

// More dots than this would hide the line: they are invisible, and still have tooltips.
const maxDots = 31;

type Themed = {
  readonly rowCount: number;
  readonly ramp: string[];
  readonly widthPx: number;
  readonly legend: { readonly columns: number; readonly labelLimit: number };
};

/**
 * Vega-Lite's configuration in the page's colours. CSS variables go straight into the SVG's attributes, so a change
 * of colour scheme, or printing, needs no new drawing. Only the ramp is mixed by Vega itself and must be resolved.
 */
export const toChartConfig = ({ rowCount, ramp, widthPx, legend }: Themed) => ({
  background: "transparent",
  font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  aria: false,
  // The last label of an axis or a ramp reaches beyond its end.
  padding: { left: 4, top: 4, right: 14, bottom: 4 },
  view: { stroke: "transparent", continuousHeight: 280, discreteHeight: 280 },
  range: { category: seriesColours, ramp, heatmap: ramp, ordinal: ramp },
  mark: { color: "var(--series-1)", tooltip: true },
  line: {
    strokeWidth: 2.25,
    point: { filled: true, size: rowCount <= maxDots ? 34 : 60, opacity: rowCount <= maxDots ? 1 : 0 },
  },
  area: { fillOpacity: 0.75, line: true },
  bar: { cornerRadiusEnd: 3, discreteBandSize: { band: 0.72 } },
  arc: { stroke: "var(--surface)", strokeWidth: 2 },
  rule: { color: "var(--ink-soft)" },
  text: { color: "var(--ink)" },
  axis: {
    domainColor: "var(--line-strong)",
    tickColor: "var(--line-strong)",
    gridColor: "var(--line)",
    labelColor: "var(--ink-soft)",
    titleColor: "var(--ink-soft)",
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 500 as const,
    titlePadding: 10,
    labelPadding: 6,
    labelLimit: maxNameWidth(widthPx),
  },
  // Beside long names a narrow plot has less room than its title: it may reach under them.
  axisX: { grid: false, labelOverlap: true, ...(widthPx < narrowPx ? { titleAnchor: "end" as const } : {}) },
  axisQuantitative: { tickCount: 5, domain: false, ticks: false, grid: true },
  axisTemporal: { grid: false },
  legend: {
    orient: "top" as const,
    direction: "horizontal" as const,
    labelColor: "var(--ink)",
    titleColor: "var(--ink-soft)",
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 500 as const,
    symbolLimit: 40,
    ...legend,
  },
  header: { labelColor: "var(--ink)", titleColor: "var(--ink-soft)" },
  title: {
    color: "var(--ink)",
    subtitleColor: "var(--ink-soft)",
    anchor: "start" as const,
    fontSize: 13,
    fontWeight: 600 as const,
    offset: 14,
  },
});
