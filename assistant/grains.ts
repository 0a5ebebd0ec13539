/** Buckets of time that follow one another, and recurring ones. The analysts' page imports this file, too: it imports nothing. */
export const runningGrains = ["hour", "day", "week", "month", "quarter", "year"] as const;
export const recurringGrains = ["hour_of_day", "day_of_week", "kind_of_day", "part_of_day"] as const;
export const grains = [...runningGrains, ...recurringGrains] as const;
export type RunningGrain = (typeof runningGrains)[number];
export type RecurringGrain = (typeof recurringGrains)[number];
export type Grain = (typeof grains)[number];
export const isGrain = (name: string): name is Grain => (grains as readonly string[]).includes(name);
export const isRecurring = (name: string): name is RecurringGrain =>
  (recurringGrains as readonly string[]).includes(name);
