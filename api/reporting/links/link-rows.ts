import type { z } from "zod";
import { planSchema } from "../../../assistant/plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Queryable } from "../../database/database.ts";
import { savedDocSchema } from "../saved/saved-rows.ts";

/** The question as saved questions have it, and the plan with the dates that it had when it was shared. */
const docSchema = savedDocSchema.extend({ shared: planSchema });
export type LinkDoc = z.infer<typeof docSchema>;

export interface SharedLink {
  readonly id: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Null for a document of an earlier version that can no longer be parsed. */
  readonly doc: LinkDoc | null;
}

/** Most links of one organization that are good at a time. */
export const mostLinks = 5000;
/** Longest document of a link, in characters: longer plans than any that a person asks for. */
export const longestDoc = 32_768;
/** Days from when a question was shared last to the end of its link. */
export const keptDays = 180;

/**
 * For a transaction: stores a link, or prolongs the one of the same question, and deletes all that have expired. Returns
 * null if the organization has the most already.
 */
export async function insertLink(
  db: Queryable,
  orgId: OrgId,
  { id, createdBy, createdAt, expiresAt, doc }: Omit<SharedLink, "doc"> & { readonly doc: string },
): Promise<{ readonly id: string; readonly expiresAt: string } | null> {
  await db.query("DELETE FROM shared_links WHERE expires_at <= $1", [createdAt]);
  const prolonged = await db.query(
    "UPDATE shared_links SET expires_at = $3 WHERE org_id = $1 AND id = $2 RETURNING id",
    [orgId, id, expiresAt],
  );
  if (prolonged.length === 1) return { id, expiresAt };
  const rows = await db.query(
    `INSERT INTO shared_links (org_id, id, created_by, created_at, expires_at, doc)
     SELECT $1, $2, $3, $4, $5, $6
     WHERE (SELECT count(*) FROM shared_links WHERE org_id = $1) < ${mostLinks} RETURNING id`,
    [orgId, id, createdBy, createdAt, expiresAt, doc],
  );
  return rows.length === 1 ? { id, expiresAt } : null;
}

/** Returns null where the organization has no such link, or it has expired. */
export async function findLink(
  db: Queryable,
  orgId: OrgId,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<SharedLink | null> {
  const [row] = await db.query(
    "SELECT created_by, created_at, expires_at, doc FROM shared_links WHERE org_id = $1 AND id = $2 AND expires_at > $3",
    [orgId, id, isoTime(now)],
  );
  if (row === undefined) return null;
  return {
    id,
    createdBy: String(row["created_by"]),
    createdAt: String(row["created_at"]),
    expiresAt: String(row["expires_at"]),
    doc: docSchema.safeParse(readJson(String(row["doc"]))).data ?? null,
  };
}
