import { describe, expect, it } from "vitest";
import { findBin, roundWidth } from "../../../assistant/catalog/bins.ts";
import { callsSubject } from "../../../assistant/catalog/calls.ts";
import type { Unit } from "../../../assistant/catalog/field.ts";

const widths: readonly [number, Unit, number][] = [
  [1200, "seconds", 60],
  [1201, "seconds", 120],
  [5, "seconds", 1],
  [30 * 86_400, "seconds", 200_000],
  [60, "money", 5],
  [0.1, "money", 0.01],
  [3, "count", 1],
  [900, "count", 50],
  [1000, "ms", 50],
  [1e15, "money", 999_999_999],
  [0, "seconds", 30],
  [Number.NaN, "money", 10],
];

describe("the width of steps", () => {
  it.each(widths)("is round: of a span of %d %s it is %d", (span, unit, width) => {
    expect(roundWidth(span, unit)).toBe(width);
  });
  it.each(widths)("is one that a plan can say: of a span of %d %s", (span, unit) => {
    expect(findBin(callsSubject, `bin:duration:${roundWidth(span, unit)}`)).toMatchObject({ isSettled: true });
  });
});
