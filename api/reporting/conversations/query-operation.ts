import { z } from "zod";
import { answerSchema } from "../../../assistant/answer.ts";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { describePlan } from "../../../assistant/phrasing/explain.ts";
import type { PastTurn } from "../../../assistant/planning.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { maxTextLength } from "../../../warehouse/guarded/guarded.ts";
import type { AuditOutbox } from "../../config/audit-outbox.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { approvalSchema } from "./approved-rows.ts";
import { askInSession, type ConversationDeps, type Previous, previousIn } from "./ask.ts";
import { mostMessages } from "./message-rows.ts";
import { planOfRequest } from "./question-plans.ts";
import { keptDays, maxSessionIdLength, mostSessions, origins, ownerOf } from "./session-rows.ts";

export interface QueryDeps extends ConversationDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  /** Takes the records of changes to the audit log. */
  readonly outbox: AuditOutbox;
}

const question = z.string().trim().min(1).max(2000);

const ignored = "Ignored where it is anything else.";

/** Reads what another program wrote as far as it can be read. */
const turn = z
  .object({
    query: z
      .string()
      .max(2000)
      .optional()
      .catch(undefined)
      .describe(`The question, a text of up to 2,000 characters. ${ignored}`),
    role: z
      .string()
      .max(40)
      .optional()
      .catch(undefined)
      .describe(`The role of a message as chat interfaces name it: "user" asks. ${ignored}`),
    content: z
      .string()
      .max(8000)
      .optional()
      .catch(undefined)
      .describe(`What the message says, a text of up to 8,000 characters. ${ignored}`),
    plan: z
      .unknown()
      .optional()
      .describe(
        "The plan that answered it, as the answer gave it: a follow-up changes it. Where it is no plan that can be read, the questions are read again.",
      ),
    sql: z
      .string()
      .max(maxTextLength)
      .nullish()
      .catch(null)
      .describe(
        `The SQL of an answer that had no plan, a text of up to ${maxTextLength.toLocaleString("en-US")} characters: a follow-up refers to it. ${ignored}`,
      ),
  })
  .describe("A question, or a message of a chat. What it has besides is ignored.");
type Turn = z.infer<typeof turn>;

/** Turns of a client's history that are read. */
const newestTurns = 100;

const body = z
  .object({
    query: question
      .optional()
      .describe("The question. With a plan it may be left out: then it is said after the plan."),
    session_id: z
      .string()
      .max(maxSessionIdLength)
      .nullish()
      .describe(
        "Your session that goes on, or a new one that begins with this name, which is yours alone; left out, null or empty, one begins with an id of its own.",
      ),
    origin: z.enum(origins).default("api").describe("Where it is asked: the page lists the sessions of the page."),
    conversation_history: z
      .array(turn)
      .nullish()
      .transform((turns) => (turns ?? []).slice(-newestTurns))
      .describe(
        `What came before, oldest first, in place of the session's own last answer; the newest ${newestTurns} are read.`,
      ),
    plan: z
      .unknown()
      .optional()
      .describe("An answer's plan, changed or not, to answer by in place of reading the question."),
    period: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .nullish()
      .describe('Words for another period of the plan, such as "last 30 days"; null for all data.'),
    compare: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .nullish()
      .describe(
        'Words for the period that the plan\'s is compared with: "the period before", "a year earlier", or such as "September 2026"; null for none. With another period and without these, none is.',
      ),
  })
  .refine((given) => given.query !== undefined || given.plan != null, {
    message: "Send a query, or a plan.",
    path: ["query"],
  });

/** `session_id` and `message_id` are null if the answer could not be stored; `approval` without an approved plan. */
export const storedAnswer = answerSchema.extend({
  session_id: z.string().nullable(),
  message_id: z.string().nullable(),
  approval: approvalSchema.nullable(),
});

/** Returns the time zone of an organization. */
export const zoneOf = ({ snapshot }: Pick<QueryDeps, "snapshot">, orgId: OrgId): string =>
  snapshot.config(orgId)?.organization.timezone ?? "UTC";

/** A question in plain words, or one that is given as a plan. */
export const queryOperation = (deps: QueryDeps): Operation =>
  defineOperation({
    tag: "Reporting assistant",
    access: "user",
    limit: "assistant",
    method: "post",
    path: "/reporting_ai/query",
    name: "askQuestion",
    changes: false,
    summary: `Answer a question about calls, webhooks and RTB requests, with its SQL and a chart; kept in a session (of one user ${mostSessions}, of ${mostMessages} questions each, ${keptDays} days). With Accept: text/event-stream it tells how far it is: planning (with reading, as a language model writes it), querying (reading and sql), charting (data), done`,
    body,
    example: { query: "revenue by campaign last month" },
    status: 200,
    answer: storedAnswer,
    errors: [503],
    tellsProgress: true,
    async handle({ caller, body: given, signal, onProgress }) {
      const owner = ownerOf(caller);
      const { orgId } = owner;
      const timeZone = zoneOf(deps, orgId);
      const plan = planOfRequest(given, deps.clock.now());
      const previous = await previousOf(deps, given.conversation_history, { orgId, timeZone });
      return askInSession(deps, {
        owner,
        timeZone,
        plan,
        previous,
        signal,
        onProgress,
        question: given.query ?? (plan === null ? "" : describePlan(plan)),
        sessionId: given.session_id || null,
        origin: given.origin,
      });
    },
  });

/** A turn that the client sends with its plan or SQL. */
function toPastTurn({ query, content, plan, sql }: Turn): readonly PastTurn[] {
  const turn = { question: query ?? content ?? "", reading: "" };
  const parsed = parsePlan(plan);
  if (parsed !== null) return [{ ...turn, plan: parsed }];
  return plan == null && sql != null && sql !== "" ? [{ ...turn, sql }] : [];
}

/** Most questions that are read again when the client sends them without their plans. */
const mostReplayed = 10;

async function previousOf(
  { assistant }: QueryDeps,
  history: readonly Turn[],
  asking: { orgId: OrgId; timeZone: string },
): Promise<Previous | null> {
  const last = history.findLast(({ plan, sql }) => plan != null || (sql ?? "") !== "");
  // A plan of an earlier version cannot be read: then the questions are, anew.
  if (last !== undefined && toPastTurn(last).length > 0) return previousIn(history.flatMap(toPastTurn));
  const questions = history.flatMap(({ query, role, content }) => query ?? (role === "user" ? (content ?? []) : []));
  const plan = await assistant.planInTurn({ ...asking, questions: questions.slice(-mostReplayed) });
  return plan === null ? null : { previousPlan: plan };
}
