import type { GuardedSelect } from "../../warehouse/guarded/guarded.ts";
import { WarehouseError } from "../../warehouse/warehouse.ts";
import type { Fallback, FallbackReason } from "../answer.ts";
import { understand } from "../planner/correct-typos.ts";
import { barred } from "../planner/decline/out-of-reach.ts";
import type { Outcome } from "../planner/outcome.ts";
import { toWords } from "../planner/words/tokenize.ts";
import {
  type ModelReport,
  type Planned,
  type Planner,
  type Planning,
  planByRules,
  type Selected,
  type Usage,
} from "../planning.ts";
import { columnsOf, namesNear } from "./catalog-text.ts";
import { type Complaint, complaintsOf, holdAgainst } from "./hold-against.ts";
import { type Message, type ModelDeps, ModelError } from "./model.ts";
import { hasOwnFigures } from "./own-figures.ts";
import { type Prompting, toMessages } from "./prompt.ts";
import { parseReply, type Reply, replyForm, tellReading } from "./reply.ts";
import { createRests } from "./rest.ts";
import type { Similar } from "./similar.ts";

const mostRepairs = 2;
const mostRows = 2000;

export interface LlmPlannerDeps extends Prompting, ModelDeps {
  readonly guarded: GuardedSelect;
  /** Finds what of the catalog a question is about, beside its words. */
  readonly similar?: Similar | undefined;
}

type Understood = Outcome | Selected;

/**
 * A planner by a language model; the rules' plan is its hint, and the answer when the model has none in
 * time. The model's plan or SQL is checked like any from outside, and corrected by it at most twice.
 */
export function createLlmPlanner(deps: LlmPlannerDeps): Planner {
  const { clock, onTrouble, onPlanned } = deps;
  const rests = createRests(clock);

  async function plan(planning: Planning): Promise<Planned> {
    const { orgId, signal } = planning;
    const candidate = planByRules(planning);
    // Plans and SQL of the turns before hold names.
    const hidesNames = goesOn(planning) && !deps.sendValues;
    const isSettled = candidate.kind === "explained" || isRefused(planning);
    if (hidesNames || isSettled) return { outcome: candidate, planner: "offline" };
    const started = clock.now();
    const spent = { input_tokens: 0, output_tokens: 0, requests: 0 };
    const report = (outcome: ModelReport["outcome"]) =>
      onPlanned?.({
        orgId,
        purpose: "question",
        outcome,
        elapsedMs: clock.now() - started,
        usage: { ...spent },
        repairs: Math.max(0, spent.requests - 1),
      });
    const resting = rests.reasonFor(orgId);
    if (resting !== undefined) {
      report("resting");
      return { outcome: candidate, planner: "offline", fallback: fallbackOf(resting) };
    }
    const timeout = AbortSignal.timeout(deps.deadlineMs);
    const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const found = await ask({ planning, candidate, deps, stop, spent }).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
      return error;
    });
    const usage = { ...spent };
    if (found !== undefined && !(found instanceof ModelError)) {
      const { outcome } = found;
      report(outcome.kind);
      return { outcome, planner: "llm", usage, ...holdAgainst(outcome, found.complaints, candidate) };
    }
    // An aborted request is no failure of the server.
    if (signal?.aborted === true) {
      report("cancelled");
      return { outcome: candidate, planner: "offline", usage };
    }
    if (found !== undefined) {
      rests.failed(found, orgId);
      onTrouble(found);
    }
    const reason = found?.code ?? (timeout.aborted ? "stopped" : "no_valid_answer");
    report(reason);
    return { outcome: candidate, planner: "offline", usage, fallback: fallbackOf(reason) };
  }
  return { plan };
}

const causes: Readonly<Record<FallbackReason, string>> = {
  no_valid_answer: "The language model gave no answer that can be used",
  refused_key: "The language model's server does not take the key",
  too_many_requests: "The language model takes no more requests now",
  refused_request: "The language model's server refused the question",
  unavailable: "The language model could not be reached",
  stopped: "The language model took too long",
};

const fallbackOf = (reason: FallbackReason): Fallback => ({
  reason,
  sentence: `${causes[reason]}, so the built-in rules read this question.`,
});

