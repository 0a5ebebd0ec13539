import type { Plan } from "../plan.ts";
import type { Item } from "./link/item.ts";
import type { Problem } from "./rules/draft.ts";

const saidOf = (item: Item | undefined): string => item?.said.toLowerCase() ?? "";
const question = /^(?:when|where|who|whom|why|what|which|how)$/;
const joint = /^(?:and|,|plus)$/;
const leading = /^(?:to|from|by|for|on|in|at|with|through|via)$/;

/** "… and when", "… and to what": a second question that the plan would lose; undefined where there is none. */
function danglingQuestion(items: readonly Item[]): string | undefined {
  const at = items.findLastIndex((item) => question.test(saidOf(item)));
  const isLast = at > 0 && items.slice(at + 1).every(({ kind }) => kind === "stop" || kind === "period");
  const from = leading.test(saidOf(items[at - 1])) ? at - 2 : at - 1;
  if (!isLast || from < 1 || !joint.test(saidOf(items[from]))) return undefined;
  return items
    .slice(from, at + 1)
    .map(({ said }) => said)
    .join(" ");
}

const present = /^(?:now|currently|presently)$/;

/** What the question says beside its plan, where that would be lost: a second question, or the present moment. */
export function unansweredPart(items: readonly Item[], plan: Plan): Problem | undefined {
  // A list tells when, where and what.
  const dangling = plan.columns.length > 0 ? undefined : danglingQuestion(items);
  if (dangling !== undefined)
    return { sentence: `I did not understand "${dangling}": ask it as a question of its own.`, options: [] };
  const now = items.findIndex((item) => present.test(saidOf(item)));
  const isLive = plan.measures.includes("live_calls") || plan.filters.some(({ field }) => field === "live");
  if (now < 0 || isLive || plan.period !== null) return undefined;
  const isRight = saidOf(items[now - 1]) === "right";
  const rest = items.filter((_, at) => at !== now && !(isRight && at === now - 1)).map(({ said }) => said);
  return {
    sentence: `Over which time is "${isRight ? "right " : ""}${items[now]?.said}"?`,
    options: ["today", "last 60 minutes", "last 24 hours"].map((time) => [...rest, time].join(" ")),
  };
}
