import { createHash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { refuseUnreadable, type UnreadableError } from "../../ingest/unreadable.ts";
import type { Page } from "../../sql/page.ts";
import type { Database, Transaction } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import {
  type ApiKey,
  endKey,
  findKey,
  findKeyPage,
  findOwners,
  type KeyOwner,
  listKeys,
  revokeKey,
} from "./api-key-rows.ts";
import { type Actor, type Change, recordChange } from "./audit.ts";

/** Returned once, when it is made. */
export type IssuedKey = ApiKey & { readonly key: string };

/** Keys have 256 random bits, so a plain hash is as good as a slow one: there is nothing to guess. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

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

/** The organizations' API keys; only hashes are kept. `onUnreadable` is told of those that cannot be read. */
export function createApiKeyStore(
  database: Database,
  clock: Clock,
  onUnreadable: (error: UnreadableError) => void = refuseUnreadable,
) {
  return {
    async issue(orgId: OrgId, name: string, { isAdmin = false, actor }: IssueGiven = {}): Promise<IssuedKey> {
      const now = clock.now();
      return database.transaction((db) => insert(db, { orgId, name, isAdmin, actor, now }));
    },

    find: (orgId: OrgId, id: string): Promise<ApiKey | null> => findKey(database, orgId, id),

    list: (orgId: OrgId): Promise<ApiKey[]> => listKeys(database, orgId),

    /** One page by the time they were made, and how many there are in all. */
    page: (orgId: OrgId, page: Page): Promise<{ keys: ApiKey[]; total: number }> => findKeyPage(database, orgId, page),

    /** The key ends at once; null when there is no such one. Revoking it again changes nothing. */
    async revoke(orgId: OrgId, id: string, actor?: Actor): Promise<ApiKey | null> {
      const now = clock.now();
      return database.transaction(async (db) => {
        const key = await revokeKey(db, { org_id: orgId, id }, isoTime(now));
        if (key === null) return findKey(db, orgId, id);
        const changes = [{ field: "revoked_at", old: null, new: isoTime(now) }];
        await record(db, actor, { action: "delete", key, changes, now });
        return key;
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
        const old = await endKey(db, { org_id: orgId, id }, endsAt);
        if (old === null) return refuseEnding(await findKey(db, orgId, id), now);
        const changes = [{ field: "expires_at", old: null, new: endsAt }];
        await record(db, actor, { action: "rotate_key", key: old, changes, now });
        return insert(db, { orgId, name: old.name, isAdmin: old.is_admin, actor, now });
      });
    },

    /** Keys that have not been revoked; who uses one looks at its expiry. */
    valid: (): Promise<KeyOwner[]> => findOwners(database, onUnreadable),
  };
}
export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

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
