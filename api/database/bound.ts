import type { DatabaseValue } from "./database.ts";

/** The values that a statement is given; `add` binds one more and gives its placeholder. */
export function createBound(...values: DatabaseValue[]) {
  return { values, add: (value: DatabaseValue): string => `$${values.push(value)}` };
}
