import { isDeepStrictEqual } from "node:util";
import type { Subject } from "../../catalog/field.ts";
import { listOf } from "../../phrasing/figure.ts";
import { toQuestion } from "../../phrasing/question.ts";
import type { Plan } from "../../plan.ts";
import type { Item } from "../link/item.ts";
import type { Linking } from "../link/linking.ts";
import type { Outcome } from "../outcome.ts";
import { mainFigures, mainGroups } from "./about.ts";

/** A question without a plan, as it was read and linked. */
export interface Asking {
  readonly items: readonly Item[];
  readonly linking: Linking;
  /** The plan of a question that has one. */
  readonly planOf: (text: string) => Plan | undefined;
}

export const refused = (sentence: string): Outcome => ({ kind: "refused", sentence });

/** Questions to choose from; with none it is a refusal that names what can be asked. */
export function offered(sentence: string, options: readonly string[], subject: Subject): Outcome {
  if (options.length > 0) return { kind: "clarify", sentence, options: [...new Set(options)].slice(0, mostOptions) };
  const hint = `You can ask for ${listOf(mainFigures(subject))} by ${listOf(mainGroups(subject))}.`;
  return refused(`${sentence} ${hint}`);
}
export const mostOptions = 5;

export const quoted = (items: readonly Item[], joint: string): string => {
  const said = items.map((item) => `“${item.said}”`);
  return said.length < 2 ? said.join("") : `${said.slice(0, -1).join(", ")} ${joint} ${said.at(-1)}`;
};

/** A plan in words that are read as that plan again; nothing where they are not. */
export function asQuestion(plan: Plan, { planOf }: Asking): readonly string[] {
  const text = toQuestion(plan);
  const again = planOf(text);
  return again !== undefined && isDeepStrictEqual(plain(again), plain(plan)) ? [text] : [];
}

/** The parts of a plan that decide its answer, lists without an order sorted. */
const plain = ({ chart: _chart, period, compare, measures, filters, ...rest }: Plan) => ({
  ...rest,
  measures: [...measures].sort(),
  filters: filters.map((filter) => JSON.stringify({ ...filter, values: [...filter.values].sort() })).sort(),
  period: period && [period.from, period.to],
  compare: compare && [compare.from, compare.to],
});
