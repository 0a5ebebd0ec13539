/** A budget of steps of some 20 ns each: it bounds how long a judgement takes, whatever the config. */
export interface StepBudget {
  /** Takes steps off the budget. Returns false once it is spent, and from then on. */
  spend(steps: number): boolean;
  isSpent(): boolean;
  /** Steps taken so far. */
  steps(): number;
}

/** `within` is a larger budget, from which the same steps are taken. */
export function createStepBudget(limit: number, within?: StepBudget): StepBudget {
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
