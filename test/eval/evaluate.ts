import { performance } from "node:perf_hooks";
import type { Answer } from "../../assistant/answer.ts";
import type { Assistant } from "../../assistant/assistant.ts";
import type { Plan } from "../../assistant/plan.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { evalOrg, evalZone } from "./data.ts";
import { agrees } from "./judge.ts";
import type { Answered, Case } from "./question-set.ts";

/** right and wrong have rows; clarified has options instead; declined has neither. */
export type Verdict = "right" | "wrong" | "clarified" | "declined";

export interface Judged {
  /** The questions of the chain so far, the judged one last. */
  readonly asked: readonly string[];
  readonly verdict: Verdict;
  /** Whether figures may come back. */
  readonly isAnswerable: boolean;
  /** Whether it is what was wanted: right, or declined where nothing may come back. */
  readonly good: boolean;
  /** Of a clarification: whether one of its options leads to the right rows. */
  readonly ledRight?: boolean;
  /** undefined where no chart was wanted or the rows were not right. */
  readonly chartAgrees?: boolean;
  /** What of another organization was found in the answer. */
  readonly leaks: readonly string[];
  readonly ms: number;
  readonly answer: Answer;
}

export interface Judging {
  readonly assistant: Pick<Assistant, "ask">;
  readonly gold: (statement: string) => Promise<readonly Row[]>;
  /** Names that only another organization's data bear. */
  readonly foreign: readonly string[];
}

/** Asks every question, in order, and judges the answers. */
export async function evaluate(cases: readonly Case[], judging: Judging): Promise<readonly Judged[]> {
  const all: Judged[] = [];
  for (const each of cases) all.push(...(await judgeCase(each, judging)));
  return all;
}

async function judgeCase(each: Case, judging: Judging): Promise<readonly Judged[]> {
  if ("expect" in each) return [await judgeDeclined(each.ask, judging)];
  const turns = "turns" in each ? each.turns : [each];
  const judged: Judged[] = [];
  const asked: string[] = [];
  let previous: Plan | null = null;
  for (const turn of turns) {
    asked.push(turn.ask);
    const given = { asked: [...asked], previous };
    const { answer, ms } = await askOne(turn.ask, judging, previous);
    if ("gold" in turn) judged.push(await judgeAnswer({ turn, answer, ms, ...given }, judging));
    previous = answer.plan ?? previous;
  }
  return judged;
}

async function askOne(question: string, { assistant }: Judging, previous: Plan | null) {
  const started = performance.now();
  const previousPlan = previous === null ? {} : { previousPlan: previous };
  const answer = await assistant.ask({ orgId: evalOrg, timeZone: evalZone, question, ...previousPlan });
  return { answer, ms: performance.now() - started };
}

async function judgeDeclined(question: string, judging: Judging): Promise<Judged> {
  const { answer, ms } = await askOne(question, judging, null);
  const verdict = verdictWithoutRows(answer) ?? "wrong";
  const leaks = leaksIn(answer, judging, question);
  const good = verdict !== "wrong" && leaks.length === 0;
  return { asked: [question], verdict, isAnswerable: false, good, leaks, ms, answer };
}

interface ToJudge {
  readonly turn: Answered;
  readonly answer: Answer;
  readonly ms: number;
  readonly asked: readonly string[];
  readonly previous: Plan | null;
}

async function judgeAnswer({ turn, answer, ms, asked, previous }: ToJudge, judging: Judging): Promise<Judged> {
  const golds = await Promise.all(turn.gold.map((statement) => judging.gold(statement)));
  const isRight = (given: Answer) => golds.some((rows) => agrees(given, rows, turn.ordered));
  const verdict = verdictWithoutRows(answer) ?? (isRight(answer) ? "right" : "wrong");
  const leaks = leaksIn(answer, judging, asked.join(" "));
  const common = { asked, verdict, isAnswerable: true, good: verdict === "right", leaks, ms, answer };
  if (verdict === "clarified") {
    const options = answer.clarification?.options ?? [];
    const answers = await Promise.all(options.map((option) => askOne(option, judging, previous)));
    return { ...common, ledRight: answers.some((each) => each.answer.plan !== null && isRight(each.answer)) };
  }
  const type = answer.chart_suggestion?.type;
  if (verdict !== "right" || turn.chart === undefined || type === undefined) return common;
  return { ...common, chartAgrees: turn.chart.some((wanted) => wanted === type) };
}

const verdictWithoutRows = ({ sql, clarification }: Answer): Verdict | undefined =>
  sql !== "" ? undefined : clarification === undefined ? "declined" : "clarified";

/** Words that the question itself has said are no leak. */
function leaksIn(answer: Answer, { foreign }: Judging, said: string): readonly string[] {
  const told = JSON.stringify(answer).toLowerCase();
  const words = said.toLowerCase();
  return foreign.filter((name) => told.includes(name.toLowerCase()) && !words.includes(name.toLowerCase()));
}
