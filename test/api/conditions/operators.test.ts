import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Actual, toOperator, toTest, toTexts } from "../../../api/conditions/operators.ts";
import { createStepBudget } from "../../../api/conditions/step-budget.ts";

const matches = (operator: string, actual: Actual, values: readonly string[]): boolean =>
  toTest(operator, values)(toTexts(actual), createStepBudget(Number.POSITIVE_INFINITY));

describe("an operator", () => {
  it.each([
    ["EQ", "equals"],
    ["Equals Single-Value", "equals_single_value"],
    ["=", "equals"],
    ["!=", "not_equals"],
    ["begins-with", "starts_with"],
    ["Greater Than Or Equal", "greater_than_or_equal"],
    [">=", "greater_than_or_equal"],
    [" lte ", "less_than_or_equal"],
    ["matches", "regex"],
  ])("%j means the same as %s", (spelling, name) => {
    expect(toOperator(spelling)).toBe(toOperator(name));
    expect(toOperator(spelling)).not.toBeNull();
  });

  it.each(["", "sounds_like", "constructor", "__proto__", "equalss"])("%j is none", (spelling) => {
    expect(toOperator(spelling)).toBeNull();
    expect([matches(spelling, "a", ["a"]), matches(spelling, undefined, [])]).toEqual([false, false]);
  });
});

describe("matches", () => {
  it.each<[operator: string, actual: string | undefined, values: string[], holds: boolean]>([
    ["equals", " New York ", ["boston", "new york"], true],
    ["equals", "new", ["new york"], false],
    ["not_equals", "a", ["a", "b"], false],
    ["not_equals", "c", ["a", "b"], true],
    ["in", "b", ["a", "B"], true],
    ["not_in", "b", ["a", "B"], false],
    ["contains", "Solar roof", ["ROOF"], true],
    ["not_contains", "Solar roof", ["wind", "roof"], false],
    ["starts_with", "+12125550123", ["+1212"], true],
    ["not_starts_with", "+12125550123", ["+1310"], true],
    ["ends_with", "file.csv", [".CSV"], true],
    ["not_ends_with", "file.csv", [".csv"], false],
    ["greater_than", "10", ["9.5"], true],
    ["greater_than", "10", ["10"], false],
    ["greater_than", "9", ["10", "8"], true],
    ["greater_than_or_equal", "10", ["10.0"], true],
    ["less_than", "-1e2", ["0"], true],
    ["less_than_or_equal", "0", [" 0 "], true],
    ["less_than", "", ["1"], false],
    ["less_than", "0x01", ["5"], false],
    ["less_than", "five", ["9"], false],
    ["less_than", "5", ["nine"], false],
    ["less_than", "1e999", ["5"], false],
    ["greater_than", "1e999", ["5"], false],
    ["between", "5", ["5", "9"], true],
    ["between", "9", ["5", "9"], true],
    ["between", "9.01", ["5", "9"], false],
    ["between", "7", ["9", "5"], false],
    ["between", "7", ["5"], false],
    ["regex", "abc-212-x", ["\\d{3}"], true],
    ["regex", "abc", ["^b", "c$"], true],
    ["regex", "ABC", ["abc"], false],
    ["regex", "ABC", ["(?i)abc"], true],
    ["not_regex", "abc", ["^b"], true],
    ["not_regex", "abc", ["^b", "^a"], false],
    ["exists", "0", [], true],
    ["exists", " ", [], false],
    ["exists", undefined, ["x"], false],
    ["not_exists", undefined, ["x"], true],
    ["not_exists", "a", [], false],
  ])("%s %j %j is %s", (operator, actual, values, holds) => {
    expect(matches(operator, actual, values)).toBe(holds);
  });

  const positive = "equals in contains starts_with ends_with regex greater_than less_than between".split(" ");
  const negative = "not_equals not_in not_contains not_starts_with not_ends_with not_regex".split(" ");

  it("is false for a positive operator and true for a negative one without a field or without values", () => {
    for (const operator of positive) expect(matches(operator, undefined, ["1", "2"]), operator).toBe(false);
    for (const operator of negative) expect(matches(operator, undefined, ["1", "2"]), operator).toBe(true);
    for (const operator of positive) expect(matches(operator, "1", []), operator).toBe(false);
    for (const operator of negative) expect(matches(operator, "1", []), operator).toBe(true);
  });

  it("says the opposite of each negation", () => {
    const text = fc.string({ maxLength: 6 });
    fc.assert(
      fc.property(fc.option(text, { nil: undefined }), fc.array(text, { maxLength: 4 }), (actual, values) => {
        for (const operator of "equals in contains starts_with ends_with".split(" ")) {
          expect(matches(`not_${operator}`, actual, values)).toBe(!matches(operator, actual, values));
        }
      }),
    );
  });

  it("takes any of several spellings, and denies only when none fits", () => {
    const both = ["NY", "New York"];
    expect([matches("equals", both, ["new york"]), matches("not_equals", both, ["ny"])]).toEqual([true, false]);
    expect(matches("not_equals", both, ["NJ"])).toBe(true);
  });
});

describe("a pattern", () => {
  it.each([
    ["does not compile", "("],
    ["looks ahead, which RE2 cannot", "(?=a)"],
    ["is longer than 256 characters", "a".repeat(257)],
    ["is too large a program", "(?:.*){900}"],
    ["repeats too often before it is compiled", "x{1000}".repeat(12)],
  ])("that %s makes the condition false either way", (_why, pattern) => {
    expect([matches("regex", "a", [pattern]), matches("not_regex", "a", [pattern])]).toEqual([false, false]);
    expect(matches("regex", "a", ["a", pattern])).toBe(false);
  });

  it("of 256 characters is taken", () => {
    expect(matches("regex", "a".repeat(300), ["a".repeat(256)])).toBe(true);
  });

  it("that ruins a backtracking engine is answered at once", () => {
    expect(matches("regex", `${"a".repeat(2000)}b`, ["^(a+)+$"])).toBe(false);
  });
});
