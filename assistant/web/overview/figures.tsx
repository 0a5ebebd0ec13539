import type { Unit } from "../wire.ts";
import type { DayWords } from "./day-words.ts";
import type { DayFigures, Overview } from "./overview.ts";
import { type DayMeasure, dayMeasures, type Questions } from "./questions.ts";
import { formatChange, formatRate, formatUnit, unknown } from "./wording.ts";

const labels: Readonly<Record<DayMeasure, string>> = {
  calls: "Calls",
  revenue: "Revenue",
  payout: "Payout",
  profit: "Profit",
  conversion_rate: "Conversion",
};
const units: Readonly<Record<DayMeasure, Unit>> = {
  calls: "count",
  revenue: "money",
  payout: "money",
  profit: "money",
  conversion_rate: "percent",
};

const format = (figures: DayFigures | undefined, measure: DayMeasure): string => {
  const value = figures?.[measure] ?? null;
  if (value === null) return unknown;
  return measure === "conversion_rate" ? formatRate(value) : formatUnit(value, units[measure]);
};

type Props = { readonly overview: Overview | null; readonly questions: Questions; readonly words: DayWords };

/** The day's five figures, each held against the same part of the day before and of a week ago. */
export const Figures = ({ overview, questions, words }: Props) => {
  const reports = overview?.reports ?? undefined;
  const days = [
    { day: "yesterday", label: `${words.yesterday}${words.byNow}` },
    { day: "last_week", label: `${words.lastWeek}${words.byNow}` },
  ] as const;
  return (
    <ul class="day-figures" aria-label={words.name}>
      {dayMeasures.map((measure) => (
        <li key={measure} class="panel">
          <h2>{labels[measure]}</h2>
          <a
            class="day-figure"
            href={questions.byHour(measure)}
            aria-label={`${labels[measure]} ${words.on}: ${format(reports?.today, measure)}`}
          >
            {format(reports?.today, measure)}
          </a>
          {days.map(({ day, label }) => (
            <a key={day} class="day-before" href={questions.against(measure, day)}>
              <span>{label}</span> <span>{format(reports?.[day], measure)}</span>{" "}
              <strong>{formatChange(reports?.today[measure] ?? null, reports?.[day][measure] ?? null, measure)}</strong>
            </a>
          ))}
        </li>
      ))}
    </ul>
  );
};
