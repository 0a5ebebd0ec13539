import { type Actual, matches } from "../../notation/operators.ts";
import { scalarOf } from "./answer.ts";
import { readPath } from "./path.ts";

type Free = Readonly<Record<string, unknown>>;

/**
 * Whether an answer fulfils a step's `target_selection_criteria`: one condition `{field | path, operator, value |
 * values}`, or `{conditions, combinator: and | or}` of such and of more of themselves. With nothing to fulfil it does
 * (semantics 8.6).
 */
export function accepts(criteria: Free, answer: unknown): boolean {
  if (Array.isArray(criteria["conditions"])) {
    const conditions = criteria["conditions"].filter(isFree);
    const any = String(criteria["combinator"] ?? "and").toLowerCase() === "or";
    const accepted = (each: Free): boolean => accepts(each, answer);
    return conditions.length === 0 || (any ? conditions.some(accepted) : conditions.every(accepted));
  }
  const path = criteria["field"] ?? criteria["path"];
  if (typeof path !== "string" || path.trim() === "") return true;
  const values = valuesOf(criteria["values"] ?? criteria["value"]);
  const operator = criteria["operator"] ?? (values.length > 0 ? "equals" : "exists");
  return typeof operator === "string" && matches(operator, actualOf(readPath(answer, path)), values);
}

/** Whether there is anything to fulfil, for which the answer must be read. */
export const asksForSomething = (criteria: Free): boolean => Object.keys(criteria).length > 0;

const isFree = (value: unknown): value is Free => typeof value === "object" && value !== null && !Array.isArray(value);

const valuesOf = (given: unknown): string[] => [given].flat().flatMap((each) => scalarOf(each) ?? []);

/** A list matches by any of its texts; what is neither text nor list exists, and that is all. */
function actualOf(value: unknown): Actual {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return valuesOf(value);
  return scalarOf(value) ?? "{…}";
}
