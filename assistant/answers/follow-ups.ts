import { measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Measure, Subject } from "../catalog/field.ts";
import type { Plan } from "../plan.ts";
import type { Linking } from "../planner/link/name-index.ts";
import { planQuestion } from "../planner/offline.ts";

const offered = 3;

const openers: readonly string[] = [
  "revenue by campaign last month",
  "calls by day last 30 days",
  "top 5 publishers by profit this quarter",
  "conversion rate by buyer last 30 days",
  "missed calls by hour of day last week",
  "failed webhook deliveries by webhook last 7 days",
  "incoming webhook requests by type",
  "revenue this month vs last month",
];

/** Questions to begin with, as many as there are unless told otherwise. */
export const openingQuestions = (linking: Linking, most = openers.length): readonly string[] =>
  answerable(openers, linking, most);

/** Three follow-up questions for an answer; each is planned first, so that only answerable ones are offered. */
export function followUps(plan: Plan, linking: Linking): readonly string[] {
  const subject = subjectOf(plan.subject);
  const [first] = plan.measures;
  const measure = phraseOf(subject, measureOf(subject, first ?? subject.defaultMeasure));
  const period = periodPhrase(plan, linking);
  const over = (what: string) => `${what} ${period}`.trim();
  const others = subject.dimensions.filter(({ name }) => !plan.dimensions.includes(name)).slice(0, 2);
  const candidates = [
    ...(plan.grain === null ? [over(`${measure} by day`)] : []),
    ...others.map(({ words }) => over(`${measure} by ${words[0]}`)),
    ...(plan.period === null ? [`${measure} last month`] : [`${measure} by month`]),
    over(`${measure} by hour of day`),
    over(subject.noun.many),
  ];
  return answerable(candidates, linking, offered);
}

/** Follow-up questions where there is no answer: the first of the opening questions. */
export const otherQuestions = (linking: Linking): readonly string[] => openingQuestions(linking, offered);

/** The first questions that have a plan; those behind them are not planned. */
function answerable(questions: readonly string[], linking: Linking, most: number): readonly string[] {
  const found: string[] = [];
  for (const text of new Set(questions)) {
    if (found.length === most) break;
    if (planQuestion({ text }, linking).kind === "plan") found.push(text);
  }
  return found;
}

const phraseOf = (subject: Subject, measure: Measure): string =>
  measure.name === subject.defaultMeasure ? subject.noun.many : measure.words[0];

/** Words that are read as the same period. */
function periodPhrase(plan: Plan, linking: Linking): string {
  if (plan.period === null) return "";
  const outcome = planQuestion({ text: `${subjectOf(plan.subject).noun.many} ${plan.period.label}` }, linking);
  const same =
    outcome.kind === "plan" &&
    outcome.plan.period?.from === plan.period.from &&
    outcome.plan.period.to === plan.period.to;
  return same ? plan.period.label : "last 30 days";
}
