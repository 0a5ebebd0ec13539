import { beforeAll, describe, expect, it } from "vitest";
import { measureOf, subjectOf } from "../../assistant/catalog/catalog.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { createLinker } from "../../assistant/linking.ts";
import { toQuestion } from "../../assistant/phrasing/question.ts";
import type { Plan } from "../../assistant/plan.ts";
import { withoutManners } from "../../assistant/planner/around/manners.ts";
import { understand } from "../../assistant/planner/correct-typos.ts";
import type { Item } from "../../assistant/planner/link/item.ts";
import type { Linking } from "../../assistant/planner/link/name-index.ts";
import { planQuestion } from "../../assistant/planner/offline.ts";
import { planByGrammar } from "../../assistant/planner/plan-by-grammar.ts";
import { functionWords } from "../../assistant/planner/words/small-words.ts";
import { toWords, type Word } from "../../assistant/planner/words/tokenize.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { evalNow, evalOrg, evalZone, fillWarehouse } from "./data.ts";
import { questionSets, readQuestionSet, sampleOf } from "./question-set.ts";

const asked = questionSets.flatMap(readQuestionSet).flatMap((each) => ("gold" in each ? [each.ask] : []));
let linking: Linking;
beforeAll(async () => {
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  await fillWarehouse(warehouse, 600);
  const clock = { now: () => evalNow, sleep: () => Promise.resolve() };
  linking = await createLinker({ warehouse, clock, dialect: duckdbDialect }).linkingFor({
    orgId: evalOrg,
    timeZone: evalZone,
  });
  await warehouse.close();
});

const readPlans = new Map<string, string | undefined>();

/** The plan by the grammar alone, which asks nothing back: a fifth of the time where there is none. Each text is read once. */
function grammarPlanOf(text: string): string | undefined {
  if (!readPlans.has(text)) {
    const found = planByGrammar(text, linking);
    readPlans.set(text, found && JSON.stringify(found.plan));
  }
  return readPlans.get(text);
}

/** One in so many of the evaluation's questions, where the grammar reads it. */
const questions = (oneIn = 1): readonly string[] =>
  sampleOf(asked, oneIn).filter((text) => grammarPlanOf(text) !== undefined);

const textOf = (words: readonly Word[]): string =>
  words.map(({ original, quoted }) => (quoted ? `"${original}"` : original)).join(" ");

const planOf = (text: string): string | undefined => {
  const outcome = planQuestion({ text }, linking);
  return outcome.kind === "plan" ? JSON.stringify(outcome.plan) : undefined;
};

