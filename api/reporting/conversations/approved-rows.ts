import { createHash } from "node:crypto";
import { z } from "zod";
import { type StandingPlan, standingPlanSchema } from "../../../assistant/standing-plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";

/** Approved questions of one organization. */
export const mostApproved = 1000;

/** A question whose answer was found right: its plan answers it from then on, for all of its organization. */
export interface Approved {
  /** Unique within its organization. */
  readonly id: string;
  /** As it was asked; null where it was approved before that was kept. */
  readonly question: string | null;
  /** `user:<id>`; null likewise. */
  readonly approvedBy: string | null;
  readonly approvedAt: string;
  /** Null where an earlier version's plan is none that this one knows. */
  readonly plan: StandingPlan | null;
}

/** A question as it is compared: "Revenue by campaign?" and "revenue by  campaign" are one. */
const toCompared = (question: string): string =>
  question
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s?!.]+/gu, " ")
    .trim();

/** SHA-256 in hex: an index takes no texts of any length. */
const toQuestionKey = (question: string): string => createHash("sha256").update(toCompared(question)).digest("hex");

const columns = "question_sha256, question, approved_by, approved_at, doc";
const told = z.string().nullable();
const stored = z.string().transform((text) => standingPlanSchema.safeParse(readJson(text)).data ?? null);
const toApproved = (row: DatabaseRow): Approved => ({
  id: String(row["question_sha256"]),
  approvedAt: String(row["approved_at"]),
  question: told.parse(row["question"]),
  approvedBy: told.parse(row["approved_by"]),
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

/** What was read of a row is still so: `$2` to `$4`. */
const unchanged = "question_sha256 = $2 AND approved_at = $3 AND approved_by IS NOT DISTINCT FROM $4";
const readOf = (orgId: OrgId, { id, approvedAt, approvedBy }: Approved) => [orgId, id, approvedAt, approvedBy];

/** False where it has been changed meanwhile. */
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

/** Likewise. */
export async function deleteApproved(db: Queryable, orgId: OrgId, standing: Approved): Promise<boolean> {
  const rows = await db.query(
    `DELETE FROM approved_questions WHERE org_id = $1 AND ${unchanged} RETURNING question_sha256`,
    readOf(orgId, standing),
  );
  return rows.length === 1;
}

/** Those approved longest ago, of all or of one user, that make room for one more. */
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
