import type { Plan } from "../plan.ts";

/** "Without the api key", behind an answer about changes: who made them, and no secret. */
export const withMaker = (text: string, { subject }: Plan): string =>
  subject === "audit_logs"
    ? text.replace(/\b(without|excluding|except|only|not|no) (?:the |any |an )?api keys?\b/i, "$1 made by api key")
    : text;

/** "What about the last 30", behind an answer of the last 7 days: of days. */
export function withUnit(text: string, { period }: Plan): string {
  const unit = /^last \d+ ([a-z]+)$/.exec(period?.label ?? "")?.[1];
  return unit === undefined ? text : text.replace(/\b((?:last|past|previous) \d+)(?=[?.!]*$)/i, `$1 ${unit}`);
}
