import { addUnits, isoDate, startOf, toLocal } from "../../calendar.ts";
import { nowMs } from "../clock.ts";
import { dayHash, overviewHash } from "../hash-location.ts";

/** Chooses the day of the overview: today, yesterday, or another one that is over. */
export const DayChoice = ({ day, zone }: { day: string | null; zone: string }) => {
  const today = startOf("day", toLocal(nowMs(), zone));
  const yesterday = isoDate(addUnits("day", today, -1));
  const choose = (chosen: string): void => {
    // A date that is half typed is none.
    if (chosen !== "" && chosen <= isoDate(today))
      location.hash = chosen === isoDate(today) ? overviewHash : dayHash(chosen);
  };
  return (
    <div class="day-choice">
      <nav class="looks" aria-label="Day">
        <a href={overviewHash} aria-current={day === null ? "page" : undefined}>
          Today
        </a>
        <a href={dayHash(yesterday)} aria-current={day === yesterday ? "page" : undefined}>
          Yesterday
        </a>
      </nav>
      <input
        type="date"
        aria-label="Another day"
        max={isoDate(today)}
        value={day ?? isoDate(today)}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </div>
  );
};
