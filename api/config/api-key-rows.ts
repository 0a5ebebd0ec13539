import type { OrgId } from "../../ingest/primitives.ts";
import { readable, UnreadableError } from "../../ingest/unreadable.ts";
import type { Page } from "../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../database/database.ts";

/** A key as it can be shown; the key itself is never kept. */
export interface ApiKey {
  readonly id: string;
  readonly org_id: OrgId;
  readonly name: string;
  /** Its first characters, by which a person recognises it. */
  readonly prefix: string;
  /** Whether it may make and revoke keys. */
  readonly is_admin: boolean;
  readonly created_at: string;
  /** null while it does not end. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}
/** Whose a key is. */
export interface KeyOwner {
  readonly id: string;
  readonly orgId: OrgId;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly hash: string;
  /** ISO 8601; null while it does not end. */
  readonly expiresAt: string | null;
}

const columns = "id, org_id, name, prefix, is_admin, created_at, expires_at, revoked_at";

export async function findKey(db: Queryable, orgId: OrgId, id: string): Promise<ApiKey | null> {
  const [row] = await db.query(`SELECT ${columns} FROM api_keys WHERE org_id = $1 AND id = $2`, [orgId, id]);
  return row === undefined ? null : toApiKey(row);
}

export async function listKeys(db: Queryable, orgId: OrgId): Promise<ApiKey[]> {
  const rows = await db.query(`SELECT ${columns} FROM api_keys WHERE org_id = $1 ORDER BY created_at DESC, id DESC`, [
    orgId,
  ]);
  return rows.map(toApiKey);
}

/** One page by the time they were made, and how many there are in all. */
export async function findKeyPage(
  db: Queryable,
  orgId: OrgId,
  { limit, offset, direction }: Page,
): Promise<{ keys: ApiKey[]; total: number }> {
  const [count] = await db.query("SELECT count(*) AS total FROM api_keys WHERE org_id = $1", [orgId]);
  const order = direction === "asc" ? "ASC" : "DESC";
  const rows = await db.query(
    `SELECT ${columns} FROM api_keys WHERE org_id = $1
     ORDER BY created_at ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`,
    [orgId],
  );
  return { keys: rows.map(toApiKey), total: Number(count?.total ?? 0) };
}

/** Of every organization, those that have not been revoked; none whose end cannot be read, which `onUnreadable` is told of. */
export async function findOwners(db: Queryable, onUnreadable: (error: UnreadableError) => void): Promise<KeyOwner[]> {
  const rows = await db.query(`SELECT ${columns}, hash FROM api_keys WHERE revoked_at IS NULL`);
  return readable(rows, toOwner, onUnreadable);
}

function toOwner(row: DatabaseRow): KeyOwner {
  const { id, org_id, name, is_admin, expires_at } = toApiKey(row);
  if (expires_at !== null && Number.isNaN(Date.parse(expires_at)))
    throw new UnreadableError({ table: "api_keys", id }, "expires_at is no time");
  return { id, orgId: org_id, name, isAdmin: is_admin, hash: String(row.hash), expiresAt: expires_at };
}

type Name = Pick<ApiKey, "id" | "org_id">;

/** The key as it is revoked now; null where there is none, or it has been revoked before. */
export async function revokeKey(db: Queryable, { id, org_id }: Name, at: string): Promise<ApiKey | null> {
  const [row] = await db.query(
    `UPDATE api_keys SET revoked_at = $1 WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL RETURNING ${columns}`,
    [at, org_id, id],
  );
  return row === undefined ? null : toApiKey(row);
}

/** The key as it ends then; null where there is none, or it has ended or ends already. */
export async function endKey(db: Queryable, { id, org_id }: Name, at: string): Promise<ApiKey | null> {
  const [row] = await db.query(
    `UPDATE api_keys SET expires_at = $1
     WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL AND expires_at IS NULL RETURNING ${columns}`,
    [at, org_id, id],
  );
  return row === undefined ? null : toApiKey(row);
}

const orNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

const toApiKey = (row: DatabaseRow): ApiKey => ({
  id: String(row.id),
  org_id: row.org_id as OrgId,
  name: String(row.name),
  prefix: String(row.prefix),
  is_admin: row.is_admin === true,
  created_at: String(row.created_at),
  expires_at: orNull(row.expires_at),
  revoked_at: orNull(row.revoked_at),
});
