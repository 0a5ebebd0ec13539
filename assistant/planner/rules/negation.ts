import { before, hasRole, type Reading } from "./reading.ts";

/** The place of "not", "excluding" and the like, before the item or before the list that it is in. */
export function negation(reading: Reading, index: number): number | undefined {
  let at = before(reading, index, "of", "by", "all");
  while (hasRole(reading, at, "and", "or") && reading.used.has(before(reading, at)))
    at = before(reading, before(reading, at), "of");
  return hasRole(reading, at, "not") ? at : undefined;
}
