import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, percentOf, subtract } from "../../ingest/money.ts";

/** Amounts of up to four decimals, as whole ten-thousandths. */
const units = fc.integer({ min: 0, max: 10_000_000_000_000 });
/** Percentages of up to four decimals, as whole ten-thousandths. */
const percentUnits = fc.integer({ min: 0, max: 1_000_000 });

describe("the difference of two amounts", () => {
  it("is exact to the ten-thousandth", () => {
    fc.assert(
      fc.property(units, units, (from, taken) => {
        expect(subtract(from / 10_000, taken / 10_000)).toBe((from - taken) / 10_000);
      }),
    );
  });

  it.each([
    [0.3, 0.1, 0.2],
    [30, 20, 10],
    [0, 12.5, -12.5],
    [1_000_000_000, 0.0001, 999_999_999.9999],
  ])("of %d and %d is %d", (from, taken, left) => {
    expect(subtract(from, taken)).toBe(left);
  });
});

describe("the sum of two amounts", () => {
  it("is exact to the ten-thousandth", () => {
    fc.assert(
      fc.property(units, units, (one, other) => {
        expect(add(one / 10_000, other / 10_000)).toBe((one + other) / 10_000);
      }),
    );
    expect([add(0.1, 0.2), add(12.5, -12.5)]).toEqual([0.3, 0]);
  });
});

describe("a percentage of an amount", () => {
  it("is the exact one, floored to the cent", () => {
    fc.assert(
      fc.property(units, percentUnits, (amount, percentage) => {
        const cents = (BigInt(amount) * BigInt(percentage)) / 100_000_000n;
        expect(percentOf(amount / 10_000, percentage / 10_000)).toBe(Number(cents) / 100);
      }),
      { numRuns: 2000 },
    );
  });

  it("is never more than the whole, which is all of it but what is less than a cent", () => {
    fc.assert(
      fc.property(units, percentUnits, (amount, percentage) => {
        expect(percentOf(amount / 10_000, percentage / 10_000)).toBeLessThanOrEqual(amount / 10_000);
        expect(percentOf(amount / 10_000, 100)).toBe(Math.floor(amount / 100) / 100);
      }),
    );
  });

  it.each([
    [30, 70, 21],
    [0.1, 30, 0.03],
    [19.99, 50, 9.99],
    [33.33, 33.33, 11.1],
    [0.01, 99.9999, 0],
    [1.15, 100, 1.15],
    [100, 0, 0],
    [0, 80, 0],
    [999_999_999.99, 99.999999, 999_999_989.99],
  ])("(%d, %d %%) is %d", (amount, percentage, part) => {
    expect(percentOf(amount, percentage)).toBe(part);
  });
});
