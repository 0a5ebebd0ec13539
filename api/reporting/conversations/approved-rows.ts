import { createHash } from "node:crypto";
import { z } from "zod";
import { type StandingPlan, standingPlanSchema } from "../../../assistant/standing-plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Queryable } from "../../database/database.ts";

/** Approved questions of one organization; the one approved longest ago makes room for another. */
export const mostApproved = 1000;

/** A question as it is compared: "Revenue by campaign?" and "revenue by  campaign" are one. */
const toCompared = (question: string): string =>
  question
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s?!.]+/gu, " ")
    .trim();

/** SHA-256 in hex: an index takes no texts of any length. */
const toQuestionKey = (question: string): string => createHash("sha256").update(toCompared(question)).digest("hex");

const stored = z.string().transform((text) => standingPlanSchema.safeParse(JSON.parse(text)).data ?? null);

/** null, too, where an earlier version's plan is none that this one knows. */
export async function findApproved(db: Queryable, orgId: OrgId, question: string): Promise<StandingPlan | null> {
  const [row] = await db.query("SELECT doc FROM approved_questions WHERE org_id = $1 AND question_sha256 = $2", [
    ...[orgId, toQuestionKey(question)],
  ]);
  return row === undefined ? null : stored.parse(row["doc"]);
}

/** For a transaction. */
export async function approve(
  db: Queryable,
  orgId: OrgId,
  { question, plan, now }: { readonly question: string; readonly plan: StandingPlan; readonly now: number },
): Promise<void> {
  await db.query(
    `INSERT INTO approved_questions (org_id, question_sha256, doc, approved_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id, question_sha256) DO UPDATE SET doc = excluded.doc, approved_at = excluded.approved_at`,
    [orgId, toQuestionKey(question), JSON.stringify(plan), isoTime(now)],
  );
  await db.query(
    `DELETE FROM approved_questions WHERE org_id = $1 AND question_sha256 IN (
       SELECT question_sha256 FROM approved_questions WHERE org_id = $1
       ORDER BY approved_at DESC, question_sha256 DESC LIMIT 1000 OFFSET ${mostApproved})`,
    [orgId],
  );
}

export async function withdraw(db: Queryable, orgId: OrgId, question: string): Promise<void> {
  await db.query("DELETE FROM approved_questions WHERE org_id = $1 AND question_sha256 = $2", [
    ...[orgId, toQuestionKey(question)],
  ]);
}
