import { negation } from "./negation.ts";
import { addFilter, type Reading, senseAs, use } from "./reading.ts";

/** "on Mondays", "at weekends". */
export function readDays(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const days = senseAs(reading, index, "days");
    if (days !== undefined) {
      const not = negation(reading, index);
      addFilter(
        reading,
        { field: "day_of_week", op: not === undefined ? "is" : "is_not", values: [...days.days] },
        index,
      );
      use(reading, index, ...(not === undefined ? [] : [not]));
    }
  });
}
