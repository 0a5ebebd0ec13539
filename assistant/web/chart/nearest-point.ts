import type { Item } from "vega";

/** Marks that stand for one datum each. */
const singleMarks: readonly string[] = ["rect", "symbol", "arc"];
/** Marks that go through many data, from point to point. */
const throughMarks: readonly string[] = ["line", "area", "trail"];

type Place = readonly [x: number, y: number];
type Box = Pick<DOMRect, "left" | "top" | "width">;

/** The place of a click in a drawing, from its plot's origin, in the drawing's own pixels: styles may have scaled it. */
export const placeIn = (
  svg: { readonly getBoundingClientRect: () => Box; readonly width: { readonly baseVal: { readonly value: number } } },
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
  [originX = 0, originY = 0]: readonly number[],
): Place => {
  const { left, top, width } = svg.getBoundingClientRect();
  const scale = width > 0 ? svg.width.baseVal.value / width : 1;
  return [(clientX - left) * scale - originX, (clientY - top) * scale - originY];
};

type Point = { readonly x?: number; readonly datum?: unknown; readonly mark?: unknown };
/** The part of Vega's scene graph read here: items in groups, each placed relative to its group. */
type Scene = {
  readonly x?: number;
  readonly datum?: unknown;
  readonly mark?: {
    readonly marktype?: string;
    readonly items?: readonly Point[];
    readonly group?: Scene;
  };
};

/** Returns the distance from the plot's origin to a group's, to the right. */
const offsetOf = (group: Scene | undefined): number =>
  group === undefined ? 0 : (group.x ?? 0) + offsetOf(group.mark?.group);

/**
 * The datum of the mark that was clicked: of a line or an area the one of its nearest point along the axis; undefined where
 * no mark was.
 */
export const datumAt = (item: Item | Scene | null | undefined, at: Place | null): unknown => {
  const clicked = item as Scene | null | undefined;
  const kind = clicked?.mark?.marktype ?? "";
  if (singleMarks.includes(kind)) return clicked?.datum;
  if (at === null || !throughMarks.includes(kind)) return undefined;
  const x = at[0] - offsetOf(clicked?.mark?.group);
  const points = (clicked?.mark?.items ?? []).filter((point) => point.x !== undefined);
  const distance = (point: Point): number => Math.abs((point.x ?? 0) - x);
  const [first, ...others] = points;
  return first === undefined
    ? undefined
    : others.reduce((nearest, point) => (distance(point) < distance(nearest) ? point : nearest), first).datum;
};
