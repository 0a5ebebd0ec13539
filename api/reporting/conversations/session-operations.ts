import { z } from "zod";
import { timestamp, wellFormedText } from "../../../ingest/primitives.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../../serve/pages.ts";
import { listMessages, type Message } from "./message-rows.ts";
import { type QueryDeps, storedAnswer } from "./query-operation.ts";
import { deleteSession, findSession, listSessions, maxSessionIdLength, origins, ownerOf } from "./session-rows.ts";

const about = { tag: "Reporting assistant", access: "user", limit: "assistant", status: 200 } as const;
const sessions = "/reporting_ai/sessions";
const params = z.object({ session_id: z.string().min(1).max(maxSessionIdLength) });

const session = z
  .object({
    id: z.string(),
    title: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    origin: z.enum(origins).nullable(),
  })
  .meta({ id: "Session" });
/** A question with its answer. */
const message = storedAnswer.extend({
  query: z.string(),
  created_at: timestamp,
  rows_kept: z.boolean().describe("False where the answer was too large: send its plan as a query to see it again."),
  feedback: z.object({ useful: z.boolean(), comment: z.string().nullable() }).nullable(),
});

/** The conversations of one user, who alone sees them. */
export const sessionOperations = (deps: QueryDeps): Operation[] => [list(deps), messagesOf(deps), remove(deps)];

const list = ({ database }: QueryDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: sessions,
    name: "listSessions",
    summary: "Your sessions, by their last questions",
    query: pageQuery.extend({
      origin: z.enum(origins).optional().describe("Those last asked in there, and those from before this was kept."),
      search: wellFormedText
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe("Those with this text in their title or in one of their questions."),
    }),
    answer: pageOf(session),
    errors: [503],
    async handle({ caller, query: { sort_direction: direction, origin, search, ...page } }) {
      const wanted = { ...page, direction, origin, search };
      const { sessions: found, total } = await listSessions(database, ownerOf(caller), wanted);
      return toPage(found, total, page);
    },
  });

const messagesOf = ({ database, onTrouble }: QueryDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: `${sessions}/{session_id}/messages`,
    name: "listSessionMessages",
    summary: "What was asked in a session and what was answered, by when it was asked",
    params,
    query: pageQuery,
    answer: pageOf(message),
    errors: [404, 503],
    async handle({ caller, params: { session_id }, query: { sort_direction: direction, ...page } }) {
      const owner = ownerOf(caller);
      if ((await findSession(database, owner, session_id)) === null) throw notFound(`The session ${session_id}`);
      const listed = { sessionId: session_id, onUnreadable: onTrouble, ...page, direction };
      const { messages, total } = await listMessages(database, owner, listed);
      return toPage(messages.map(toMessage), total, page);
    },
  });

const remove = ({ database }: QueryDeps): Operation =>
  defineOperation({
    ...about,
    method: "delete",
    path: `${sessions}/{session_id}`,
    name: "deleteSession",
    summary: "Delete a session with its questions and answers",
    params,
    answer: z.object({ success: z.literal(true), id: z.string() }),
    errors: [404, 503],
    async handle({ caller, params: { session_id } }) {
      const done = await database.transaction((db) => deleteSession(db, ownerOf(caller), session_id));
      if (!done) throw notFound(`The session ${session_id}`);
      return { success: true, id: session_id } as const;
    },
  });

const toMessage = ({ id, sessionId, createdAt, question, rowsKept, approval, feedback, answer }: Message) => ({
  ...answer,
  message_id: id,
  session_id: sessionId,
  approval,
  query: question,
  created_at: createdAt,
  rows_kept: rowsKept,
  feedback,
});
