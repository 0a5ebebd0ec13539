import { useRef, useState } from "preact/hooks";
import { dayMs, type Local, startOf, toLocal } from "../../calendar.ts";
import { toDates } from "../../phrasing/dates.ts";
import { nowMs } from "../clock.ts";
import { useArrowKeys } from "../keyboard.ts";
import { useZone } from "../session-context.ts";
import { Calendar } from "./calendar.tsx";

/** Wall-clock ends of a span, the second one not included; null for one that is open. */
export type LocalEnds = { readonly from: Local | null; readonly to: Local | null };
export type LocalRange = { readonly from: Local; readonly to: Local };

export type PeriodOption = { readonly name: string; readonly label: string; readonly dates: string };

type Props = {
  readonly title: string;
  readonly options: readonly PeriodOption[];
  readonly current: string | null;
  /** The ends of the span that is chosen now. */
  readonly ends: LocalEnds;
  /** True if ends may lie within a day. */
  readonly withTimes: boolean;
  readonly onChoose: (name: string) => void;
  readonly onRange: (range: LocalRange) => void;
};

const iso = (local: Local): string => new Date(local).toISOString();
const startOfDay = (local: Local): Local => startOf("day", local);

type EndProps = {
  readonly label: string;
  readonly value: Local | null;
  readonly withTimes: boolean;
  readonly onMove: (local: Local) => void;
};

/** While a part of it is being typed the input has no value, and the end stays where it was. */
const End = ({ label, value, withTimes, onMove }: EndProps) => (
  <label class="filter">
    {label}
    <input
      type={withTimes ? "datetime-local" : "date"}
      value={value === null ? "" : iso(value).slice(0, withTimes ? 16 : 10)}
      max="9999-12-31"
      onChange={({ currentTarget: { value: typed } }) => {
        const ms = Date.parse(withTimes ? `${typed}:00Z` : `${typed}T00:00:00Z`);
        if (!Number.isNaN(ms)) onMove(ms);
      }}
    />
  </label>
);

type RangeProps = Pick<Props, "ends" | "withTimes" | "onRange">;

/** A span of one's own: days of a calendar, or ends that are typed. */
const OwnRange = ({ ends, withTimes, onRange }: RangeProps) => {
  const zone = useZone();
  const [draft, setDraft] = useState(ends);
  const [anchor, setAnchor] = useState<Local | null>(null);
  const today = startOfDay(toLocal(nowMs(), zone));
  const { from, to } = draft;
  const lastDay = to === null ? null : startOfDay(to - 1);
  const isRange = from !== null && to !== null && from < to;

  const chooseDay = (day: Local): void => {
    const [first, last] = [Math.min(anchor ?? day, day), Math.max(anchor ?? day, day)];
    setDraft({ from: first, to: last + dayMs });
    setAnchor(anchor === null ? day : null);
  };
  const move = (part: Partial<LocalEnds>): void => {
    setAnchor(null);
    setDraft({ ...draft, ...part });
  };

  return (
    <form
      class="period-own"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRange) onRange({ from, to });
      }}
    >
      <Calendar
        chosen={isRange ? { first: startOfDay(from), last: startOfDay(to - 1) } : null}
        anchor={anchor}
        today={today}
        onDay={chooseDay}
      />
      <div class="period-ends">
        <End label="From" value={from} withTimes={withTimes} onMove={(local) => move({ from: local })} />
        <End
          label={withTimes ? "Until" : "To"}
          value={withTimes ? to : lastDay}
          withTimes={withTimes}
          onMove={(local) => move({ to: withTimes ? local : local + dayMs })}
        />
      </div>
      <p class="soft" role="status">
        {anchor !== null && "Now choose the other end. "}
        {isRange ? toDates({ from: iso(from), to: iso(to) }, "UTC") : "The end has to be after the beginning."}
        {anchor === null && `, in ${zone}`}
      </p>
      <button type="submit" class="primary" aria-disabled={!isRange}>
        Use these dates
      </button>
    </form>
  );
};

/** Spans by their names with their dates, and a calendar for one's own. */
export const PeriodPanel = ({ title, options, current, onChoose, ...range }: Props) => {
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  return (
    <div class="period-panel">
      <ul class="period-options" ref={list} aria-label={title}>
        {options.map(({ name, label, dates }) => (
          <li key={name}>
            <button type="button" aria-pressed={name === current} onClick={() => onChoose(name)}>
              <span>{label}</span> <span class="period-dates">{dates}</span>
            </button>
          </li>
        ))}
      </ul>
      <OwnRange {...range} />
    </div>
  );
};
