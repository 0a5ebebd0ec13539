/** A budget of steps, some 20 ns each at the worst: what is judged by it takes so long and no longer, on any config. */
export interface Work {
  /** Takes steps off the budget; false where it is spent, and from then on. */
  spend(steps: number): boolean;
  isSpent(): boolean;
  /** Steps taken so far. */
  steps(): number;
}

/** `within`: a budget that these steps are taken off, too. */
export function createWork(limit: number, within?: Work): Work {
  let taken = 0;
  let isSpent = false;
  return {
    spend(steps) {
      taken += steps;
      const isLeft = within === undefined || within.spend(steps);
      isSpent ||= taken > limit || !isLeft;
      return !isSpent;
    },
    isSpent: () => isSpent,
    steps: () => taken,
  };
}