/** Joints, question words, and the records' noun, which their figures tell, too. */
const joints = new Set([
  "and",
  "or",
  "of",
  "with",
  "all",
  "which",
  "but",
  "list",
  "how_many",
  "by",
  "versus",
  "more_than",
]);
const opening = /^(what|how|much|what's|whats|which|who|show|give|see|find|get|pull|view|display)$/;

function isContent(item: Item): boolean {
  if (opening.test(item.said.toLowerCase()) || functionWords.has(item.said.toLowerCase())) return false;
  if (item.kind !== "meanings") return item.kind !== "stop";
  const isJoint = item.meanings.every((each) => each.kind === "role" && joints.has(each.role));
  return !isJoint && item.meanings.every(({ kind }) => kind !== "subject");
}

/** How many content words can be left out of the questions with no effect on the plan, and of how many. */
function idleWords(asked: readonly string[]) {
  const idle: string[] = [];
  let words = 0;
  for (const text of asked) {
    const said = toWords(text);
    const whole = grammarPlanOf(text);
    for (const item of understand(said, linking).items.filter(isContent)) {
      const without = textOf(said.filter((_, at) => at < item.from || at >= item.to));
      words++;
      if (without !== "" && grammarPlanOf(without) === whole) idle.push(`${item.said} | ${text}`);
    }
  }
  return { share: idle.length / words, idle };
}

/** Defaults that are said ("the top 10"), and what is said twice ("unrouted calls (no eligible route)"). */
const saidTwice = 0.06;

/** A half that asks for something of its own, and whether a plan says it already. */
const halves: readonly (readonly [half: string, isSaid: (plan: Plan) => boolean])[] = [
  [", how many", hasCount],
  [" and how much", (plan) => plan.measures.some((name) => unitOf(plan, name) !== "count") || isPart(plan)],
  [" and by how much", (plan) => plan.order !== null || plan.having.length > 0 || isMoved(plan)],
  [" and what", ({ order, dimensions }) => order !== null || dimensions.includes("entity")],
  [" and how", () => false],
  [" and so on", () => false],
  [" or not", () => false],
  [" compared to what", () => false],
  [", mostly from California", (plan) => plan.measures.length === 0 && plan.columns.length === 0],
  [" and out of how many", () => false],
];
const unitOf = ({ subject }: Plan, name: string) => measureOf(subjectOf(subject), name).unit;
function hasCount({ subject, measures, columns }: Plan): boolean {
  const kinds = measures.map((name) => measureOf(subjectOf(subject), name).aggregate.kind);
  return columns.length > 0 || kinds.some((kind) => kind === "count" || kind === "distinct" || kind === "repeats");
}
const isPart = ({ share, portion, compare, running }: Plan): boolean =>
  share || portion.length > 0 || compare !== null || running !== null;
const isMoved = ({ compare, running }: Plan): boolean => compare !== null || running !== null;

/** Questions with a half more that have the plan that they have without it, where that does not say it. */
const silent = (asked: readonly string[]): readonly string[] =>
  asked.flatMap((text) => {
    const whole = grammarPlanOf(text);
    const plan = whole === undefined ? undefined : (JSON.parse(whole) as Plan);
    return halves
      .filter(([, isSaid]) => plan !== undefined && !isSaid(plan))
      .map(([half]) => text.replace(/[?.! ]*$/, half))
      .filter((longer) => grammarPlanOf(longer) === whole);
  });

/** A question with an unknown word has no plan. */
const swallowed = (asked: readonly string[]): readonly string[] =>
  asked.filter((text) => {
    // Behind thanks an unknown word is whoever is thanked.
    const words = toWords(withoutManners(text, linking));
    return [1, words.length].some((at) => {
      const told = [textOf(words.slice(0, at)), "zorblatt", textOf(words.slice(at))].join(" ").trim();
      return planOf(told) !== undefined;
    });
  });

describe("questions that the grammar reads", () => {
  it("are most of those of the evaluation", { tags: ["slow"] }, () => {
    expect(questions().length).toBeGreaterThan(2000);
  });

  it("have no plan with a word that is not known, a fifth of them", { tags: ["slow"], timeout: 600_000 }, () =>
    expect(swallowed(questions(5))).toEqual([]),
  );

  it("lose no half that asks for something more, a sixth of them", { tags: ["slow"], timeout: 600_000 }, () =>
    expect(silent(questions(6))).toEqual([]),
  );

  it("have hardly a content word that could be left out with no effect", { tags: ["slow"], timeout: 600_000 }, () => {
    const { share, idle } = idleWords(questions());
    expect(share, idle.join("\n")).toBeLessThan(saidTwice);
  });
});

describe("the same question in another order", () => {
  const parse = (text: string) => {
    const outcome = planQuestion({ text }, linking);
    if (outcome.kind !== "plan") throw new Error(`${text}: ${outcome.sentence}`);
    const { dimensions, filters, ...rest } = outcome.plan;
    const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort();
    return { ...rest, dimensions: sorted(dimensions), filters: sorted(filters) };
  };
  const figures = ["revenue", "conversion rate", "calls", "average call duration", "missed calls", "profit"];

  it.each(figures)("means the same: %s", (figure) => {
    const said = [
      `${figure} by campaign and state from Texas or Florida excluding duplicates last month`,
      `${figure} by state and campaign last month, excluding duplicates, from Texas or Florida`,
      `last month ${figure} from Florida or Texas by campaign and state, without duplicates`,
      `last month: ${figure} by campaigns and states, from Texas or Florida, excluding duplicates`,
      `${figure} per offer and per state in October, not duplicates, from TX or FL`,
    ].map(parse);
    const [first, ...others] = said.map(({ period, filters, ...plan }) => ({
      ...plan,
      filters: filters.map((filter) => filter.replace('["FL","TX"]', '["TX","FL"]')),
      from: period?.from,
    }));
    for (const other of others) expect(other).toEqual(first);
  });
});

/** The questions' words, each once, with a letter left out or two in another order. */
function typos(): readonly string[] {
  const words = new Set(questions().flatMap((text) => toWords(text).map((word) => word.text)));
  return [...words]
    .filter((word) => /^[a-z]{5,}$/.test(word))
    .sort()
    .map((word, at) => {
      const middle = Math.floor(word.length / 2);
      const [a = "", b = ""] = [word[middle], word[middle + 1]];
      return word.slice(0, middle) + (at % 2 === 0 ? "" : b + a) + word.slice(at % 2 === 0 ? middle + 1 : middle + 2);
    });
}

/** Options without a plan of their own, and those that are the very question that was not understood. */
function idleOffers(asked: readonly string[]): readonly string[] {
  return asked.flatMap((text) => {
    const outcome = planQuestion({ text }, linking);
    if (outcome.kind !== "clarify") return [];
    return outcome.options.filter((option) => option === text || planOf(option) === undefined);
  });
}

describe("what is offered for a word that is not known", () => {
  const around = [
    (word: string) => `calls by day last week ${word}`,
    (word: string) => `${word} by campaign last month`,
    (word: string) => `revenue for ${word}`,
  ];
  /** Each word in one place of a question, all places in turn. */
  const about = (words: readonly string[]) => words.flatMap((word, at) => around[at % around.length]?.(word) ?? []);

  it("has an answer", { tags: ["slow"], timeout: 600_000 }, () => expect(idleOffers(about(typos()))).toEqual([]));
});

describe("a plan that is said as a question", () => {
  const decisive = (text: string): string | undefined => {
    const outcome = planQuestion({ text }, linking);
    if (outcome.kind !== "plan") return undefined;
    const { chart: _chart, period, compare, measures, filters, ...rest } = outcome.plan;
    const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort();
    const bounds = [period, compare].map((each) => each && [each.from, each.to]);
    return JSON.stringify({ ...rest, bounds, measures: sorted(measures), filters: sorted(filters) });
  };

  it("is read as the same plan again, nearly always", { tags: ["slow"] }, () => {
    const asked = questions(15).filter((text) => decisive(text) !== undefined);
    const lost = asked.filter((text) => {
      const outcome = planQuestion({ text }, linking);
      return outcome.kind !== "plan" || decisive(toQuestion(outcome.plan)) !== decisive(text);
    });
    expect(lost.length / asked.length, lost.join("\n")).toBeLessThan(0.08);
  });
});
