import { addUnits, dayMs, type Local, startOf } from "../../calendar.ts";

/** The days of the weeks that hold a month, from a Monday to a Sunday. */
export const weeksOf = (month: Local): readonly (readonly Local[])[] => {
  const weeks: Local[][] = [];
  const end = addUnits("month", month, 1);
  for (let at = startOf("week", month); at < end; at = addUnits("week", at, 1)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => at + index * dayMs));
  }
  return weeks;
};

/** The same day of another month, or that month's last one. */
export const inMonth = (day: Local, months: number): Local => {
  const month = addUnits("month", startOf("month", day), months);
  return Math.min(month + (day - startOf("month", day)), addUnits("month", month, 1) - dayMs);
};

/** The day to which a key moves from another; null for a key that moves nothing. */
export const dayAfterKey = (day: Local, { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): Local | null => {
  const week = startOf("week", day);
  switch (key) {
    case "ArrowLeft":
      return day - dayMs;
    case "ArrowRight":
      return day + dayMs;
    case "ArrowUp":
      return day - 7 * dayMs;
    case "ArrowDown":
      return day + 7 * dayMs;
    case "Home":
      return week;
    case "End":
      return week + 6 * dayMs;
    case "PageUp":
      return inMonth(day, shiftKey ? -12 : -1);
    case "PageDown":
      return inMonth(day, shiftKey ? 12 : 1);
    default:
      return null;
  }
};
