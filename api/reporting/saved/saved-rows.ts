import { z } from "zod";
import { planSchema } from "../../../assistant/plan.ts";
import { standingPlanSchema } from "../../../assistant/standing-plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";

/** The document: a plan whose period moves with time, the question itself, or a plan with its dates. */
export const savedDocSchema = z.object({
  query: z.string(),
  plan: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("standing"), plan: standingPlanSchema }),
    z.object({ kind: z.literal("asked") }),
    z.object({ kind: z.literal("fixed"), plan: planSchema }),
  ]),
});
export type SavedDoc = z.infer<typeof savedDocSchema>;

export interface SavedQuestion {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Null for a document of an earlier version that can no longer be parsed. */
  readonly doc: SavedDoc | null;
}

/** Most saved questions of one organization. */
export const mostSaved = 500;

const columns = "id, name, created_by, created_at, updated_at, doc";
const toSaved = (row: DatabaseRow): SavedQuestion => ({
  id: String(row["id"]),
  name: String(row["name"]),
  createdBy: String(row["created_by"]),
  createdAt: String(row["created_at"]),
  updatedAt: String(row["updated_at"]),
  doc: savedDocSchema.safeParse(readJson(String(row["doc"]))).data ?? null,
});

/** Returns false if the organization has the most already. */
export async function insertSaved(
  db: Queryable,
  orgId: OrgId,
  { id, name, createdBy, createdAt, doc }: Omit<SavedQuestion, "updatedAt">,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO saved_questions (id, org_id, name, created_by, created_at, updated_at, doc)
     SELECT $1, $2, $3, $4, $5, $5, $6
     WHERE (SELECT count(*) FROM saved_questions WHERE org_id = $2) < ${mostSaved} RETURNING id`,
    [id, orgId, name, createdBy, createdAt, JSON.stringify(doc)],
  );
  return rows.length === 1;
}

export async function findSaved(db: Queryable, orgId: OrgId, id: string): Promise<SavedQuestion | null> {
  const [row] = await db.query(`SELECT ${columns} FROM saved_questions WHERE org_id = $1 AND id = $2`, [orgId, id]);
  return row === undefined ? null : toSaved(row);
}

/** Returns the ids that are the organization's questions, in any order. */
export async function findSavedOf(db: Queryable, orgId: OrgId, ids: readonly string[]): Promise<SavedQuestion[]> {
  if (ids.length === 0) return [];
  const places = ids.map((_, index) => `$${index + 2}`).join(", ");
  const rows = await db.query(`SELECT ${columns} FROM saved_questions WHERE org_id = $1 AND id IN (${places})`, [
    orgId,
    ...ids,
  ]);
  return rows.map(toSaved);
}

/** A page of the organization's questions, by when they were saved. */
export async function listSaved(db: Queryable, orgId: OrgId, { limit, offset, direction }: Page) {
  const [counted] = await db.query("SELECT count(*) AS total FROM saved_questions WHERE org_id = $1", [orgId]);
  const rows = await db.query(
    `SELECT ${columns} FROM saved_questions WHERE org_id = $1
     ORDER BY created_at ${direction}, id ${direction} LIMIT $2 OFFSET $3`,
    [orgId, limit, offset],
  );
  return { questions: rows.map(toSaved), total: Number(counted?.["total"] ?? 0) };
}

/** Returns the renamed question; null if it is not the organization's. */
export async function renameSaved(
  db: Queryable,
  orgId: OrgId,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: number },
): Promise<SavedQuestion | null> {
  const [row] = await db.query(
    `UPDATE saved_questions SET name = $3, updated_at = $4 WHERE org_id = $1 AND id = $2 RETURNING ${columns}`,
    [orgId, id, name, isoTime(now)],
  );
  return row === undefined ? null : toSaved(row);
}

/** Returns false if it no longer exists. */
export async function deleteSaved(db: Queryable, orgId: OrgId, id: string): Promise<boolean> {
  const rows = await db.query("DELETE FROM saved_questions WHERE org_id = $1 AND id = $2 RETURNING id", [orgId, id]);
  return rows.length === 1;
}
