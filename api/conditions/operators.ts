import { toDecimal } from "../../ingest/parse.ts";
import { toPattern } from "./pattern.ts";
import type { StepBudget } from "./step-budget.ts";

/** The operators of conditions, each with its other spellings. */
const spellings = {
  equals: "eq is = equals_single_value equals_multiple_values",
  not_equals: "neq is_not !=",
  in: "",
  not_in: "",
  contains: "",
  not_contains: "",
  starts_with: "begins_with",
  not_starts_with: "",
  ends_with: "",
  not_ends_with: "",
  regex: "matches",
  not_regex: "",
  greater_than: "gt >",
  greater_than_or_equal: "gte >=",
  less_than: "lt <",
  less_than_or_equal: "lte <=",
  between: "",
  exists: "",
  not_exists: "",
} as const;
export type Operator = keyof typeof spellings;

/** The value of a field: none, one text, or several spellings of one thing, any of which may match. */
export type Actual = string | undefined | readonly string[];

/** A field's value as conditions compare it: its texts trimmed, and the same without regard to case. */
export interface Texts {
  readonly trimmed: readonly string[];
  readonly folded: readonly string[];
}

const noTexts: Texts = { trimmed: [], folded: [] };

export function toTexts(actual: Actual): Texts {
  if (actual === undefined) return noTexts;
  const trimmed = (typeof actual === "string" ? [actual] : actual).map((text) => text.trim());
  return { trimmed, folded: trimmed.map((text) => text.toLowerCase()) };
}

const bySpelling: ReadonlyMap<string, Operator> = new Map(
  Object.entries(spellings).flatMap(([operator, others]) =>
    [operator, ...others.split(" ")].filter(Boolean).map((spelling) => [spelling, operator as Operator] as const),
  ),
);

/** Returns the operator of a name in any case, with spaces or hyphens for underscores; null if there is none. */
export function toOperator(text: string): Operator | null {
  const folded = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return bySpelling.get(folded) ?? null;
}

/** Returns true for operators whose values are regular expressions. */
export const takesPatterns = (operator: string): boolean => ["regex", "not_regex"].includes(toOperator(operator) ?? "");

/** Tests a field's value. Once the budget is spent the result is false and must be discarded. */
export type Test = (texts: Texts, budget: StepBudget) => boolean;

/**
 * Compiles a condition. A positive operator holds if any of the values matches, its negation if none
 * does, so with an absent field or without values the first is false and the second true. Text is compared trimmed and
 * case-insensitively. With an unknown operator or an invalid pattern the test is always false.
 */
export function toTest(operator: string, values: readonly string[]): Test {
  const known = toOperator(operator);
  if (known === null) return () => false;
  const positive = negations[known];
  const test = toPositiveTest(positive ?? known, values);
  if (test === null) return () => false;
  return positive === undefined ? test : (texts, budget) => !test(texts, budget);
}

const negations: Partial<Record<Operator, Operator>> = {
  not_equals: "equals",
  not_in: "in",
  not_contains: "contains",
  not_starts_with: "starts_with",
  not_ends_with: "ends_with",
  not_regex: "regex",
  not_exists: "exists",
};

/** Steps that one comparison costs, and characters read for one step. */
const comparisonSteps = 10;
const charactersPerStep = 16;

function toPositiveTest(operator: Operator, values: readonly string[]): Test | null {
  if (operator === "exists") return ({ trimmed }) => trimmed.some(Boolean);
  if (operator === "regex") return toPatternTest(values);
  if (operator === "equals" || operator === "in") return toEqualityTest(values);
  const compareText = ofText[operator];
  if (compareText !== undefined) return toTextTest(values.map(fold), compareText);
  return toNumberTest(operator, values.map(toDecimal));
}

/** Looks values up in a set: lists of ZIP codes have thousands of them. */
function toEqualityTest(values: readonly string[]): Test {
  const wanted = new Set(values.map(fold));
  return ({ folded }, budget) => {
    for (const text of folded) if (budget.spend(comparisonSteps) && wanted.has(text)) return true;
    return false;
  };
}

type Compare<T> = (actual: T, value: T) => boolean;
const ofText: Partial<Record<Operator, Compare<string>>> = {
  contains: (actual, value) => actual.includes(value),
  starts_with: (actual, value) => actual.startsWith(value),
  ends_with: (actual, value) => actual.endsWith(value),
};
const ofNumbers: Partial<Record<Operator, Compare<number>>> = {
  greater_than: (actual, value) => actual > value,
  greater_than_or_equal: (actual, value) => actual >= value,
  less_than: (actual, value) => actual < value,
  less_than_or_equal: (actual, value) => actual <= value,
};

const toTextTest =
  (values: readonly string[], compare: Compare<string>): Test =>
  ({ folded }, budget) =>
    folded.some((text) => {
      const steps = comparisonSteps + text.length / charactersPerStep;
      return values.some((value) => budget.spend(steps) && compare(text, value));
    });

function toNumberTest(operator: Operator, bounds: readonly number[]): Test {
  const compare = ofNumbers[operator];
  const [low = Number.NaN, high = Number.NaN] = bounds;
  return ({ trimmed }, budget) =>
    trimmed.map(toDecimal).some((number) => {
      if (!budget.spend(comparisonSteps + bounds.length)) return false;
      // A text that is not a number is NaN, for which every comparison is false.
      return compare === undefined ? number >= low && number <= high : bounds.some((bound) => compare(number, bound));
    });
}

const fold = (text: string): string => text.trim().toLowerCase();

function toPatternTest(values: readonly string[]): Test | null {
  const patterns = values.map(toPattern);
  if (!patterns.every((pattern) => pattern !== null)) return null;
  return ({ trimmed }, budget) =>
    trimmed.some((text) =>
      patterns.some(
        (pattern) => budget.spend(comparisonSteps + pattern.size * (text.length + 1)) && pattern.test(text),
      ),
    );
}