/** True for questions that the rules refuse, such as to change data, for secrets or forecasts: no model is asked. */
function isRefused(planning: Planning): boolean {
  const { text, linking } = planning;
  const words = toWords(text);
  return barred({ words, items: understand(words, linking).items, follows: goesOn(planning) }) !== undefined;
}

const goesOn = ({ previous, previousSql, turns = [] }: Planning): boolean =>
  previous !== undefined || previousSql !== undefined || turns.length > 0;

interface Asking {
  readonly planning: Planning;
  readonly candidate: Outcome;
  readonly deps: LlmPlannerDeps;
  readonly stop: AbortSignal;
  readonly spent: { -readonly [K in keyof Usage]: Usage[K] };
}

/** An answer of the model that can be given, with the faults that it has all the same. */
interface Found {
  readonly outcome: Understood;
  readonly complaints: readonly Complaint[];
}

/** Returns undefined when the model has no valid answer. */
async function ask({ planning, candidate, deps, stop, spent }: Asking): Promise<Found | undefined> {
  // Plans hold names.
  const examples = deps.sendValues ? await planning.examples?.() : undefined;
  const near = await namesNear(planning.text, deps.similar, { orgId: planning.orgId, signal: stop });
  const messages: Message[] = [...toMessages(planning, { candidate, examples, near }, deps)];
  const told = new Set<string>();
  for (let repairs = 0; repairs <= mostRepairs; repairs++) {
    spent.requests += 1;
    const onPartial = planning.onReading && tellReading(planning.onReading, messages);
    const { reply, usage } = await deps.model.complete(messages, { form: replyForm, signal: stop, onPartial });
    spent.input_tokens += usage.input_tokens;
    spent.output_tokens += usage.output_tokens;
    const parsed = parseReply(reply, planning.linking);
    const complaints = parsed.kind === "plan" || parsed.kind === "sql" ? complaintsOf(planning, parsed) : [];
    // Faults that the model repeats after it was told are named in the answer.
    const faults = complaints.flatMap(({ fault }) => (fault === null || told.has(fault) ? [] : [fault]));
    const isTold = faults.length > 0 && repairs < mostRepairs;
    const tried = isTold
      ? { kind: "fault" as const, fault: faults.join(" ") }
      : await tryReply(parsed, { planning, deps, stop });
    if (tried === undefined) return undefined;
    if (tried.kind !== "fault") return { outcome: tried, complaints };
    if (isTold) for (const fault of faults) told.add(fault);
    messages.push(
      { role: "assistant", content: JSON.stringify(reply) },
      { role: "user", content: `That does not work: ${tried.fault} Answer the question again.` },
    );
  }
  return undefined;
}

/** Removes values from the engine's error: rows are not sent to a model. */
const someValue = "It does not run on the rows: a value does not fit, such as in a cast; use a cast that may fail.";

type Fault = Extract<Reply, { kind: "fault" }>;

/** Runs the reply's SQL; undefined where the store fails: the rules' answer fails in the same way and says so. */
async function tryReply(
  reply: Reply,
  { planning, deps, stop }: Pick<Asking, "planning" | "deps" | "stop">,
): Promise<Understood | Fault | undefined> {
  switch (reply.kind) {
    case "plan":
      return { ...reply, notes: [] };
    case "ask":
      return { ...reply, kind: "clarify" };
    case "none":
      return hasOwnFigures(reply.sentence, planning.text)
        ? { kind: "fault", fault: "`reading` says figures that the question does not." }
        : { ...reply, kind: "refused" };
    case "fault":
      return reply;
    default:
      return runSql(reply, { planning, deps, stop });
  }
}

async function runSql(
  { sql, reading }: Extract<Reply, { kind: "sql" }>,
  { planning, deps, stop }: Pick<Asking, "planning" | "deps" | "stop">,
): Promise<Selected | Fault | undefined> {
  try {
    const result = await deps.guarded.select({ orgId: planning.orgId, text: sql, maxRows: mostRows, signal: stop });
    const known = JSON.stringify([planning.text, sql, result.rows, result.rows.length]);
    // A reading with figures that the rows do not have is not shown.
    return { kind: "selected", sql, result, reading: hasOwnFigures(reading, known) ? `“${planning.text}”` : reading };
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
    if (error.code === "query_refused")
      return {
        kind: "fault",
        fault: `${error.mentionsRowValues ? someValue : error.message} Columns: ${columnsOf(sql)}.`,
      };
    return undefined;
  }
}
