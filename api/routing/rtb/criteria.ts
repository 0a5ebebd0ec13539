import { memoizeByObject } from "../../conditions/memoize.ts";
import { type Actual, takesPatterns, toTest, toTexts } from "../../conditions/operators.ts";
import { createPatternAllowance } from "../../conditions/pattern.ts";
import { createStepBudget, type StepBudget } from "../../conditions/step-budget.ts";
import { scalarOf } from "./bid-response.ts";
import { readPath } from "./json-path.ts";

type Free = Readonly<Record<string, unknown>>;
type Accepts = (answer: unknown, budget: StepBudget) => boolean;

/** Steps that a step's criteria may take: 5 ms at the worst. */
const criteriaSteps = 250_000;
/** Steps of reading one field of the answer. */
const pathSteps = 50;

/**
 * Returns true if an answer fulfils a step's `target_selection_criteria`: one condition `{field | path, operator, value
 * | values}`, or `{conditions, combinator: and | or}` of such and of more of themselves. With nothing to fulfil it
 * does; what would take too much work it does not.
 */
export function accepts(criteria: Free, answer: unknown): boolean {
  if (!asksForSomething(criteria)) return true;
  const { isTooLarge, fulfils } = compileCriteria(criteria);
  const budget = createStepBudget(criteriaSteps);
  return !isTooLarge && fulfils(answer, budget) && !budget.isSpent();
}

/** Compiles criteria, once for as long as the formula stays as it is. */
export const compileCriteria = memoizeByObject((criteria: Free) => {
  const patterns = createPatternAllowance();

  function compile(each: Free): Accepts {
    if (Array.isArray(each["conditions"])) {
      const all = each["conditions"].filter(isFree).map(compile);
      if (all.length === 0) return () => true;
      const any = String(each["combinator"] ?? "and").toLowerCase() === "or";
      if (any) return (answer, budget) => all.some((fulfils) => fulfils(answer, budget));
      return (answer, budget) => all.every((fulfils) => fulfils(answer, budget));
    }
    const path = each["field"] ?? each["path"];
    if (typeof path !== "string" || path.trim() === "") return () => true;
    const values = valuesOf(each["values"] ?? each["value"]);
    const operator = each["operator"] ?? (values.length > 0 ? "equals" : "exists");
    if (typeof operator !== "string" || (takesPatterns(operator) && !patterns.take(values))) return () => false;
    const test = toTest(operator, values);
    return (answer, budget) => budget.spend(pathSteps) && test(toTexts(actualOf(readPath(answer, path))), budget);
  }

  const fulfils = compile(criteria);
  return { isTooLarge: patterns.isExceeded(), fulfils };
});

/** Returns true if there are criteria, for which the answer must be read. */
export const asksForSomething = (criteria: Free): boolean => Object.keys(criteria).length > 0;

const isFree = (value: unknown): value is Free => typeof value === "object" && value !== null && !Array.isArray(value);

const valuesOf = (given: unknown): string[] => [given].flat().flatMap((each) => scalarOf(each) ?? []);

/** A list matches by any of its texts; what is neither text nor list exists, and that is all. */
function actualOf(value: unknown): Actual {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return valuesOf(value);
  return scalarOf(value) ?? "{…}";
}
