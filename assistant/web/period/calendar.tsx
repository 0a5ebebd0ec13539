import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Local, startOf } from "../../calendar.ts";
import { BackIcon } from "../icons.tsx";
import { dayAfterKey, inMonth, weeksOf } from "./days.ts";

const weekdays = [
  ["Mo", "Monday"],
  ["Tu", "Tuesday"],
  ["We", "Wednesday"],
  ["Th", "Thursday"],
  ["Fr", "Friday"],
  ["Sa", "Saturday"],
  ["Su", "Sunday"],
] as const;

const monthWords = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
const dayWords = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" });

/** The first and the last day that are chosen; while only one is, both are that one. */
export type Days = { readonly first: Local; readonly last: Local };

type Props = {
  readonly chosen: Days | null;
  /** The day that was chosen as one end, while the other one is awaited. */
  readonly anchor: Local | null;
  readonly today: Local;
  readonly onDay: (day: Local) => void;
};

/**
 * A month of days, one of which Tab reaches; arrows move by days and weeks, Page Up and Page Down by months, with Shift by
 * years. Days after today cannot be chosen.
 */
export const Calendar = ({ chosen, anchor, today, onDay }: Props) => {
  const [current, setCurrent] = useState(Math.min(chosen?.last ?? today, today));
  const grid = useRef<HTMLTableElement>(null);
  const isMoving = useRef(false);
  const month = startOf("month", current);
  const shown: Days | null =
    anchor === null ? chosen : { first: Math.min(anchor, current), last: Math.max(anchor, current) };

  useLayoutEffect(() => setCurrent(Math.min(chosen?.last ?? today, today)), [chosen?.last]);
  useLayoutEffect(() => {
    if (isMoving.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoving.current = false;
  }, [current]);

  const press = (event: KeyboardEvent): void => {
    const next = dayAfterKey(current, event);
    if (next === null) return;
    event.preventDefault();
    isMoving.current = true;
    setCurrent(Math.min(next, today));
  };
  const turn = (months: number): void => setCurrent(Math.min(inMonth(current, months), today));

  return (
    <div class="calendar">
      <div class="calendar-head">
        <button type="button" class="quiet small" aria-label="Month before" onClick={() => turn(-1)}>
          <BackIcon />
        </button>
        <strong aria-live="polite">{monthWords.format(month)}</strong>
        <button
          type="button"
          class="quiet small calendar-next"
          aria-label="Month after"
          aria-disabled={month >= startOf("month", today)}
          onClick={() => turn(1)}
        >
          <BackIcon />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a calendar's grid */}
      <table role="grid" aria-label={monthWords.format(month)} ref={grid} onKeyDown={press}>
        <thead>
          <tr>
            {weekdays.map(([short, name]) => (
              <th key={name} scope="col" abbr={name}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const isIn = shown !== null && day >= shown.first && day <= shown.last;
                const isEnd = shown !== null && (day === shown.first || day === shown.last);
                return (
                  <td key={day} data-in={isIn} data-end={isEnd} data-out={startOf("month", day) !== month}>
                    <button
                      type="button"
                      tabIndex={day === current ? 0 : -1}
                      aria-label={dayWords.format(day)}
                      aria-pressed={isIn}
                      aria-current={day === today ? "date" : undefined}
                      disabled={day > today}
                      onMouseEnter={() => anchor !== null && startOf("month", day) === month && setCurrent(day)}
                      onClick={() => onDay(day)}
                    >
                      {new Date(day).getUTCDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
