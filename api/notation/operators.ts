import { toDecimal } from "./decimal.ts";
import { toPattern } from "./pattern.ts";

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

/**
 * Whether a condition holds (semantics 8.3). A positive operator wants any of the values to match, its negation none; so
 * an absent field, or no values, make the first false and the second true. Text is compared trimmed and in any case.
 * False, whichever way it asks, with an operator that nobody knows or a pattern that cannot be read.
 */
export function matches(operator: string, actual: Actual, values: readonly string[]): boolean {
  const known = toOperator(operator);
  if (known === null) return false;
  const all = actual === undefined ? [] : typeof actual === "string" ? [actual] : actual;
  const texts = all.map((text) => text.trim());
  if (known === "exists" || known === "not_exists") return texts.some(Boolean) === (known === "exists");
  if (known === "regex" || known === "not_regex") return matchesPattern(known, texts, values);
  const negated = negations[known];
  return negated === undefined ? holds(known, texts, values) : !holds(negated, texts, values);
}

const negations: Partial<Record<Operator, Operator>> = {
  not_equals: "equals",
  not_in: "in",
  not_contains: "contains",
  not_starts_with: "starts_with",
  not_ends_with: "ends_with",
};

type Compare<T> = (actual: T, value: T) => boolean;
const same: Compare<string> = (actual, value) => actual === value;
const ofText: Partial<Record<Operator, Compare<string>>> = {
  equals: same,
  in: same,
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

function holds(operator: Operator, texts: readonly string[], values: readonly string[]): boolean {
  const compareText = ofText[operator];
  if (compareText) return some(texts.map(fold), values.map(fold), compareText);
  const [numbers, bounds] = [texts.map(toDecimal), values.map(toDecimal)];
  const compare = ofNumbers[operator];
  // What is no number is NaN, of which no comparison is true.
  if (compare) return some(numbers, bounds, compare);
  const [low = Number.NaN, high = Number.NaN] = bounds;
  return numbers.some((number) => number >= low && number <= high);
}

const some = <T>(actuals: readonly T[], values: readonly T[], compare: Compare<T>): boolean =>
  actuals.some((actual) => values.some((value) => compare(actual, value)));

const fold = (text: string): string => text.trim().toLowerCase();

function matchesPattern(operator: "regex" | "not_regex", texts: readonly string[], values: readonly string[]): boolean {
  const patterns = values.map(toPattern);
  if (patterns.includes(null)) return false;
  const found = texts.some((text) => patterns.some((pattern) => pattern?.test(text)));
  return found === (operator === "regex");
}
