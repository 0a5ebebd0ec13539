import { useMemo } from "preact/hooks";
import { noSearch, toHash } from "../calls/call-search.ts";
import { formatCount } from "../format.ts";
import { formatInstant } from "../format-time.ts";
import { WarningIcon } from "../icons.tsx";
import { useShortcut } from "../keyboard.ts";
import { between, minuteAt, type Span } from "../period/spans.ts";
import { ProblemNote } from "../problem-note.tsx";
import { Bids, Caps, troubleId, Webhooks } from "./attention.tsx";
import { DayChoice } from "./day-choice.tsx";
import { type DayWords, dayWords, weekdayOf } from "./day-words.ts";
import { Figures } from "./figures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { HourChart } from "./hour-chart.tsx";
import type { Overview } from "./overview.ts";
import { questionsOf } from "./questions.ts";
import { Failures, Rankings } from "./rankings.tsx";
import { useOverview } from "./use-overview.ts";

const scrollToTrouble = (): void => document.getElementById(troubleId)?.scrollIntoView({ block: "center" });

/** Leads to webhooks in trouble and to caps that are reached, which stand further down. */
const Attention = ({ overview: { webhooks, caps } }: { overview: Overview }) => {
  const count = webhooks.data.length + caps.data.filter(({ reached }) => reached).length;
  if (count === 0) return null;
  return (
    <button type="button" class="quiet attention" onClick={scrollToTrouble}>
      <WarningIcon />
      {count === 1 ? "1 thing needs" : `${count} things need`} attention
    </button>
  );
};

const Head = ({ overview, day, words }: { overview: Overview | null; day: string | null; words: DayWords }) => (
  <div class="overview-head">
    <div>
      <h1>Overview</h1>
      <p class="soft">
        {overview === null
          ? "Reading…"
          : `${weekdayOf(overview)}, ${day === null ? formatInstant(overview.as_of, overview.timezone) : words.name}, ${overview.timezone}`}
      </p>
    </div>
    {overview !== null && (
      <div class="overview-now">
        <DayChoice day={day} zone={overview.timezone} />
        <Attention overview={overview} />
        <a class="live-link" href={toHash({ ...noSearch, status: "live" })} data-live={overview.live_calls > 0}>
          {formatCount(overview.live_calls, "live call")}
        </a>
      </div>
    )}
  </div>
);

/** The calls of the overview's day. */
const spanOfDay = (day: string | null, overview: Overview | null): Span => {
  if (day === null || overview === null) return { hours: "today", from: "", to: "" };
  const { from, to } = overview.periods.today;
  return { hours: between, from: minuteAt(Date.parse(from)), to: minuteAt(Date.parse(to)) };
};

/** The organization's day at a glance, today or one that is over: figures, what is live, and what needs attention. */
export const OverviewView = ({ day }: { day: string | null }) => {
  const { overview, problem, retry } = useOverview(day);
  const words = dayWords(day, overview);
  const questions = useMemo(() => questionsOf(overview, day === null ? null : words.name), [overview, day, words.name]);
  useShortcut(() => {
    location.hash = "#ask";
  });
  return (
    <main class="overview" aria-busy={overview === null && problem === null}>
      <Head overview={overview} day={day} words={words} />
      {problem !== null && <ProblemNote problem={problem} label="Try again" onAct={retry} />}
      {overview !== null && overview.reports === null && (
        <p class="notice" role="status">
          The figures of calls cannot be read now; live calls, webhooks and caps can.
        </p>
      )}
      {overview?.reports != null && overview.loading_since !== null && (
        <p class="notice" role="status">
          Records since {formatInstant(overview.loading_since, overview.timezone)} are still being loaded; some of them
          may be missing here.
        </p>
      )}
      {overview?.first_steps != null && <FirstSteps known={overview.first_steps} />}
      <Figures overview={overview} questions={questions} words={words} />
      <HourChart overview={overview} questions={questions} words={words} />
      <div class="panels ranks">
        <Rankings overview={overview} questions={questions} words={words} />
      </div>
      <div class="panels">
        <Failures overview={overview} questions={questions} words={words} span={spanOfDay(day, overview)} />
        <Bids overview={overview} questions={questions} words={words} />
        <Webhooks overview={overview} questions={questions} words={words} />
        <Caps overview={overview} />
      </div>
    </main>
  );
};
