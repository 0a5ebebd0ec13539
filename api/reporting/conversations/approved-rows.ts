import { createHash } from "node:crypto";
import { z } from "zod";
import { type StandingPlan, standingPlanSchema } from "../../../assistant/standing-plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";

/** Approved questions of one organization; the one approved longest ago makes room for another. */
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
  ...{ id: String(row["question_sha256"]), approvedAt: String(row["approved_at"]) },
  ...{ question: told.parse(row["question"]), approvedBy: told.parse(row["approved_by"]) },
  plan: stored.parse(row["doc"]),
});

export async function findApproved(db: Queryable, orgId: OrgId, question: string): Promise<Approved | null> {
  const [row] = await db.query(`SELECT ${columns} FROM approved_questions WHERE org_id = $1 AND question_sha256 = $2`, [
    orgId,
    toQuestionKey(question),
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

interface NewApproved {
  readonly question: string;
  readonly plan: StandingPlan;
  readonly by: string;
  readonly now: number;
}

/** For a transaction. */
export async function approve(db: Queryable, orgId: OrgId, { question, plan, by, now }: NewApproved): Promise<void> {
  await db.query(
    `INSERT INTO approved_questions (org_id, question_sha256, question, approved_by, doc, approved_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org_id, question_sha256) DO UPDATE SET question = excluded.question,
       approved_by = excluded.approved_by, doc = excluded.doc, approved_at = excluded.approved_at`,
    [orgId, toQuestionKey(question), question, by, JSON.stringify(plan), isoTime(now)],
  );
  await db.query(
    `DELETE FROM approved_questions WHERE org_id = $1 AND question_sha256 IN (
       SELECT question_sha256 FROM approved_questions WHERE org_id = $1
       ORDER BY approved_at DESC, question_sha256 DESC LIMIT 1000 OFFSET ${mostApproved})`,
    [orgId],
  );
}

export async function withdraw(db: Queryable, orgId: OrgId, question: string): Promise<void> {
  await deleteApproved(db, orgId, toQuestionKey(question));
}

/** False where it is not the organization's. */
export async function deleteApproved(db: Queryable, orgId: OrgId, id: string): Promise<boolean> {
  const rows = await db.query(
    "DELETE FROM approved_questions WHERE org_id = $1 AND question_sha256 = $2 RETURNING question_sha256",
    [orgId, id],
  );
  return rows.length === 1;
}
