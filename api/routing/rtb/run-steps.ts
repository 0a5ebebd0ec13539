import type { Clock } from "../../../ingest/clock.ts";
import type { StepRecord } from "../../../ingest/rtb.ts";
import { scalarOf } from "./answer.ts";
import { leastForStepMs, retriesOf } from "./deadline.ts";
import { type Fate, judge, mappingsOf, mayBeRetried, type PingRefusal, type Placed } from "./judge.ts";
import { readPath } from "./path.ts";
import type { PingAnswer, PingSender } from "./pinger.ts";
import { namesOf, type PingContext } from "./placeholders.ts";
import { asToldBy, type Formula, type StepRequest, toRequest } from "./request.ts";
import { toStepRecord } from "./step-record.ts";

/** What steps are run with. */
export interface Asking {
  readonly formula: Formula;
  readonly context: PingContext;
  /** When they must have ended, by the clock. */
  readonly deadlineAt: number;
  readonly sender: PingSender;
  readonly clock: Clock;
  /** What is known from earlier steps. */
  readonly captured: Readonly<Record<string, string>>;
  /** Dollars, once they are won. */
  readonly bid?: number;
}

/** What steps came to. */
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
  /** Whether steps were left undone for that. */
  readonly ended: boolean;
  /** Of the last request that was sent. */
  readonly last: PingAnswer | null;
}

/** Runs steps in their order until one fails that may not, or time is out (semantics 8.6). */
export async function runSteps(asking: Asking, steps: readonly Placed[]): Promise<Ran> {
  let ran: Ran = {
    records: [],
    answers: [],
    unreadable: 0,
    captured: asking.captured,
    tags: {},
    failure: null,
    ended: false,
    last: null,
  };
  for (const placed of steps) {
    ran = afterStep(asking, placed, { before: ran, tried: await runStep(asking, placed, ran) });
    if (ran.ended) break;
  }
  return ran;
}

/** A formula's steps with their places: those of a winner, or those before there is one. */
export const stepsOf = ({ steps }: Formula, ofWinner: boolean): Placed[] =>
  steps.map((step, index) => ({ step, index })).filter(({ step }) => step.run_on_rtb_group_win === ofWinner);

interface Tried {
  readonly fate: Fate;
  readonly records: readonly StepRecord[];
  readonly last: PingAnswer | null;
}

/** One step with its retries, as long as there is time for them. */
async function runStep(asking: Asking, placed: Placed, before: Ran): Promise<Tried> {
  const { formula, deadlineAt, clock, bid } = asking;
  const told = asToldBy(formula, asking.context);
  const context = { ...told, tags: { ...told.tags, ...before.tags } };
  const names = namesOf(context, { captured: before.captured, ...(bid === undefined ? {} : { bid }) });
  const sent = toRequest(formula, placed.step, names);
  const records: StepRecord[] = [];
  const isTimeLeft = (): boolean => deadlineAt - clock.now() >= leastForStepMs;
  if (!isTimeLeft()) {
    const record = toStepRecord({ placed, sent, attempt: 1, answer: null, fate: notSent, elapsedMs: 0 });
    return { fate: notSent, records: [record], last: before.last };
  }
  for (let attempt = 1; ; attempt++) {
    const began = clock.now();
    const answer = await sendInTime(asking, sent);
    const fate = judge(formula, placed, answer);
    records.push(toStepRecord({ placed, sent, attempt, answer, fate, elapsedMs: clock.now() - began }));
    if (attempt > retriesOf(formula) || !mayBeRetried(answer) || !isTimeLeft()) return { fate, records, last: answer };
  }
}

const notSent: Fate = {
  kind: "failed",
  reason: "ping_timeout",
  error: `Not sent: less than ${leastForStepMs} ms were left.`,
};

async function sendInTime({ sender, clock, deadlineAt }: Asking, { request }: StepRequest): Promise<PingAnswer> {
  const [late, done] = [new AbortController(), new AbortController()];
  const timer = clock.sleep(deadlineAt - clock.now(), done.signal).then(() => late.abort());
  try {
    return await sender.send(request, late.signal);
  } finally {
    done.abort();
    await timer;
  }
}

function afterStep({ formula, context }: Asking, { index, step }: Placed, { before, tried }: AfterStep): Ran {
  const { fate, records, last } = tried;
  const ran = { ...before, records: [...before.records, ...records], last };
  const answer = fate.kind === "passed" && fate.answer.kind === "decoded" ? fate.answer.value : undefined;
  const captured = { ...before.captured, ...capture(step, answer) };
  if (fate.kind === "failed") {
    const ended = fate.reason === "ping_timeout" || !step.continue_on_failure;
    return { ...ran, captured, failure: fate.reason, ended };
  }
  return {
    ...ran,
    captured,
    failure: null,
    tags: { ...before.tags, ...tagsOf(formula, index, { answer, known: { ...context.tags, ...before.tags } }) },
    answers: answer === undefined ? ran.answers : [...ran.answers, answer],
    unreadable: ran.unreadable + (fate.answer.kind === "unreadable" ? 1 : 0),
  };
}
interface AfterStep {
  readonly before: Ran;
  readonly tried: Tried;
}

/** More than this fits into no header and no address. */
const maxCapturedLength = 8192;

/** What a step selects; empty where its answer has nothing, so that nothing older stands in for it. */
const capture = ({ selected_keys }: Placed["step"], answer: unknown): Record<string, string> =>
  Object.fromEntries(
    selected_keys.map(({ key, path }) => [key, (scalarOf(readPath(answer, path)) ?? "").slice(0, maxCapturedLength)]),
  );

/** What calls can carry (ingest: tags). */
const [maxTags, maxTagName, maxTagLength] = [100, 64, 1024];

function tagsOf(formula: Formula, index: number, { answer, known }: TagsGiven): Record<string, string> {
  const names = new Set(Object.keys(known));
  const tags = new Map<string, string>();
  for (const { fieldPath, tagName } of mappingsOf(formula, index)) {
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
