import { createHash } from "node:crypto";
import { z } from "zod";
import { bySpelling, type Similar } from "../../../assistant/llm/similar.ts";
import type { Example } from "../../../assistant/planning.ts";
import { type StandingPlan, standingPlanSchema } from "../../../assistant/standing-plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { readJson } from "../../../ingest/parse.ts";
import { type OrgId, timestamp } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import type { Owner } from "./session-rows.ts";

/** Most approved questions of one organization. */
export const mostApproved = 1000;

/** A question with an approved answer: its plan answers it from then on, for all of its organization. */
export interface Approved {
  /** Unique within its organization. */
  readonly id: string;
  /** The text; null for an approval that is older than the column. */
  readonly question: string | null;
  /** `user:<id>`; null likewise. */
  readonly approvedBy: string | null;
  readonly approvedAt: string;
  /** Null for a plan of an earlier version that can no longer be parsed. */
  readonly plan: StandingPlan | null;
}

/** Normalizes a question: "Revenue by campaign?" and "revenue by  campaign" are one. */
const normalize = (question: string): string =>
  question
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s?!.]+/gu, " ")
    .trim();

/** SHA-256 in hex, because an index limits the length of its texts. */
const toQuestionKey = (question: string): string => createHash("sha256").update(normalize(question)).digest("hex");

const columns = "question_sha256, question, approved_by, approved_at, doc";
const text = z.string().nullable();
const stored = z.string().transform((text) => standingPlanSchema.safeParse(readJson(text)).data ?? null);
const toApproved = (row: DatabaseRow): Approved => ({
  id: String(row["question_sha256"]),
  approvedAt: String(row["approved_at"]),
  question: text.parse(row["question"]),
  approvedBy: text.parse(row["approved_by"]),
  plan: stored.parse(row["doc"]),
});

export const findApproved = (db: Queryable, orgId: OrgId, question: string): Promise<Approved | null> =>
  findApprovedById(db, orgId, toQuestionKey(question));

export async function findApprovedById(db: Queryable, orgId: OrgId, id: string): Promise<Approved | null> {
  const [row] = await db.query(`SELECT ${columns} FROM approved_questions WHERE org_id = $1 AND question_sha256 = $2`, [
    orgId,
    id,
  ]);
  return row === undefined ? null : toApproved(row);
}

const mostExamples = 3;

interface Like {
  readonly question: string;
  readonly similar?: Similar | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The approved questions that are most like a question, with their plans. */
export async function findSimilarApproved(
  db: Queryable,
  orgId: OrgId,
  { question, similar = bySpelling, signal }: Like,
): Promise<readonly Example[]> {
  const rows = await db.query(
    "SELECT question_sha256, question FROM approved_questions WHERE org_id = $1 AND question IS NOT NULL",
    [orgId],
  );
  const best = await similar(question, rows, (row) => String(row["question"]), {
    orgId,
    signal,
    count: mostExamples,
  });
  const found = await Promise.all(best.map((row) => findApprovedById(db, orgId, String(row["question_sha256"]))));
  return found.flatMap((each) =>
    each === null || each.question === null || each.plan === null ? [] : [{ question: each.question, plan: each.plan }],
  );
}

/** A page of the organization's approved questions, by when they were approved. */
export async function listApproved(db: Queryable, orgId: OrgId, { limit, offset, direction }: Page) {
  const [counted] = await db.query("SELECT count(*) AS total FROM approved_questions WHERE org_id = $1", [orgId]);
  const rows = await db.query(
    `SELECT ${columns} FROM approved_questions WHERE org_id = $1
     ORDER BY approved_at ${direction}, question_sha256 ${direction} LIMIT $2 OFFSET $3`,
    [orgId, limit, offset],
  );
  return { approved: rows.map(toApproved), total: Number(counted?.["total"] ?? 0) };
}

export interface NewApproved {
  readonly question: string;
  readonly plan: StandingPlan;
  readonly by: string;
  readonly now: number;
}

/** Throws `unique_violation` where the question has been approved already. Returns its id. */
export async function insertApproved(
  db: Queryable,
  orgId: OrgId,
  { question, plan, by, now }: NewApproved,
): Promise<string> {
  const id = toQuestionKey(question);
  await db.query(
    `INSERT INTO approved_questions (org_id, question_sha256, question, approved_by, doc, approved_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [orgId, id, question, by, JSON.stringify(plan), isoTime(now)],
  );
  return id;
}

/** True while a row is as it was read: `$2` to `$4`. */
const unchanged = "question_sha256 = $2 AND approved_at = $3 AND approved_by IS NOT DISTINCT FROM $4";
const readOf = (orgId: OrgId, { id, approvedAt, approvedBy }: Approved) => [orgId, id, approvedAt, approvedBy];

/** Returns false if it has been changed meanwhile. */
export async function replaceApproved(
  db: Queryable,
  orgId: OrgId,
  { standing, question, plan, by, now }: NewApproved & { readonly standing: Approved },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE approved_questions SET question = $5, approved_by = $6, doc = $7, approved_at = $8
     WHERE org_id = $1 AND ${unchanged} RETURNING question_sha256`,
    [...readOf(orgId, standing), question, by, JSON.stringify(plan), isoTime(now)],
  );
  return rows.length === 1;
}

/** Returns false if it has been changed meanwhile. */
export async function deleteApproved(db: Queryable, orgId: OrgId, standing: Approved): Promise<boolean> {
  const rows = await db.query(
    `DELETE FROM approved_questions WHERE org_id = $1 AND ${unchanged} RETURNING question_sha256`,
    readOf(orgId, standing),
  );
  return rows.length === 1;
}

/** Returns the oldest approvals, of all or of one user, that must go before one more is added. */
export async function listToMakeRoom(
  db: Queryable,
  orgId: OrgId,
  { of }: { readonly of: string | null },
): Promise<{ readonly isFull: boolean; readonly oldest: readonly Approved[] }> {
  const [counted] = await db.query("SELECT count(*) AS total FROM approved_questions WHERE org_id = $1", [orgId]);
  const tooMany = Number(counted?.["total"] ?? 0) + 1 - mostApproved;
  if (tooMany <= 0) return { isFull: false, oldest: [] };
  const rows = await db.query(
    `SELECT ${columns} FROM approved_questions WHERE org_id = $1 ${of === null ? "" : "AND approved_by = $3"}
     ORDER BY approved_at, question_sha256 LIMIT $2`,
    [orgId, tooMany, ...(of === null ? [] : [of])],
  );
  return { isFull: rows.length < tooMany, oldest: rows.map(toApproved) };
}

/** The approval whose plan answered a question. */
export const approvalSchema = z
  .object({
    id: z.string(),
    approved_by: z.string().nullable().describe("Null where it was approved before that was kept."),
    approved_by_you: z.boolean(),
    approved_at: timestamp,
  })
  .meta({ id: "Approval" });
export type Approval = z.infer<typeof approvalSchema>;

/** Shapes an approval for one user. */
export const toApproval = ({ id, approvedBy, approvedAt }: Approved, viewer: Owner): Approval => ({
  id,
  approved_by: approvedBy,
  approved_by_you: approvedBy === approverOf(viewer),
  approved_at: approvedAt,
});

/** Names a user as the audit log does. */
const approverOf = ({ userId }: Owner): string => `user:${userId}`;
