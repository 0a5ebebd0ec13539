const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

const byName: ReadonlyMap<string, number> = new Map(
  names.flatMap((name, day) => [
    [name, day],
    [name.slice(0, 3), day],
    [String(day), day],
  ]),
);

/** 0 for Sunday to 6, of an English name, whole or three letters, in any case, or of the number; null for anything else. */
export const toWeekday = (day: string | number): number | null => byName.get(String(day).trim().toLowerCase()) ?? null;

/** Full name in small letters. */
export const nameOfWeekday = (day: number): string => names[day] ?? "";
