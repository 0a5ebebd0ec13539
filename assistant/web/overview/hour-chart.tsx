import { toInstant, toLocal } from "../../../ingest/time-zone.ts";
import { noSearch, toHash } from "../calls/call-search.ts";
import { between, minuteAt } from "../period/spans.ts";
import type { DayWords } from "./day-words.ts";
import type { Overview, Reports } from "./overview.ts";
import type { Questions } from "./questions.ts";
import { roundUp } from "./wording.ts";

const hourMs = 3_600_000;
const slot = 10;
const height = 100;
type Hour = Reports["by_hour"][number];

const saidOf = ({ hour, today, last_week }: Hour, { on, lastWeek }: DayWords): string =>
  `${hour}: ${today === null ? "not yet" : today} ${on}, ${last_week ?? 0} ${lastWeek}`;

/** The calls that came in within an hour of the overview's day. */
const callsOfHour = ({ periods, timezone }: Overview, { hour }: Hour): string => {
  const midnight = toLocal(Date.parse(periods.today.from), timezone);
  const from = toInstant(midnight + Number.parseInt(hour, 10) * hourMs, timezone);
  return toHash({ ...noSearch, hours: between, from: minuteAt(from), to: minuteAt(from + hourMs) });
};

type BarProps = {
  readonly hour: Hour;
  readonly index: number;
  readonly top: number;
  readonly words: DayWords;
  readonly onChoose: () => void;
};

const Bars = ({ hour, index, top, words, onChoose }: BarProps) => {
  const tall = (calls: number | null): number => ((calls ?? 0) / top) * height;
  const [before, now] = [tall(hour.last_week), tall(hour.today)];
  const x = index * slot;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: by the keyboard, the chart's title leads to the same
    <g class="hour" onClick={onChoose}>
      <title>{saidOf(hour, words)}</title>
      <rect class="hour-hover" x={x} y={0} width={slot} height={height} />
      <rect class="hour-before" x={x + 1} y={height - before} width={slot - 2} height={before} />
      <rect class="hour-now" x={x + 3} y={height - now} width={slot - 6} height={now} />
    </g>
  );
};

type Props = { readonly overview: Overview | null; readonly questions: Questions; readonly words: DayWords };

/**
 * Calls by hour of the day before those of the same weekday a week before. A click on an hour leads to its calls; by the
 * keyboard, the title leads to the question, whose rows do.
 */
export const HourChart = ({ overview, questions, words }: Props) => {
  const hours = overview?.reports?.by_hour ?? [];
  const top = roundUp(Math.max(...hours.flatMap(({ today, last_week }) => [today ?? 0, last_week ?? 0]), 0));
  const sum = (day: "today" | "last_week"): number => hours.reduce((all, hour) => all + (hour[day] ?? 0), 0);
  const about = `Bars of calls by hour: ${sum("today")} ${words.on}${words.byNow === "" ? "" : " so far"}, ${sum("last_week")} all day ${words.lastWeek}`;
  return (
    <section class="panel hours" aria-labelledby="hours-title">
      <div class="panel-head">
        <h2 id="hours-title">
          <a href={questions.byHour("calls")}>Calls by hour</a>
        </h2>
        <p class="hours-legend">
          <span class="key-now">{words.name}</span> <span class="key-before">{words.lastWeek}</span>
        </p>
      </div>
      <div class="hours-plot">
        <div class="hours-scale" aria-hidden="true">
          <span>{top}</span>
          <span>{top / 2}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={about}
          viewBox={`0 0 ${Math.max(hours.length, 24) * slot} ${height}`}
          preserveAspectRatio="none"
        >
          <path class="hours-grid" d={`M0 0H2500M0 ${height / 2}H2500M0 ${height}H2500`} />
          {hours.map((hour, index) => (
            <Bars
              key={hour.hour}
              hour={hour}
              index={index}
              top={top}
              words={words}
              onChoose={() => {
                if (overview !== null) location.hash = callsOfHour(overview, hour);
              }}
            />
          ))}
        </svg>
        <div class="hours-axis" aria-hidden="true">
          {["00", "04", "08", "12", "16", "20"].map((hour) => (
            <span key={hour}>{hour}:00</span>
          ))}
        </div>
      </div>
    </section>
  );
};
