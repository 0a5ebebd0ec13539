const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

const byName: ReadonlyMap<string, number> = new Map(
  names.flatMap((name, day) => [
    [name, day],
    [name.slice(0, 3), day],
    [String(day), day],
  ]),
);

/** Returns 0 (Sunday) to 6 for an English weekday name, its first three letters, or the number; null for anything else. */
export const toWeekday = (day: string | number): number | null => byName.get(String(day).trim().toLowerCase()) ?? null;

/** Returns the full lower-case name. */
export const nameOfWeekday = (day: number): string => names[day] ?? "";
