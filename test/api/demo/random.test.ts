import { describe, expect, it } from "vitest";
import { chance, createRandom, exponential, logNormal, pickWeighted, wholeBetween } from "../../../api/demo/random.ts";

const draws = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("createRandom", () => {
  it("repeats itself for the same seed only", () => {
    const of = (seed: number | string) => draws(5, createRandom(seed));
    expect(of(7)).toEqual(of(7));
    expect(of(7)).not.toEqual(of(8));
  });

  it("spreads evenly over [0, 1)", () => {
    const values = draws(20_000, createRandom("even"));
    expect(mean(values)).toBeCloseTo(0.5, 1);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
  });
});

describe("draws", () => {
  const random = createRandom("draws");

  it("follow their weights, and never take what has none", () => {
    const picked = draws(10_000, () =>
      pickWeighted(random, ["a", "b", "c"], (one) => ({ a: 1, b: 3, c: 0 })[one] ?? 0),
    );
    expect(picked.filter((one) => one === "a").length / 10_000).toBeCloseTo(0.25, 1);
    expect(picked).not.toContain("c");
    expect(pickWeighted(random, ["a"], () => 0)).toBeUndefined();
  });

  it("have the mean or median that was asked for", () => {
    expect(mean(draws(20_000, () => exponential(random, 40)))).toBeGreaterThan(38);
    expect(mean(draws(20_000, () => exponential(random, 40)))).toBeLessThan(42);
    const talks = draws(20_001, () => logNormal(random, 120, 0.8)).sort((one, other) => one - other);
    expect(talks[10_000]).toBeGreaterThan(114);
    expect(talks[10_000]).toBeLessThan(126);
    expect(draws(1000, () => chance(random, 0.2)).filter(Boolean).length).toBeGreaterThan(140);
  });

  it("reach both ends of a whole range", () => {
    expect(new Set(draws(500, () => wholeBetween(random, 1, 3)))).toEqual(new Set([1, 2, 3]));
  });
});
