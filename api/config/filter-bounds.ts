import type { z } from "zod";
import { takesPatterns } from "../conditions/operators.ts";
import {
  createPatternAllowance,
  maxPatternLength,
  maxPatternSize,
  maxPatterns,
  toPattern,
} from "../conditions/pattern.ts";

/** Size of filters, by which the work of evaluating them is bounded. */
export interface FilterSize {
  readonly conditions: number;
  readonly values: number;
  /** Sum over all values. */
  readonly characters: number;
  /** Regular expressions among the values. */
  readonly patterns: number;
}

/** Bounds of a target, of a formula, of all payout rules of a campaign, or of all criteria of a formula's steps. */
export const filterBounds: FilterSize = {
  conditions: 1000,
  values: 20_000,
  characters: 262_144,
  patterns: maxPatterns,
};
/** Bounds of all destinations of a routing plan, members of its RTB groups included, each as often as it is named. */
export const planBounds: FilterSize = { conditions: 10_000, values: 200_000, characters: 2_097_152, patterns: 500 };

export const boundsInWords = (bounds: FilterSize): string =>
  `${bounds.conditions} conditions, ${bounds.values} values of ${bounds.characters} characters together, and ${bounds.patterns} regular expressions`;

const noFilters: FilterSize = { conditions: 0, values: 0, characters: 0, patterns: 0 };

const addSizes = (one: FilterSize, other: FilterSize): FilterSize => ({
  conditions: one.conditions + other.conditions,
  values: one.values + other.values,
  characters: one.characters + other.characters,
  patterns: one.patterns + other.patterns,
});

const names: Readonly<Record<keyof FilterSize, string>> = {
  conditions: "conditions",
  values: "values",
  characters: "characters in all values",
  patterns: "regular expressions",
};
const measures = Object.keys(names) as (keyof FilterSize)[];

/** Describes the first bound that is exceeded; null if none is. */
export function excessOf(size: FilterSize, bounds: FilterSize): string | null {
  const over = measures.find((measure) => size[measure] > bounds[measure]);
  return over === undefined ? null : `more than ${bounds[over]} ${names[over]}`;
}

type Path = (string | number)[];
/** A condition with its path in the request. */
export interface PlacedCondition {
  readonly operator: string;
  readonly values: readonly string[];
  readonly path: Path;
}

/** A condition of free form: `operator`, and `values` or `value`. */
export function toPlaced({ operator, values, value }: Readonly<Record<string, unknown>>, path: Path): PlacedCondition {
  const texts = [values ?? value ?? []].flat().filter((each) => typeof each === "string");
  return { operator: typeof operator === "string" ? operator : "", values: texts, path };
}

export const sizeOfConditions = (conditions: Iterable<PlacedCondition>): FilterSize =>
  sumOf([...conditions].map(sizeOfCondition));

export const sumOf = (sizes: readonly FilterSize[]): FilterSize => sizes.reduce(addSizes, noFilters);

const sizeOfCondition = ({ operator, values }: PlacedCondition): FilterSize => ({
  conditions: 1,
  values: values.length,
  characters: values.reduce((sum, value) => sum + value.length, 0),
  patterns: takesPatterns(operator) ? values.length : 0,
});

/** Adds an issue for the first condition that exceeds the bounds, and compiles no pattern beyond it; true if none does. */
export function checkBounds(conditions: Iterable<PlacedCondition>, context: z.RefinementCtx): boolean {
  let size = noFilters;
  const patterns = createPatternAllowance();
  for (const condition of conditions) {
    size = addSizes(size, sizeOfCondition(condition));
    const excess = excessOf(size, filterBounds);
    const isTooLarge = excess === null && takesPatterns(condition.operator) && !patterns.take(condition.values);
    if (excess === null && !isTooLarge) continue;
    const what = excess ?? `regular expressions whose programs have more than ${maxPatternSize} instructions`;
    const message = `is beyond the bounds: with it all conditions together have ${what}. Take some out`;
    context.addIssue({ code: "custom", path: condition.path, message });
    return false;
  }
  return true;
}

/** Adds an issue for the first invalid regular expression of each condition. */
export function checkPatterns(conditions: Iterable<PlacedCondition>, context: z.RefinementCtx): void {
  const message = `is no regular expression of RE2's syntax, or longer or larger than fits (${maxPatternLength} characters)`;
  for (const { operator, values, path } of conditions) {
    if (!takesPatterns(operator)) continue;
    const index = values.findIndex((value) => toPattern(value) === null);
    if (index >= 0) context.addIssue({ code: "custom", path: [...path, "values", index], message });
  }
}
