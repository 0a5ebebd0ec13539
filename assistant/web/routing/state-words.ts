import { reasonOf, reasonWords, sentenceCase } from "../calls/reasons.ts";
import { formatMinute } from "../format-time.ts";
import { capWords } from "../overview/wording.ts";
import type { Limits } from "./routing.ts";

type Closed = {
  readonly reason: string | null;
  readonly detail: string | null;
  readonly is_paused?: boolean;
  readonly paused_until?: string | null;
};

/** "It was paused, until Nov 21, 20:00. Resume it."; empty while it is open. */
export const whyClosed = ({ reason, detail, is_paused, paused_until }: Closed, zone: string): string => {
  if (reason === null) return "";
  const until = is_paused && paused_until != null ? `, until ${formatMinute(paused_until, zone)}` : "";
  const { advice } = reasonOf(reason);
  return `${sentenceCase(reasonWords(reason, detail))}${until}.${advice === null ? "" : ` ${advice}`}`;
};

/** "3 of 5 calls at once", or "3 calls at once" without a limit. */
export const concurrencyWords = ({ in_use, max_concurrency }: Pick<Limits, "in_use" | "max_concurrency">): string =>
  max_concurrency === null
    ? `${in_use} ${in_use === 1 ? "call" : "calls"} now`
    : `${in_use} of ${max_concurrency} calls at once`;

/** Its use of each limit, one after another. */
export const limitWords = (row: Limits, zone: string): readonly string[] => [
  concurrencyWords(row),
  ...row.caps.map((cap) => {
    const until = cap.reached && cap.resets_at !== null ? `, until ${formatMinute(cap.resets_at, zone)}` : "";
    return `${capWords(cap)}${until}`;
  }),
];
