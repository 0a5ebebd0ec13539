import type { Clock } from "../../../ingest/clock.ts";
import type { StepRecord } from "../../../ingest/rtb.ts";
import { memoizeByObject } from "../../conditions/memoize.ts";
import { scalarOf } from "./bid-response.ts";
import { type Formula, leastForStepMs, retriesOf } from "./formula.ts";
import { readPath } from "./json-path.ts";
import { toStepRecord } from "./ping-record.ts";
import type { PingAnswer, PingSender } from "./pinger.ts";
import { namesOf, type PingContext } from "./placeholders.ts";
import { toRequest, withStaticZip } from "./request.ts";
import {
  type IndexedStep,
  judgeStep,
  mappingsOf,
  mayBeRetried,
  type PingRefusal,
  type StepOutcome,
} from "./step-outcome.ts";

/** Input of a run of steps. */
export interface StepRun {
  readonly formula: Formula;
  readonly context: PingContext;
  /** When they must have ended, by the clock. */
  readonly deadlineAt: number;
  readonly sender: PingSender;
  readonly clock: Clock;
  /** Values that earlier steps have selected. */
  readonly captured: Readonly<Record<string, string>>;
  /** Dollars, once they are won. */
  readonly bid?: number;
}

/** Result of a run of steps. */
export interface Ran {
  readonly records: readonly StepRecord[];
  /** The answers that could be read, and how often one could not. */
  readonly answers: readonly unknown[];
  readonly unreadable: number;
  readonly captured: Readonly<Record<string, string>>;
  /** Tags that answers gave, for the call. */
  readonly tags: Readonly<Record<string, string>>;
  /** Why the last step that was run failed; null when it did not. */
  readonly failure: PingRefusal | null;
  /** True if steps were left undone for that. */
  readonly ended: boolean;
  /** The answer to the last request that was sent. */
  readonly last: PingAnswer | null;
}

/** Runs steps in their order until one fails that may not, or time is out. */
export async function runSteps(run: StepRun, steps: readonly IndexedStep[]): Promise<Ran> {
  let ran: Ran = {
    records: [],
    answers: [],
    unreadable: 0,
    captured: run.captured,
    tags: {},
    failure: null,
    ended: false,
    last: null,
  };
  for (const indexed of steps) {
    ran = afterStep(run, indexed, { before: ran, tried: await runStep(run, indexed, ran) });
    if (ran.ended) break;
  }
  return ran;
}

/** A formula's steps with their indexes: those for a winner, or those before there is one. */
export const stepsOf = (formula: Formula, ofWinner: boolean): readonly IndexedStep[] =>
  indexSteps(formula)[ofWinner ? "ofWinner" : "bidding"];

const indexSteps = memoizeByObject(({ steps }: Formula) => {
  const indexed = steps.map((step, index): IndexedStep => ({ step, index }));
  return {
    ofWinner: indexed.filter(({ step }) => step.run_on_rtb_group_win),
    bidding: indexed.filter(({ step }) => !step.run_on_rtb_group_win),
  };
});

interface Tried {
  readonly outcome: StepOutcome;
  readonly records: readonly StepRecord[];
  readonly last: PingAnswer | null;
}

/** Runs one step with its retries, as long as there is time for them. */
async function runStep(run: StepRun, indexed: IndexedStep, before: Ran): Promise<Tried> {
  const { formula, deadlineAt, clock, bid } = run;
  const known = withStaticZip(formula, run.context);
  const isTagged = Object.keys(before.tags).length > 0;
  const context = isTagged ? { ...known, tags: { ...known.tags, ...before.tags } } : known;
  const names = namesOf(context, { captured: before.captured, ...(bid === undefined ? {} : { bid }) });
  const sent = toRequest(formula, indexed.step, names);
  const records: StepRecord[] = [];
  const isTimeLeft = (): boolean => deadlineAt - clock.now() >= leastForStepMs;
  if (!isTimeLeft()) {
    const record = toStepRecord({ indexed, sent, attempt: 1, answer: null, outcome: notSent, elapsedMs: 0 });
    return { outcome: notSent, records: [record], last: before.last };
  }
  for (let attempt = 1; ; attempt++) {
    const began = clock.now();
    const answer = await run.sender.send(sent.request, deadlineAt);
    const outcome = judgeStep(formula, indexed, answer);
    records.push(toStepRecord({ indexed, sent, attempt, answer, outcome, elapsedMs: clock.now() - began }));
    if (attempt > retriesOf(formula) || !mayBeRetried(answer) || !isTimeLeft())
      return { outcome, records, last: answer };
  }
}

const notSent: StepOutcome = {
  kind: "failed",
  reason: "ping_timeout",
  error: `Not sent: less than ${leastForStepMs} ms were left.`,
};

function afterStep({ formula, context }: StepRun, { index, step }: IndexedStep, { before, tried }: AfterStep): Ran {
  const { outcome, records, last } = tried;
  const answer = outcome.kind === "passed" && outcome.answer.kind === "decoded" ? outcome.answer.value : undefined;
  const hasFailed = outcome.kind === "failed";
  const isUnreadable = !hasFailed && outcome.answer.kind === "unreadable";
  const told = hasFailed ? {} : tagsOf(formula, index, { answer, known: { ...context.tags, ...before.tags } });
  return {
    records: [...before.records, ...records],
    last,
    captured: { ...before.captured, ...capture(step, answer) },
    tags: { ...before.tags, ...told },
    failure: hasFailed ? outcome.reason : null,
    ended: hasFailed && (outcome.reason === "ping_timeout" || !step.continue_on_failure),
    answers: answer === undefined ? before.answers : [...before.answers, answer],
    unreadable: before.unreadable + (isUnreadable ? 1 : 0),
  };
}
interface AfterStep {
  readonly before: Ran;
  readonly tried: Tried;
}

/** Characters of a value; more would fit into no header and no address. */
const maxCapturedLength = 8192;

/** The values that a step selects; empty where its answer has none, so that no older value stands in for it. */
const capture = ({ selected_keys }: IndexedStep["step"], answer: unknown): Record<string, string> =>
  Object.fromEntries(
    selected_keys.map(({ key, path }) => [key, (scalarOf(readPath(answer, path)) ?? "").slice(0, maxCapturedLength)]),
  );

/** Bounds of a call's tags (ingest: tags). */
const [maxTags, maxTagName, maxTagLength] = [100, 64, 1024];

function tagsOf(formula: Formula, index: number, { answer, known }: TagsGiven): Record<string, string> {
  const mappings = mappingsOf(formula, index);
  if (mappings.length === 0) return {};
  const names = new Set(Object.keys(known));
  const tags = new Map<string, string>();
  for (const { fieldPath, tagName } of mappings) {
    const value = scalarOf(readPath(answer, fieldPath));
    const name = tagName.trim();
    if (value === undefined || name === "" || name.length > maxTagName) continue;
    if (!names.has(name) && names.size >= maxTags) continue;
    names.add(name);
    tags.set(name, value.slice(0, maxTagLength).toWellFormed());
  }
  return Object.fromEntries(tags);
}
interface TagsGiven {
  readonly answer: unknown;
  readonly known: Readonly<Record<string, string>>;
}
