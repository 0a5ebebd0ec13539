import { z } from "zod";
import { type Answer, answerSchema } from "../../../assistant/answer.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { checkStored, type Place, parseStored, readable, type UnreadableError } from "../../../ingest/unreadable.ts";
import type { Page } from "../../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import { type Approval, approvalSchema } from "./approved-rows.ts";
import type { Owner } from "./session-rows.ts";

/** Most questions of one session; a new one replaces the oldest. */
export const mostMessages = 200;
/** Characters of an answer as JSON: about 150 rows with their chart. A larger one is kept without its rows and chart. */
const mostCharacters = 64 * 1024;

export interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: string;
  readonly question: string;
  /** True if it was read together with the plan before it. */
  readonly follows: boolean;
  /** The approval that gave its plan; null without one, and in messages that are older than approvals. */
  readonly approval: Approval | null;
  readonly answer: Answer;
  /** False if the answer was too large: its rows and chart come from running its plan again. */
  readonly rowsKept: boolean;
  readonly feedback: Feedback | null;
}
export interface Feedback {
  readonly useful: boolean;
  readonly comment: string | null;
}

export interface NewMessage extends Pick<Message, "id" | "sessionId" | "question" | "follows" | "approval" | "answer"> {
  readonly now: number;
}

/** For a transaction: adds a message and deletes the session's first ones beyond the limit. */
export async function insertMessage(db: Queryable, { orgId, userId }: Owner, message: NewMessage): Promise<void> {
  const { id, sessionId, question, follows, now } = message;
  await db.query(
    `INSERT INTO assistant_messages (id, session_id, org_id, user_id, created_at, question, follows, answer)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, sessionId, orgId, userId, isoTime(now), question, follows, toKept(message)],
  );
  await db.query(
    `DELETE FROM assistant_messages WHERE org_id = $1 AND user_id = $2 AND id IN (
       SELECT id FROM assistant_messages WHERE org_id = $1 AND user_id = $2 AND session_id = $3
       ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ${mostMessages})`,
    [orgId, userId, sessionId],
  );
}

interface Listed {
  readonly sessionId: string;
  onUnreadable(error: UnreadableError): void;
}

const keptSchema = z.object({ rowsKept: z.unknown(), approval: z.unknown(), answer: z.looseObject({}) });
function toKept({ answer, approval }: NewMessage): string {
  const whole = JSON.stringify({ rowsKept: true, approval, answer });
  if (whole.length <= mostCharacters) return whole;
  const { data, chart_suggestion: chart } = answer;
  const bare = { ...data, rows: [] };
  const kept = {
    ...answer,
    data: bare,
    chart_suggestion: chart === null ? null : { ...chart, vega_lite: null, alternatives: [] },
  };
  return JSON.stringify({ rowsKept: false, approval, answer: kept });
}

export async function findMessage(db: Queryable, { orgId, userId }: Owner, id: string): Promise<Message | null> {
  const [row] = await db.query("SELECT * FROM assistant_messages WHERE org_id = $1 AND user_id = $2 AND id = $3", [
    orgId,
    userId,
    id,
  ]);
  return row === undefined ? null : toMessage(row);
}

/** A page of a session's messages; `onUnreadable` is called with those that are left out. */
export async function listMessages(
  db: Queryable,
  { orgId, userId }: Owner,
  { sessionId, onUnreadable, ...page }: Page & Listed,
) {
  const session = [orgId, userId, sessionId];
  const where = "WHERE org_id = $1 AND user_id = $2 AND session_id = $3";
  const { limit, offset, direction } = page;
  const [counted] = await db.query(`SELECT count(*) AS total FROM assistant_messages ${where}`, session);
  const rows = await db.query(
    `SELECT * FROM assistant_messages ${where} ORDER BY created_at ${direction}, id ${direction} LIMIT $4 OFFSET $5`,
    [...session, limit, offset],
  );
  return { messages: readable(rows, toMessage, onUnreadable), total: Number(counted?.["total"] ?? 0) };
}

/** Stores the feedback on a message; false if it is not the owner's. */
export async function setFeedback(
  db: Queryable,
  { orgId, userId }: Owner,
  { id, useful, comment }: Feedback & { readonly id: string },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE assistant_messages SET useful = $4, comment = $5
     WHERE org_id = $1 AND user_id = $2 AND id = $3 RETURNING id`,
    [orgId, userId, id, useful, comment],
  );
  return rows.length === 1;
}

/** Throws `UnreadableError`. */
function toMessage(row: DatabaseRow): Message {
  const place = { table: "assistant_messages", id: String(row["id"]) };
  const { rowsKept, approval, answer } = parseStored(keptSchema, row["answer"], place);
  const comment = row["comment"] === null ? null : String(row["comment"]);
  return {
    id: String(row["id"]),
    sessionId: String(row["session_id"]),
    createdAt: String(row["created_at"]),
    question: String(row["question"]),
    follows: row["follows"] === true,
    rowsKept: rowsKept === true,
    approval: approvalSchema.safeParse(approval).data ?? null,
    answer: readAnswer(answer, place),
    feedback: row["useful"] === null ? null : { useful: row["useful"] === true, comment },
  };
}

/** Parses an answer; one with a plan of an earlier version stays readable, but cannot be followed up. */
function readAnswer(stored: object, place: Place): Answer {
  const parsed = answerSchema.safeParse(stored);
  return parsed.success ? parsed.data : checkStored(answerSchema, { ...stored, plan: null }, place);
}
