import { isGrain, isRecurring } from "../../plan.ts";
import type { Draft } from "./draft.ts";
import { hasRole, type Reading } from "./reading.ts";

/** "top 3 publishers per campaign", "best day for each campaign": ranked within each, once all groups are known. */
export function settleRanking(reading: Reading): void {
  const { draft } = reading;
  if (draft.having.length === 0 && asksForHours(reading)) draft.grain = "hour_of_day";
  hourOfDay(draft);
  // The top callers are those who call the most, the top failure reason is that of most calls.
  if (
    /^(caller|failure_reason)$/.test(draft.ranked ?? "") &&
    draft.order?.by === null &&
    draft.measures.length === 0 &&
    isMost(reading)
  )
    draft.order = { ...draft.order, by: "calls" };
  const groups = [...draft.dimensions, ...(draft.grain === null ? [] : [draft.grain])];
  if (draft.limit === null || draft.listing || groups.length < 2 || draft.ranked === null) return;
  const others = groups.filter((name) => name !== draft.ranked);
  const [within] = others.filter((name) => draft.each.has(name) || !(isGrain(name) && !isRecurring(name)));
  if (within !== undefined && others.length === 1) draft.limitPer = within;
  // The limit counts values of the first dimension.
  if (draft.limitPer === null && draft.dimensions.includes(draft.ranked))
    draft.dimensions = [draft.ranked, ...draft.dimensions.filter((name) => name !== draft.ranked)];
}

/** "At what hours do people call": times of the day, unless it is asked of a single one. */
const asksForHours = ({ items, draft, ...reading }: Reading): boolean =>
  draft.grain === "hour" &&
  !isOfOneDay(draft) &&
  items.some(({ said }, at) => /^hours$/i.test(said) && hasRole({ items, ...reading }, at - 1, "which"));

const isMost = (reading: Reading): boolean =>
  reading.items.some((item, at) => hasRole(reading, at, "top") && !/^best\b/i.test(item.said));

const dayMs = 86_400_000;
const isOfOneDay = ({ period }: Draft): boolean =>
  period != null && period.from !== null && Date.parse(period.to) - Date.parse(period.from) <= dayMs;

/** "Which hour has the most calls" asks for a time of day, unless the period is a single day. */
function hourOfDay(draft: Draft): void {
  if (draft.order === null || draft.limit === null || draft.grain !== "hour" || isOfOneDay(draft)) return;
  draft.grain = "hour_of_day";
  if (draft.ranked === "hour") draft.ranked = "hour_of_day";
  draft.notes.push("I read hour as hour of day.");
}
