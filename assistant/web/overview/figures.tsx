import type { Unit } from "../wire.ts";
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

type Props = { readonly overview: Overview | null; readonly questions: Questions; readonly lastWeek: string };

/** Today's five figures, each held against the same time yesterday and a week ago. */
export const Figures = ({ overview, questions, lastWeek }: Props) => {
  const reports = overview?.reports ?? undefined;
  const days = [
    { day: "yesterday", label: "Yesterday by now" },
    { day: "last_week", label: `${lastWeek} by now` },
  ] as const;
  return (
    <ul class="day-figures" aria-label="Today">
      {dayMeasures.map((measure) => (
        <li key={measure} class="panel">
          <h2>{labels[measure]}</h2>
          <a
            class="day-figure"
            href={questions.byHour(measure)}
            aria-label={`${labels[measure]} today: ${format(reports?.today, measure)}`}
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
