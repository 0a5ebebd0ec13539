import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure, measuredSince, underperformers } from "../../../api/routing/predictive.ts";

const brought = (attempts: number, revenue: number, conversions = 0) => ({ attempts, conversions, revenue });
const rules = { underperforming_percentage: 30 };

describe("a destination", () => {
  it("is measured from five attempts on, or as many as the rules say", () => {
    const measured = (attempts: number, more = {}) => measure(brought(attempts, 10), { ...rules, ...more }).measured;
    expect([measured(4), measured(5), measured(1, { minimum_call_count: 2 })]).toEqual([false, true, false]);
    expect([measured(2, { minimum_call_count: 2 }), measured(0, { minimum_call_count: 0 })]).toEqual([true, false]);
  });

  it("earned by attempt what it brought", () => {
    expect(measure(brought(10, 55, 4), rules)).toEqual({ measured: true, conversionRate: 0.4, earningsPerCall: 5.5 });
    expect(measure(brought(0, 0), rules)).toEqual({ measured: false, conversionRate: 0, earningsPerCall: 0 });
  });

  it("is judged by the last 24 hours, or as many as the rules say", () => {
    const now = 1_000_000_000;
    const hours = [{}, { desired_hours: 48 }, { desired_hours: 0 }].map(
      (more) => (now - measuredSince(more, now)) / 3_600_000,
    );
    expect(hours).toEqual([24, 48, 24]);
  });
});

describe("underperforming", () => {
  const of = (all: Record<string, ReturnType<typeof brought>>, more: object = rules) => [
    ...underperformers(new Map(Object.entries(all)), more),
  ];

  it("is who earns less by call than the best by more than the percentage", () => {
    const all = { best: brought(10, 100), near: brought(10, 70), far: brought(10, 69.99) };
    expect(of(all)).toEqual(["far"]);
  });

  it("is nobody without a percentage, when nobody has earned anything, or alone", () => {
    const all = { best: brought(10, 100), worst: brought(10, 0) };
    expect([of(all, {}), of(all, { underperforming_percentage: 0 })]).toEqual([[], []]);
    expect(of({ one: brought(10, 0), other: brought(10, 0) })).toEqual([]);
    expect(of({ one: brought(10, 5) })).toEqual([]);
  });

  it("is not who has been tried too seldom to tell, nor is the best found among them", () => {
    expect(of({ best: brought(10, 100), untried: brought(4, 0) })).toEqual([]);
    expect(of({ best: brought(10, 10), lucky: brought(4, 4000) })).toEqual([]);
  });

  it("never leaves nobody", () => {
    const performance = fc.record({ attempts: fc.nat(20), conversions: fc.nat(20), revenue: fc.nat(1000) });
    const percentage = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(fc.array(performance, { minLength: 1 }), percentage, (all, underperforming_percentage) => {
        const excluded = underperformers(new Map(all.entries()), { underperforming_percentage });
        expect(excluded.size).toBeLessThan(all.length);
      }),
    );
  });
});
