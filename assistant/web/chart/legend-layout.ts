import { isSpec, type Spec, viewsOf } from "./chart-spec.ts";

// A wide letter of the page's sans serif at 12 px, so that names of many capitals fit; an entry's symbol with its gaps.
export const letterPx = 7.4;
const symbolPx = 36;
// The axis beside the plot, and the card's padding.
const besidePx = 70;
// In a narrow chart this share tells apart names that begin alike, and leaves the bars about half.
const nameShare = 0.46;
export const narrowPx = 480;
// Beside the names: the axis' title, its ticks, and the card's padding.
const axisTitlePx = 40;

/** The maximal width of the names along an axis. */
export const maxNameWidth = (widthPx: number): number => Math.min(200, Math.round(widthPx * nameShare));

/** True where the y axis has names: the legend begins behind them. */
const hasNamesOnY = (view: Spec): boolean => {
  const encoding = isSpec(view["encoding"]) ? view["encoding"] : {};
  return isSpec(encoding["y"]) && encoding["y"]["type"] === "nominal";
};

/** The entries of a view's legend. */
const entriesOf = (view: Spec, rows: readonly unknown[]): readonly string[] => {
  const color = isSpec(view["encoding"]) ? view["encoding"]["color"] : undefined;
  return isSpec(color) && color["type"] !== "quantitative" ? namesOf(color, rows) : [];
};

/** The names of a channel: in the order that it gives, or the values of the rows. */
export const namesOf = (channel: Spec, rows: readonly unknown[]): readonly string[] => {
  if (Array.isArray(channel["sort"])) return channel["sort"].map(String);
  // Vega escapes dots in names of fields.
  const field = String(channel["field"]).replace(/\\(.)/g, "$1");
  return [...new Set(rows.filter(isSpec).map((row) => String(row[field])))];
};

/**
 * The number of columns and the entries' width of a legend in which no entry is cut while there is room: Vega gives
 * every entry the width of the widest, and draws entries beyond the picture's edge.
 */
export const legendLayout = (
  spec: Spec,
  widthPx: number,
): { readonly columns: number; readonly labelLimit: number } => {
  const rows = isSpec(spec["data"]) && Array.isArray(spec["data"]["values"]) ? spec["data"]["values"] : [];
  const entries = viewsOf(spec).flatMap((view) => entriesOf(view, rows));
  const isCramped = widthPx < narrowPx && viewsOf(spec).some(hasNamesOnY);
  const room = Math.max(120, widthPx - (isCramped ? maxNameWidth(widthPx) + axisTitlePx : besidePx));
  const widest = Math.max(6, ...entries.map((entry) => entry.length)) * letterPx;
  const labelLimit = Math.min(Math.ceil(widest), room - symbolPx);
  return { columns: Math.max(1, Math.floor(room / (labelLimit + symbolPx))), labelLimit };
};
