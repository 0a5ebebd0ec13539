/** Priority and weight of a row. */
export interface Turn {
  /** Lower goes first, 0 before 1. */
  readonly priority: number;
  /** Share of the draws among rows of the same priority; those of 0 come after the others. */
  readonly weight: number;
}

/**
 * Rows in the order in which they are tried: by priority, and within one drawn by weight without replacement, so that
 * each comes first as often as its weight is of the sum. `random` gives numbers in [0, 1).
 */
export function byPriorityAndWeight<T extends Turn>(rows: readonly T[], random: () => number): T[] {
  return rows
    .map((row) => ({ row, wait: waitOf(row.weight, random) }))
    .sort(
      (one, other) =>
        one.row.priority - other.row.priority ||
        Number(one.row.weight === 0) - Number(other.row.weight === 0) ||
        one.wait - other.wait,
    )
    .map(({ row }) => row);
}

/**
 * An exponential waiting time whose rate is the weight: the shortest one is a row's as often as its weight is of the sum,
 * and so on among the rest. Rows of no weight wait at one rate among themselves.
 */
const waitOf = (weight: number, random: () => number): number => -Math.log(1 - random()) / (weight || 1);
