import { createHash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import type { Database, DatabaseRow, Queryable, Transaction } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import { type Actor, type Change, recordChange } from "./audit.ts";

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

interface IssueGiven {
  readonly isAdmin?: boolean;
  /** Who makes it, for the audit log; without one it is an installation being filled, which is not audited. */
  readonly actor?: Actor | undefined;
}
interface RotateGiven {
  readonly graceSeconds: number;
  readonly actor?: Actor | undefined;
}

/** The organizations' API keys; only hashes are kept. */
export function createApiKeyStore(database: Database, clock: Clock) {
  return {
    async issue(orgId: OrgId, name: string, { isAdmin = false, actor }: IssueGiven = {}): Promise<IssuedKey> {
      const now = clock.now();
      return database.transaction((db) => insert(db, { orgId, name, isAdmin, actor, now }));
    },

    find: (orgId: OrgId, id: string): Promise<ApiKey | null> => findKey(database, orgId, id),

    async list(orgId: OrgId): Promise<ApiKey[]> {
      const rows = await database.query(
        `SELECT ${columns} FROM api_keys WHERE org_id = $1 ORDER BY created_at DESC, id DESC`,
        [orgId],
      );
      return rows.map(toApiKey);
    },

    /** One page by the time they were made, and how many there are in all. */
    async page(orgId: OrgId, { limit, offset, direction }: Page): Promise<{ keys: ApiKey[]; total: number }> {
      const [count] = await database.query("SELECT count(*) AS total FROM api_keys WHERE org_id = $1", [orgId]);
      const order = direction === "asc" ? "ASC" : "DESC";
      const rows = await database.query(
        `SELECT ${columns} FROM api_keys WHERE org_id = $1
         ORDER BY created_at ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`,
        [orgId],
      );
      return { keys: rows.map(toApiKey), total: Number(count?.total ?? 0) };
    },

    /** The key ends at once; null when there is no such one. Revoking it again changes nothing. */
    async revoke(orgId: OrgId, id: string, actor?: Actor): Promise<ApiKey | null> {
      const now = clock.now();
      return database.transaction(async (db) => {
        const set = "UPDATE api_keys SET revoked_at = $1 WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL";
        const [row] = await db.query(`${set} RETURNING ${columns}`, [isoTime(now), orgId, id]);
        if (row === undefined) return findKey(db, orgId, id);
        const changes = [{ field: "revoked_at", old: null, new: isoTime(now) }];
        await record(db, actor, { action: "delete", key: toApiKey(row), changes, now });
        return toApiKey(row);
      });
    },

    /**
     * A new key of the same name and rights; the old one goes on for `graceSeconds`, so that clients can change over. Null
     * for a key that has ended; throws `conflict` for one that ends already: a second rotation gives it no more time.
     */
    async rotate(orgId: OrgId, id: string, { graceSeconds, actor }: RotateGiven): Promise<IssuedKey | null> {
      const now = clock.now();
      const endsAt = isoTime(now + graceSeconds * 1000);
      return database.transaction(async (db) => {
        const [row] = await db.query(
          `UPDATE api_keys SET expires_at = $1
           WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL AND expires_at IS NULL RETURNING ${columns}`,
          [endsAt, orgId, id],
        );
        if (row === undefined) return refuseEnding(await findKey(db, orgId, id), now);
        const old = toApiKey(row);
        const changes = [{ field: "expires_at", old: null, new: endsAt }];
        await record(db, actor, { action: "rotate_key", key: old, changes, now });
        return insert(db, { orgId, name: old.name, isAdmin: old.is_admin, actor, now });
      });
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

async function findKey(db: Queryable, orgId: OrgId, id: string): Promise<ApiKey | null> {
  const [row] = await db.query(`SELECT ${columns} FROM api_keys WHERE org_id = $1 AND id = $2`, [orgId, id]);
  return row === undefined ? null : toApiKey(row);
}

interface NewKey {
  readonly orgId: OrgId;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly actor: Actor | undefined;
  readonly now: number;
}

async function insert(db: Transaction, { orgId, name, isAdmin, actor, now }: NewKey): Promise<IssuedKey> {
  const id = uuidv7();
  const secret = `tl_${randomBytes(32).toString("base64url")}`;
  const made = { name, prefix: secret.slice(0, prefixLength), is_admin: isAdmin, created_at: isoTime(now) };
  await db.query(
    "INSERT INTO api_keys (id, org_id, name, prefix, hash, is_admin, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [id, orgId, name, made.prefix, hashKey(secret), isAdmin, made.created_at],
  );
  const key = { id, org_id: orgId, ...made, expires_at: null, revoked_at: null };
  const changes = (["name", "prefix", "is_admin"] as const).map((field) => ({ field, old: null, new: key[field] }));
  await record(db, actor, { action: "create", key, changes, now });
  return { ...key, key: secret };
}

interface KeyChange extends Pick<Change, "action" | "changes" | "now"> {
  readonly key: ApiKey;
}

/** Tells the processes, and where somebody did it the audit log, which sees neither the key nor its hash. */
async function record(db: Transaction, actor: Actor | undefined, { key, ...change }: KeyChange): Promise<void> {
  const { id, org_id: orgId, name } = key;
  const entity = { type: "api_key", id, name };
  if (actor !== undefined) await recordChange(db, actor, { ...change, entity });
  await db.announce([{ orgId, type: entity.type, id }]);
}

function refuseEnding(key: ApiKey | null, now: number): null {
  if (key === null || key.revoked_at !== null || key.expires_at === null) return null;
  if (Date.parse(key.expires_at) <= now) return null;
  throw conflict(`The API key ${key.id} was rotated already: it ends at ${key.expires_at}.`);
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
