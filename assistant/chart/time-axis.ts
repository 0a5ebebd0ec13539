import { recurringLabels } from "../calendar.ts";
import { grainWords } from "../catalog/catalog.ts";
import { capital } from "../phrasing/figure.ts";
import { type Grain, isRecurring } from "../plan.ts";
import type { Spec } from "./encode.ts";
import { distinct, type Shape } from "./shape.ts";

/**
 * The parse format of a grain's buckets, and one format for its labels: Vega's own change from tick to tick ("Oct",
 * "Thu 22"). Buckets are wall-clock labels, so they are parsed and drawn as UTC: the reader's zone must not shift them.
 */
const timeForms: Partial<Record<Grain, { readonly parse: string; readonly label: string }>> = {
  hour: { parse: "utc:'%Y-%m-%d %H:%M'", label: "%b %-d %H:%M" },
  day: { parse: "utc:'%Y-%m-%d'", label: "%b %-d" },
  week: { parse: "utc:'%Y-%m-%d'", label: "%b %-d" },
  month: { parse: "utc:'%Y-%m'", label: "%b %Y" },
};

export const parserOf = (grain: Grain): Spec | undefined => {
  const form = timeForms[grain];
  return form === undefined ? undefined : { [grain]: form.parse };
};

export function timeAxis(shape: Shape, extra: Spec = {}): Spec {
  const { grain, zone } = shape;
  const name = grain ?? "day";
  const title = `${capital(grainWords[name])} (${zone})`;
  if (isRecurring(name) && name !== "hour_of_day")
    return { field: name, type: "ordinal", title, sort: recurringLabels[name], ...extra };
  const form = timeForms[name];
  if (form === undefined) return { field: name, type: "ordinal", title, ...extra };
  const axis = { format: form.label, labelAngle: 0, ...(name === "week" ? { values: weeksOf(shape) } : {}) };
  return { field: name, type: "temporal", title, scale: { type: "utc" }, axis, ...extra };
}

/** Ticks of weeks, in milliseconds of UTC: ours begin on Mondays, and Vega would put its ticks on Sundays. */
const weeksOf = ({ rows }: Shape): number[] =>
  distinct(rows, "week")
    .map((week) => Date.parse(week))
    .filter((time) => !Number.isNaN(time));

export const ordinalTime = (shape: Shape): Spec => {
  const { scale: _scale, axis: _axis, ...rest } = timeAxis(shape);
  // Short enough to stand upright; of many, the library leaves some out.
  return { ...rest, type: "ordinal", axis: { labelAngle: 0, labelOverlap: true } };
};
