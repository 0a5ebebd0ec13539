import { hash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { readable, refuseUnreadable, UnreadableError } from "../../ingest/unreadable.ts";
import type { Page } from "../../sql/page.ts";
import type { Database, DatabaseRow, Queryable, Transaction } from "../database/database.ts";
import type { AddressRange } from "../serve/address-ranges.ts";
import type { Rights } from "../serve/areas.ts";
import { conflict } from "../serve/errors.ts";
import { rightsOfScopes } from "../serve/rights.ts";
import { type Actor, type Change, recordChange } from "./audit-outbox.ts";
import {
  type KeyLimits,
  limitColumns,
  noLimits,
  readLimits,
  readShownLimits,
  refuseMore,
  toRanges,
  toStored,
} from "./key-limits.ts";

/** An API key as it is shown; the key itself is not stored. */
export interface ApiKey extends KeyLimits {
  readonly id: string;
  readonly org_id: OrgId;
  readonly name: string;
  /** The key's first characters, by which a person recognises it. */
  readonly prefix: string;
  /** True if it may create and revoke keys. */
  readonly is_admin: boolean;
  readonly created_at: string;
  /** null while no end is set. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** A new key, with the key itself, which is returned once. */
export type IssuedKey = ApiKey & { readonly key: string };

/** The owner of a key, and how the key is verified. */
export interface KeyOwner {
  readonly id: string;
  readonly orgId: OrgId;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly rights: Rights;
  /** null for any address. */
  readonly ranges: readonly AddressRange[] | null;
  readonly hash: string;
  /** ISO 8601; null while no end is set. */
  readonly expiresAt: string | null;
}

/** Hashes a key. Keys have 256 random bits, so a fast hash is as safe as a slow one. */
export const hashKey = (key: string): string => hash("sha256", key);

/** Length of the prefix that is shown: `tl_` and six characters of the secret. */
const prefixLength = 9;

interface IssueOptions {
  readonly isAdmin?: boolean;
  /** Default: none. */
  readonly limits?: KeyLimits;
  /** Actor for the audit log; without one an installation is being set up, which is not audited. */
  readonly actor?: Actor | undefined;
}
interface RotateOptions {
  readonly graceSeconds: number;
  /** Limits of the key that rotates: it is answered the new key, and must not come to more than it has. */
  readonly within?: KeyLimits;
  readonly actor?: Actor | undefined;
}

const columns = `id, org_id, name, prefix, is_admin, created_at, expires_at, revoked_at, ${limitColumns}`;

/** Store of the organizations' API keys, of which only hashes are kept. `onUnreadable` is called for unreadable rows. */
export function createApiKeyStore(
  database: Database,
  clock: Clock,
  onUnreadable: (error: UnreadableError) => void = refuseUnreadable,
) {
  return {
    async issue(orgId: OrgId, name: string, options: IssueOptions = {}): Promise<IssuedKey> {
      const { isAdmin = false, limits = noLimits, actor } = options;
      const now = clock.now();
      return database.transaction((db) => insert(db, { orgId, name, isAdmin, limits, actor, now }));
    },

    find: (orgId: OrgId, id: string): Promise<ApiKey | null> => find(database, orgId, id),

    async list(orgId: OrgId): Promise<ApiKey[]> {
      const sql = `SELECT ${columns} FROM api_keys WHERE org_id = $1 ORDER BY created_at DESC, id DESC`;
      return (await database.query(sql, [orgId])).map(toApiKey);
    },

    /** Returns one page by creation time, and the total number of keys. */
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

    /** Revokes a key at once; null if there is no such key. Revoking it again changes nothing. */
    async revoke(orgId: OrgId, id: string, actor?: Actor): Promise<ApiKey | null> {
      const now = clock.now();
      const at = isoTime(now);
      return database.transaction(async (db) => {
        const [row] = await db.query(
          `UPDATE api_keys SET revoked_at = $1 WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL RETURNING ${columns}`,
          [at, orgId, id],
        );
        if (row === undefined) return find(db, orgId, id);
        const key = toApiKey(row);
        await record(db, actor, { action: "delete", key, changes: [{ field: "revoked_at", old: null, new: at }], now });
        return key;
      });
    },

    /**
     * Issues a new key of the same name and rights; the old one stays valid for `graceSeconds`, so that clients can
     * change over. Null for a key that has ended. Throws `conflict` for one that was rotated before: a second rotation
     * gives it no more time; 403 for one that may more than the key that rotates.
     */
    async rotate(
      orgId: OrgId,
      id: string,
      { graceSeconds, within = noLimits, actor }: RotateOptions,
    ): Promise<IssuedKey | null> {
      const now = clock.now();
      const endsAt = isoTime(now + graceSeconds * 1000);
      return database.transaction(async (db) => {
        const [row] = await db.query(
          `UPDATE api_keys SET expires_at = $1
           WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL AND expires_at IS NULL RETURNING ${columns}`,
          [endsAt, orgId, id],
        );
        if (row === undefined) return refuseRotated(await find(db, orgId, id), now);
        const key = toApiKey(row);
        refuseMore(within, key);
        const changes = [{ field: "expires_at", old: null, new: endsAt }];
        await record(db, actor, { action: "rotate_key", key, changes, now });
        return insert(db, { orgId, name: key.name, isAdmin: key.is_admin, limits: key, actor, now });
      });
    },

    /** Returns the readable keys of all organizations that are not revoked; callers check their expiry. */
    async valid(): Promise<KeyOwner[]> {
      const rows = await database.query(`SELECT ${columns}, hash FROM api_keys WHERE revoked_at IS NULL`);
      return readable(rows, toOwner, onUnreadable);
    },
  };
}
export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

async function find(db: Queryable, orgId: OrgId, id: string): Promise<ApiKey | null> {
  const [row] = await db.query(`SELECT ${columns} FROM api_keys WHERE org_id = $1 AND id = $2`, [orgId, id]);
  return row === undefined ? null : toApiKey(row);
}

interface NewKey {
  readonly orgId: OrgId;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly limits: KeyLimits;
  readonly actor: Actor | undefined;
  readonly now: number;
}

async function insert(db: Transaction, { orgId, name, isAdmin, limits, actor, now }: NewKey): Promise<IssuedKey> {
  const id = uuidv7();
  const secret = `tl_${randomBytes(32).toString("base64url")}`;
  const { scopes, allow_from } = limits;
  const key = {
    id,
    org_id: orgId,
    name,
    prefix: secret.slice(0, prefixLength),
    is_admin: isAdmin,
    scopes,
    allow_from,
    created_at: isoTime(now),
    expires_at: null,
    revoked_at: null,
  };
  await db.query(
    `INSERT INTO api_keys (id, org_id, name, prefix, hash, is_admin, created_at, ${limitColumns})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, orgId, name, key.prefix, hashKey(secret), isAdmin, key.created_at, toStored(scopes), toStored(allow_from)],
  );
  const changes = auditedFields
    .filter((field) => key[field] !== null)
    .map((field) => ({ field, old: null, new: key[field] }));
  await record(db, actor, { action: "create", key, changes, now });
  return { ...key, key: secret };
}

const auditedFields = ["name", "prefix", "is_admin", "scopes", "allow_from"] as const;

interface KeyChange extends Pick<Change, "action" | "changes" | "now"> {
  readonly key: ApiKey;
}

/** Announces a change to the processes and records an actor's one in the audit log, without the key or its hash. */
async function record(db: Transaction, actor: Actor | undefined, { key, ...change }: KeyChange): Promise<void> {
  const { id, org_id: orgId, name } = key;
  const entity = { type: "api_key", id, name };
  if (actor !== undefined) await recordChange(db, actor, { ...change, entity });
  await db.notify([{ orgId, type: entity.type, id }]);
}

function refuseRotated(key: ApiKey | null, now: number): null {
  if (key === null || key.revoked_at !== null || key.expires_at === null) return null;
  if (Date.parse(key.expires_at) <= now) return null;
  throw conflict(`The API key ${key.id} was rotated already: it ends at ${key.expires_at}.`);
}

function toOwner(row: DatabaseRow): KeyOwner {
  const { id, org_id, name, is_admin, expires_at } = toApiKey(row);
  const { scopes, allow_from } = readLimits(row);
  if (expires_at !== null && Number.isNaN(Date.parse(expires_at)))
    throw new UnreadableError({ table: "api_keys", id }, "expires_at is no time");
  return {
    id,
    orgId: org_id,
    name,
    isAdmin: is_admin,
    rights: rightsOfScopes(scopes),
    ranges: allow_from && toRanges(id, allow_from),
    hash: String(row.hash),
    expiresAt: expires_at,
  };
}

const orNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

const toApiKey = (row: DatabaseRow): ApiKey => ({
  id: String(row.id),
  org_id: row.org_id as OrgId,
  name: String(row.name),
  prefix: String(row.prefix),
  is_admin: row.is_admin === true,
  ...readShownLimits(row),
  created_at: String(row.created_at),
  expires_at: orNull(row.expires_at),
  revoked_at: orNull(row.revoked_at),
});
