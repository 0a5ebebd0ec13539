import { toDates } from "../../phrasing/dates.ts";
import { formatDate } from "../format-time.ts";
import { ScopeIcon } from "../icons.tsx";
import { useZone } from "../session-context.ts";
import type { PlanEdit, SharedQuestion } from "../wire.ts";

const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

type Plan = SharedQuestion["plan"];

const isSamePeriod = (one: Plan, other: Plan): boolean =>
  one?.period?.from === other?.period?.from && one?.period?.to === other?.period?.to;

/** "Last month was Oct 1 – 31, 2026 then, and is Nov 1 – 30, 2026 now.", or the dates where they are the same. */
const datesWords = ({ plan, shared_plan: then }: SharedQuestion): string => {
  if (plan?.period == null) return "It is over all data.";
  const dates = toDates(plan.period, plan.zone);
  const label = sentenceCase(plan.period.label);
  const name = /\d{4}/.test(label) ? "" : `${label}: `;
  if (then?.period == null || isSamePeriod(plan, then)) return `${name}${dates}.`;
  return `${label} was ${toDates(then.period, then.zone)} then, and is ${dates} now.`;
};

type Props = {
  readonly shared: SharedQuestion;
  readonly busy: boolean;
  readonly onAsk: (question: string, edited: PlanEdit) => void;
};

/** Above a question that a short link asked: who shared it, and which dates it means now and meant then. */
export const SharedNote = ({ shared, busy, onAsk }: Props) => {
  const zone = useZone();
  const { query, plan, shared_plan: then, created_by: by, created_at: at } = shared;
  return (
    <p class="scope shared-note">
      <ScopeIcon />
      <span>
        Shared by {by.replace(/^user:/, "")} on {formatDate(at, zone)}. {datesWords(shared)}{" "}
        {then !== null && !isSamePeriod(plan, then) && (
          <button
            type="button"
            class="quiet small"
            aria-disabled={busy}
            onClick={() => {
              const dates = then.period === null ? "all data" : toDates(then.period, then.zone);
              if (!busy) onAsk(`${query} (${dates})`, { plan: then });
            }}
          >
            Show it as it was then
          </button>
        )}
      </span>
    </p>
  );
};
