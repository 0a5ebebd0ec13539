import { subjectOf } from "../catalog/catalog.ts";
import { factCounted } from "../catalog/fact-counted.ts";
import { listOf } from "../phrasing/figure.ts";
import { describeFilter } from "../phrasing/scope.ts";
import { alternatives, type Filter, type Plan } from "../plan.ts";
import { faultOf } from "../plan-faults.ts";
import { hasRateOf } from "./grammar/figures.ts";
import { mostListed } from "./grammar/production.ts";
import type { Planned } from "./outcome.ts";
import type { Edited } from "./plan-by-grammar.ts";

/**
 * A question of its own behind an answer, of the same time and under the same conditions where it says no time: nobody
 * who has just seen figures of last week means all data without saying so. A note says what was kept. undefined where it
 * cannot be told which records are meant.
 */
export function withScope(
  own: Planned,
  previous: Plan,
  { leans, isTimed, names, points }: Extract<Edited, { kind: "unread" }>,
): Planned | undefined {
  const { plan } = own;
  if (plan.subject !== previous.subject) return leans || !names.includes(plan.subject) ? undefined : own;
  // "List the last 10 calls" says which.
  const isNewest = plan.columns.length > 0 && plan.order === null && plan.limit !== mostListed;
  if (!leans && (isTimed || isNewest)) return own;
  const fact = factCounted(subjectOf(previous.subject), previous.measures[0] ?? "");
  const isOne = ({ dimensions, grain, columns }: Plan) => dimensions.length + columns.length === 0 && grain === null;
  // "Duplicates last month, and how many converted": of the duplicates, or of all calls? "Revenue by campaign, how many
  // calls failed": of each campaign, or in all?
  const mayBeOfEach = fact !== undefined || !isOne(previous);
  if (isOne(plan) && mayBeOfEach && !points) return undefined;
  const said = [...plan.filters, ...plan.having, ...plan.portion].flatMap(alternatives).map(({ field }) => field);
  const isKept = (filter: Filter) =>
    alternatives(filter).every(({ field }) => !said.includes(field) && !plan.dimensions.includes(field));
  const before = points && fact !== undefined ? [...previous.filters, fact] : previous.filters;
  const kept = before.filter((each) => isKept(each) && !hasRateOf(subjectOf(plan.subject), plan.measures, each));
  const period = isTimed ? null : previous.period;
  if (kept.length === 0 && period === null) return own;
  const next: Plan = { ...plan, filters: [...kept, ...plan.filters], period: period ?? plan.period };
  const words = [
    ...(period === null ? [] : [period.label]),
    ...kept.map((filter) => describeFilter(subjectOf(plan.subject), filter)),
  ];
  if (faultOf(next) !== undefined) return undefined;
  return { ...own, plan: next, notes: [...own.notes, `I kept ${listOf(words)} from the answer before.`] };
}
