import { useMemo } from "preact/hooks";
import { noSearch, toHash } from "../calls/call-search.ts";
import { formatCount } from "../format.ts";
import { formatInstant } from "../format-time.ts";
import { WarningIcon } from "../icons.tsx";
import { useShortcut } from "../keyboard.ts";
import { ProblemNote } from "../problem-note.tsx";
import { Bids, Caps, troubleId, Webhooks } from "./attention.tsx";
import { Figures } from "./figures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { HourChart } from "./hour-chart.tsx";
import type { Overview } from "./overview.ts";
import { questionsOf } from "./questions.ts";
import { Failures, Rankings } from "./rankings.tsx";
import { useOverview } from "./use-overview.ts";

const weekdayOf = ({ as_of, timezone }: Overview): string =>
  new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: timezone }).format(new Date(as_of));

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

const Head = ({ overview }: { overview: Overview | null }) => (
  <div class="overview-head">
    <div>
      <h1>Overview</h1>
      <p class="soft">
        {overview === null
          ? "Reading…"
          : `${weekdayOf(overview)}, ${formatInstant(overview.as_of, overview.timezone)}, ${overview.timezone}`}
      </p>
    </div>
    {overview !== null && (
      <div class="overview-now">
        <Attention overview={overview} />
        <a class="live-link" href={toHash({ ...noSearch, status: "live" })} data-live={overview.live_calls > 0}>
          {formatCount(overview.live_calls, "live call")}
        </a>
      </div>
    )}
  </div>
);

/** The organization's day at a glance: figures, what is live, and what needs attention. */
export const OverviewView = () => {
  const { overview, problem, retry } = useOverview();
  const questions = useMemo(() => questionsOf(overview), [overview]);
  const lastWeek = overview === null ? "Last week" : `Last ${weekdayOf(overview)}`;
  useShortcut(() => {
    location.hash = "#ask";
  });
  return (
    <main class="overview" aria-busy={overview === null && problem === null}>
      <Head overview={overview} />
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
      <Figures overview={overview} questions={questions} lastWeek={lastWeek} />
      <HourChart overview={overview} questions={questions} lastWeek={lastWeek} />
      <div class="panels ranks">
        <Rankings overview={overview} questions={questions} />
      </div>
      <div class="panels">
        <Failures overview={overview} questions={questions} />
        <Bids overview={overview} questions={questions} />
        <Webhooks overview={overview} questions={questions} />
        <Caps overview={overview} />
      </div>
    </main>
  );
};
