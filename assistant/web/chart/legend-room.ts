import type { Spec } from "./chart-spec.ts";

const isRecord = (value: unknown): value is Spec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// Of the page's sans serif at 12 px a wide letter, so that names of many capitals fit, and an entry's symbol with the gaps around it.
const letterPx = 7.4;
const symbolPx = 36;
/** The axis beside the plot, and the card's padding. */
const asidePx = 70;

// So much of a narrow chart tells names apart that begin alike, and leaves the bars about half.
const nameShare = 0.46;
const narrowPx = 480;
/** Beside the names: the axis' own title, its ticks, and the card's padding. */
const axisTitlePx = 40;

/** How wide the names along an axis may be. */
export const nameRoom = (widthPx: number): number => Math.min(200, Math.round(widthPx * nameShare));

/** Whether names stand down the side, so that a legend begins behind them. */
const hasNamesAside = (view: Spec): boolean => {
  const encoding = isRecord(view["encoding"]) ? view["encoding"] : {};
  return isRecord(encoding["y"]) && encoding["y"]["type"] === "nominal";
};

const viewsOf = (spec: Spec): readonly Spec[] =>
  Array.isArray(spec["vconcat"]) ? spec["vconcat"].filter(isRecord) : [spec];

/** What the legend of a view names: the order that the specification gives, or the values of its rows. */
const entriesOf = (view: Spec, rows: readonly unknown[]): readonly string[] => {
  const color = isRecord(view["encoding"]) ? view["encoding"]["color"] : undefined;
  if (!isRecord(color) || color["type"] === "quantitative") return [];
  if (Array.isArray(color["sort"])) return color["sort"].map(String);
  // A path to a field has its dots escaped.
  const field = String(color["field"]).replace(/\\(.)/g, "$1");
  return [...new Set(rows.filter(isRecord).map((row) => String(row[field])))];
};

/**
 * How wide a legend's entries may be and how many stand beside each other, so that none is cut while there is room:
 * the library gives every entry the width of the widest, and lets what does not fit run out of the picture.
 */
export const legendRoom = (spec: Spec, widthPx: number): { readonly columns: number; readonly labelLimit: number } => {
  const rows = isRecord(spec["data"]) && Array.isArray(spec["data"]["values"]) ? spec["data"]["values"] : [];
  const entries = viewsOf(spec).flatMap((view) => entriesOf(view, rows));
  const isCramped = widthPx < narrowPx && viewsOf(spec).some(hasNamesAside);
  const room = Math.max(120, widthPx - (isCramped ? nameRoom(widthPx) + axisTitlePx : asidePx));
  const widest = Math.max(6, ...entries.map((entry) => entry.length)) * letterPx;
  const labelLimit = Math.min(Math.ceil(widest), room - symbolPx);
  return { columns: Math.max(1, Math.floor(room / (labelLimit + symbolPx))), labelLimit };
};
