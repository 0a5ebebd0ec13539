import { isDeepStrictEqual } from "node:util";
import type { Subject } from "../../catalog/field.ts";
import { listOf } from "../../phrasing/figure.ts";
import { toQuestion } from "../../phrasing/question.ts";
import type { Plan } from "../../plan.ts";
import { complete, type Lack } from "../grammar/complete.ts";
import type { Piece } from "../grammar/piece.ts";
import { itemsThatTell } from "../grammar/terminals.ts";
import { type Item, sentenceOf } from "../link/item.ts";
import type { Linking } from "../link/name-index.ts";
import type { Outcome } from "../outcome.ts";
import { readPeriod } from "../period/period.ts";
import { mainFigures, mainGroups, mainMeasures } from "./about.ts";

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

/** The question with other words in an item's stead, where it has a plan then. */
export const withInstead = (item: Item, words: readonly string[], { items, planOf }: Asking): readonly string[] =>
  words
    .map((said) => sentenceOf(items.map((each) => (each === item ? { ...each, said } : each))))
    .filter((text) => planOf(text) !== undefined);

/** The parts of a plan that decide its answer, lists without an order sorted. */
const plain = ({ chart: _chart, period, compare, measures, filters, ...rest }: Plan) => ({
  ...rest,
  measures: [...measures].sort(),
  filters: filters.map((filter) => JSON.stringify({ ...filter, values: [...filter.values].sort() })).sort(),
  period: period && [period.from, period.to],
  compare: compare && [compare.from, compare.to],
});

/** The plans of pieces that lack nothing, as questions. */
export const completed = (pieces: readonly Piece[], subject: Subject, asking: Asking): readonly string[] =>
  pieces.flatMap((piece) => {
    const { now, zone } = asking.linking;
    const result = complete(piece, { subject, now, zone });
    return result !== undefined && "plan" in result ? asQuestion(result.plan, asking) : [];
  });

/** Asks for the figure, the group or the period that a question leaves open, and offers questions with one. */
export function whatLacks(lack: Lack, subject: Subject, asking: Asking): Outcome {
  if (lack.lacks === "sense") return refused(lack.sentence);
  const { piece } = lack;
  const offer = (sentence: string, more: readonly Piece[]) =>
    offered(
      sentence,
      completed(
        more.map((each) => ({ ...piece, ...each })),
        subject,
        asking,
      ),
      subject,
    );
  if (lack.lacks === "period") return offer("Over which time?", periods(asking.linking));
  if (lack.lacks === "group")
    return offer(
      "What should I rank?",
      [...subject.dimensions.slice(0, 3).map(({ name }) => name), "day"].map((name) => ({ groups: [name] })),
    );
  const names = mainMeasures(subject);
  if (piece.direction !== undefined)
    return offer(
      "By which figure should I rank?",
      names.map((name) => ({ measures: [name], orderBy: name })),
    );
  // Of calls all of them at once come first.
  const figures = [...(subject.name === "calls" ? [names] : []), ...names.map((name) => [name])];
  if (piece.groups === undefined && piece.period === undefined && piece.filters === undefined)
    return offer(
      "Which figure do you want to see, and over which time?",
      periods(asking.linking).map((over) => ({ measures: figures[0] ?? [], ...over })),
    );
  return offer(
    "Which figure do you want to see?",
    figures.map((measures) => ({ measures })),
  );
}

const periods = ({ now, zone }: Linking): readonly Piece[] =>
  ["today", "yesterday", "this month", "last month", "last 30 days"].flatMap((label) => {
    const period = readPeriod(label.split(" "), now, zone)?.period;
    return period == null ? [] : [{ period }];
  });

/** A figure by itself: over all data it would be a guess. */
export function overWhichTime({ items, planOf }: Asking, subject: Subject): Outcome {
  const said = sentenceOf(itemsThatTell(items, subject));
  const group = subject.dimensions[0]?.words[0];
  const options = [
    `${said} last month`,
    `${said} by ${group} last month`,
    `${said} by day last 30 days`,
    `${said} of all time`,
  ];
  return offered(
    `Over which time, and by what, do you want to see ${said}?`,
    options.filter((text) => planOf(text) !== undefined),
    subject,
  );
}
