import { createHash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Database, DatabaseRow } from "../config/database.ts";

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
/** Returned once, when it is made. */
export type IssuedKey = ApiKey & { readonly key: string };

/** Keys have 256 random bits, so a plain hash is as good as a slow one: there is nothing to guess. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

const columns = "id, org_id, name, prefix, is_admin, created_at, expires_at, revoked_at";
/** Shown of a key: `tl_` and six characters of its secret, far from enough to guess the rest. */
const prefixLength = 9;

/** The organizations' API keys; only hashes are kept. */
export function createApiKeyStore(database: Database, clock: Clock) {
  async function find(orgId: OrgId, id: string): Promise<ApiKey | null> {
    const [row] = await database.query(`SELECT ${columns} FROM api_keys WHERE org_id = $1 AND id = $2`, [orgId, id]);
    return row === undefined ? null : toApiKey(row);
  }

  async function issue(orgId: OrgId, name: string, isAdmin = false): Promise<IssuedKey> {
    const id = uuidv7();
    const key = `tl_${randomBytes(32).toString("base64url")}`;
    const made = { name, prefix: key.slice(0, prefixLength), is_admin: isAdmin, created_at: isoTime(clock.now()) };
    await database.query(
      "INSERT INTO api_keys (id, org_id, name, prefix, hash, is_admin, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [id, orgId, name, made.prefix, hashKey(key), isAdmin, made.created_at],
    );
    await database.announce([{ orgId, type: "api_key", id }]);
    return { id, org_id: orgId, ...made, expires_at: null, revoked_at: null, key };
  }

  async function end(
    orgId: OrgId,
    id: string,
    column: "expires_at" | "revoked_at",
    at: string,
  ): Promise<ApiKey | null> {
    const known = await find(orgId, id);
    if (known === null || known.revoked_at !== null) return known;
    await database.query(`UPDATE api_keys SET ${column} = $1 WHERE org_id = $2 AND id = $3`, [at, orgId, id]);
    await database.announce([{ orgId, type: "api_key", id }]);
    return { ...known, [column]: at };
  }

  return {
    issue,
    find,

    async list(orgId: OrgId): Promise<ApiKey[]> {
      const rows = await database.query(
        `SELECT ${columns} FROM api_keys WHERE org_id = $1 ORDER BY created_at DESC, id DESC`,
        [orgId],
      );
      return rows.map(toApiKey);
    },

    /** The key ends at once; null when there is no such one. Revoking it again changes nothing. */
    revoke: (orgId: OrgId, id: string): Promise<ApiKey | null> => end(orgId, id, "revoked_at", isoTime(clock.now())),

    /** A new key of the same name and rights; the old one goes on for `graceSeconds`, so that clients can change over. */
    async rotate(orgId: OrgId, id: string, graceSeconds: number): Promise<IssuedKey | null> {
      const old = await find(orgId, id);
      if (old === null || old.revoked_at !== null) return null;
      const next = await issue(orgId, old.name, old.is_admin);
      await end(orgId, id, "expires_at", isoTime(clock.now() + graceSeconds * 1000));
      return next;
    },

    /** Keys that have not been revoked; who uses one looks at its expiry. */
    async valid(): Promise<KeyOwner[]> {
      const rows = await database.query(`SELECT ${columns}, hash FROM api_keys WHERE revoked_at IS NULL`);
      return rows.map((row) => {
        const { id, org_id, name, is_admin, expires_at } = toApiKey(row);
        return { id, orgId: org_id, name, isAdmin: is_admin, hash: String(row.hash), expiresAt: expires_at };
      });
    },
  };
}
export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

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
