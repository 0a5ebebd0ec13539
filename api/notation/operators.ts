import { toDecimal } from "./decimal.ts";
import { toPattern } from "./pattern.ts";
import type { Work } from "./work.ts";

/** Operators of conditions by their one name here, each with its other spellings (semantics 8.3). */
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

/** What a field holds: nothing, one text, or the several spellings of one thing, any of which may match. */
export type Actual = string | undefined | readonly string[];

const bySpelling: ReadonlyMap<string, Operator> = new Map(
  Object.entries(spellings).flatMap(([operator, others]) =>
    [operator, ...others.split(" ")].filter(Boolean).map((spelling) => [spelling, operator as Operator] as const),
  ),
);

/** The operator meant: any case, spaces and hyphens count as underscores; null when there is none of that name. */
export function toOperator(text: string): Operator | null {
  const folded = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return bySpelling.get(folded) ?? null;
}

/** Whether the values of the operator are regular expressions. */
export const takesPatterns = (operator: string): boolean => ["regex", "not_regex"].includes(toOperator(operator) ?? "");

/** Whether the condition holds of what a field has; false, and to be thrown away, once the work is spent. */
export type Test = (actual: Actual, work: Work) => boolean;

/**
 * A condition made ready to be asked (semantics 8.3). A positive operator wants any of the values to match, its negation
 * none; so an absent field, or no values, make the first false and the second true. Text is compared trimmed and in any
 * case. False, whichever way it asks, with an operator that nobody knows or a pattern that cannot be read.
 */
export function toTest(operator: string, values: readonly string[]): Test {
  const known = toOperator(operator);
  if (known === null) return () => false;
  const positive = negations[known];
  const test = toTestOfTexts(positive ?? known, values);
  if (test === null) return () => false;
  return (actual, work) => {
    const all = actual === undefined ? [] : typeof actual === "string" ? [actual] : actual;
    const texts = all.map((text) => text.trim());
    return test(texts, work) === (positive === undefined);
  };
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

type TestOfTexts = (texts: readonly string[], work: Work) => boolean;

/** Steps of one comparison, and how many characters one step reads. */
const comparisonSteps = 10;
const charactersPerStep = 16;

function toTestOfTexts(operator: Operator, values: readonly string[]): TestOfTexts | null {
  if (operator === "exists") return (texts) => texts.some(Boolean);
  if (operator === "regex") return toPatternTest(values);
  if (operator === "equals" || operator === "in") return toEqualityTest(values);
  const compareText = ofText[operator];
  if (compareText !== undefined) return toTextTest(values.map(fold), compareText);
  return toNumberTest(operator, values.map(toDecimal));
}

/** Of thousands of values as quick as of one: lists of ZIP codes are that long. */
function toEqualityTest(values: readonly string[]): TestOfTexts {
  const wanted = new Set(values.map(fold));
  return (texts, work) => texts.some((text) => work.spend(comparisonSteps) && wanted.has(fold(text)));
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
  (values: readonly string[], compare: Compare<string>): TestOfTexts =>
  (texts, work) =>
    texts.map(fold).some((text) => {
      const steps = comparisonSteps + text.length / charactersPerStep;
      return values.some((value) => work.spend(steps) && compare(text, value));
    });

function toNumberTest(operator: Operator, bounds: readonly number[]): TestOfTexts {
  const compare = ofNumbers[operator];
  const [low = Number.NaN, high = Number.NaN] = bounds;
  return (texts, work) =>
    texts.map(toDecimal).some((number) => {
      if (!work.spend(comparisonSteps + bounds.length)) return false;
      // What is no number is NaN, of which no comparison is true.
      return compare === undefined ? number >= low && number <= high : bounds.some((bound) => compare(number, bound));
    });
}

const fold = (text: string): string => text.trim().toLowerCase();

function toPatternTest(values: readonly string[]): TestOfTexts | null {
  const patterns = values.map(toPattern);
  if (!patterns.every((pattern) => pattern !== null)) return null;
  return (texts, work) =>
    texts.some((text) =>
      patterns.some((pattern) => work.spend(comparisonSteps + pattern.size * (text.length + 1)) && pattern.test(text)),
    );
}
