import type { Answer } from "../../assistant/answer.ts";
import type { Judged } from "./evaluate.ts";

/** Figures of an evaluation; shares in percent, null where there is nothing to divide by. */
export interface Report {
  /** Questions that have an answer, and how many of them got one. */
  readonly questions: number;
  readonly coverage: number | null;
  /** Right among the answered. */
  readonly precision: number | null;
  /** Answered wrong among all. */
  readonly silentlyWrong: number | null;
  /** Of those: what says that another reading is possible, or which words it does not use. */
  readonly wrongButTold: number;
  readonly clarified: number | null;
  /** Clarifications of which one option leads to the right rows. */
  readonly clarifiedWell: number | null;
  readonly chartAgreement: number | null;
  /** Questions without an answer, and how many of them got none. */
  readonly unanswerable: number;
  readonly declined: number | null;
  readonly leaks: number;
  /** What a language model was sent and wrote. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export function toReport(judged: readonly Judged[]): Report {
  const scope = judged.filter(({ isAnswerable }) => isAnswerable);
  const answered = scope.filter(({ verdict }) => verdict === "right" || verdict === "wrong");
  const right = scope.filter(({ verdict }) => verdict === "right");
  const clarified = scope.filter(({ verdict }) => verdict === "clarified");
  const charted = scope.filter(({ chartAgrees }) => chartAgrees !== undefined);
  const others = judged.filter(({ isAnswerable }) => !isAnswerable);
  const times = judged.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    questions: scope.length,
    coverage: percent(answered.length, scope.length),
    precision: percent(right.length, answered.length),
    silentlyWrong: percent(answered.length - right.length, scope.length),
    wrongButTold: answered.filter(({ verdict, answer }) => verdict === "wrong" && isTold(answer)).length,
    clarified: percent(clarified.length, scope.length),
    clarifiedWell: percent(clarified.filter(({ ledRight }) => ledRight === true).length, clarified.length),
    chartAgreement: percent(charted.filter(({ chartAgrees }) => chartAgrees === true).length, charted.length),
    unanswerable: others.length,
    declined: percent(others.filter(({ good }) => good).length, others.length),
    ...usageOf(judged),
    leaks: judged.reduce((sum, { leaks }) => sum + leaks.length, 0),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
  };
}

/** True for an answer that shows the rules' reading beside a model's or in its stead, or says which words it leaves out. */
export const isTold = ({ other_reading: other, fallback, answer }: Answer): boolean =>
  other !== undefined || fallback !== undefined || answer.includes("The answer does not use");

const usageOf = (judged: readonly Judged[]) => {
  const sum = (of: keyof NonNullable<Answer["usage"]>) =>
    judged.reduce((total, { answer }) => total + (answer.usage?.[of] ?? 0), 0);
  return { inputTokens: sum("input_tokens"), outputTokens: sum("output_tokens"), requests: sum("requests") };
};

const percent = (part: number, of: number): number | null => (of === 0 ? null : (100 * part) / of);
const quantile = (sorted: readonly number[], level: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(level * sorted.length))] ?? 0;

const said = (share: number | null): string => (share === null ? "-" : `${share.toFixed(1)} %`);

/** The report as lines for a terminal. */
export function describeReport(title: string, report: Report): string {
  const lines = [
    `coverage ${said(report.coverage)}`,
    `precision ${said(report.precision)}`,
    `wrong ${said(report.silentlyWrong)}${report.wrongButTold > 0 ? `, ${report.wrongButTold} of them with another reading shown` : ""}`,
    `clarified ${said(report.clarified)} (well: ${said(report.clarifiedWell)})`,
    `chart ${said(report.chartAgreement)}`,
    `declined rightly ${said(report.declined)} of ${report.unanswerable}`,
    `leaks ${report.leaks}`,
    `p50 ${report.p50Ms.toFixed(0)} ms, p95 ${report.p95Ms.toFixed(0)} ms`,
  ];
  return `${title}: ${report.questions} questions\n  ${lines.join("\n  ")}`;
}

/** Dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** What a language model took for the questions, in one line. */
export function describeUsage(
  { questions, unanswerable, inputTokens, outputTokens, requests }: Report,
  prices: Prices | null,
) {
  const asked = Math.max(1, questions + unanswerable);
  const each = (tokens: number) => Math.round(tokens / asked).toLocaleString("en-US");
  const cost = prices === null ? null : (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
  return [
    `tokens ${inputTokens.toLocaleString("en-US")} in, ${outputTokens.toLocaleString("en-US")} out (${each(inputTokens)} and ${each(outputTokens)} a question)`,
    `requests ${requests} for ${asked} questions`,
    `cost ${cost === null ? "- (--price-in and --price-out give it)" : `$${cost.toFixed(4)}, $${((1000 * cost) / asked).toFixed(3)} a thousand questions`}`,
  ].join("\n  ");
}

/** One that went wrong, with what is needed to see why. */
export function describeFailure({ asked, verdict, ledRight, chartAgrees, leaks, answer }: Judged): string {
  const led = ledRight === undefined ? "" : ledRight ? ", an option is right" : ", no option is right";
  const chart = chartAgrees === false ? `, chart ${answer.chart_suggestion?.type}` : "";
  const found = leaks.length > 0 ? `, LEAK ${leaks.join()}` : "";
  const told = answer.sql === "" ? answer.answer : (answer.interpretation?.summary ?? "");
  return `[${verdict}${led}${chart}${found}] ${asked.join(" → ")}\n    ${told}`;
}
