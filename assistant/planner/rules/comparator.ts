import type { FilterOp } from "../../plan.ts";
import { hasRole, type Reading } from "./reading.ts";

/** "Over", "at least", "under", "at most". */
export const comparators = ["more_than", "at_least", "less_than", "at_most"] as const;

/** On which side of a number something is to lie, where the item says so. */
export const comparatorAt = (reading: Reading, index: number): FilterOp | undefined =>
  comparators.find((op) => hasRole(reading, index, op));
