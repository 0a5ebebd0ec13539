import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import type { Database, DatabaseRow, Queryable, Transaction } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import { type UserRole, userRoles } from "../serve/rights.ts";
import { type Actor, type Change, recordChange } from "./audit-outbox.ts";

/** An access token as it is shown; the token itself is not stored. */
export interface IssuedToken {
  /** The token's `jti`. */
  readonly id: string;
  readonly user: string;
  readonly role: UserRole;
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
}

interface NewToken {
  readonly id: string;
  readonly orgId: OrgId;
  readonly userId: string;
  readonly role: UserRole;
  readonly expiresAt: string;
  /** Actor for the audit log; without one an installation is being set up, which is not audited. */
  readonly actor?: Actor | undefined;
}

interface PageOfTokens extends Page {
  /** Only those of one user. */
  readonly user?: string | undefined;
}

/** Most tokens of one organization that have not expired. */
const mostTokens = 10_000;
const entityType = "access_token";
const columns = "id, org_id, user_id, role, created_at, expires_at, revoked_at";

/** Store of the access tokens that this platform has issued, until they expire: what each may, and whether it was revoked. */
export function createTokenStore(database: Database, clock: Pick<Clock, "now">) {
  return {
    /** Keeps a token that is about to be signed. Throws `conflict` if the organization has the most already. */
    async add({ id, orgId, userId, role, expiresAt, actor }: NewToken): Promise<void> {
      const now = clock.now();
      await database.transaction(async (db) => {
        await db.query("DELETE FROM access_tokens WHERE expires_at <= $1", [isoTime(now)]);
        const added = await db.query(
          `INSERT INTO access_tokens (id, org_id, user_id, role, created_at, expires_at)
           SELECT $1, $2, $3, $4, $5, $6
           WHERE (SELECT count(*) FROM access_tokens WHERE org_id = $2) < ${mostTokens} RETURNING id`,
          [id, orgId, userId, role, isoTime(now), expiresAt],
        );
        if (added.length === 0)
          throw conflict(
            `The organization has ${mostTokens} access tokens that have not expired: ask for shorter ones.`,
          );
        const shown = { user: userId, role, expires_at: expiresAt };
        const changes = Object.entries(shown).map(([field, value]) => ({ field, old: null, new: value }));
        await record(db, { actor, action: "create", id, name: userId, changes, now });
      });
    },

    /** Returns the tokens that have not expired, newest first, of all users or of one. */
    async list(orgId: OrgId, user?: string): Promise<IssuedToken[]> {
      const { where, values } = conditionOf(orgId, user, clock.now());
      const order = "ORDER BY created_at DESC, id DESC";
      return (await database.query(`SELECT ${columns} FROM access_tokens WHERE ${where} ${order}`, values)).map(
        toToken,
      );
    },

    /** Returns one page by creation time of the tokens that have not expired, and how many there are. */
    async page(orgId: OrgId, { limit, offset, direction, user }: PageOfTokens) {
      const { where, values } = conditionOf(orgId, user, clock.now());
      const [count] = await database.query(`SELECT count(*) AS total FROM access_tokens WHERE ${where}`, values);
      const order = direction === "asc" ? "ASC" : "DESC";
      const rows = await database.query(
        `SELECT ${columns} FROM access_tokens WHERE ${where}
         ORDER BY created_at ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`,
        values,
      );
      return { tokens: rows.map(toToken), total: Number(count?.["total"] ?? 0) };
    },

    /** Revokes a token at once; null if there is no such token, or it has expired. Revoking it again changes nothing. */
    async revoke(orgId: OrgId, id: string, actor?: Actor): Promise<IssuedToken | null> {
      const now = clock.now();
      const at = isoTime(now);
      return database.transaction(async (db) => {
        const [row] = await db.query(
          `UPDATE access_tokens SET revoked_at = $1
           WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL AND expires_at > $1 RETURNING ${columns}`,
          [at, orgId, id],
        );
        if (row === undefined) return find(db, orgId, { id, at });
        const token = toToken(row);
        const changes = [{ field: "revoked_at", old: null, new: at }];
        await record(db, { actor, action: "delete", id, name: token.user, changes, now });
        await db.notify([{ orgId, type: entityType, id }]);
        return token;
      });
    },
  };
}
export type TokenStore = ReturnType<typeof createTokenStore>;

const conditionOf = (orgId: OrgId, user: string | undefined, now: number) => ({
  where: `org_id = $1 AND expires_at > $2${user === undefined ? "" : " AND user_id = $3"}`,
  values: [orgId, isoTime(now), ...(user === undefined ? [] : [user])],
});

/** Reads the ids of revoked tokens that have not expired, by their organizations. */
export async function readRevokedTokens(db: Queryable, now: number): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db.query("SELECT org_id, id FROM access_tokens WHERE revoked_at IS NOT NULL AND expires_at > $1", [
    isoTime(now),
  ]);
  const revoked = new Map<string, Set<string>>();
  for (const row of rows) {
    const orgId = String(row["org_id"]);
    const known = revoked.get(orgId) ?? new Set();
    revoked.set(orgId, known.add(String(row["id"])));
  }
  return revoked;
}

async function find(
  db: Queryable,
  orgId: OrgId,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<IssuedToken | null> {
  const sql = `SELECT ${columns} FROM access_tokens WHERE org_id = $1 AND id = $2 AND expires_at > $3`;
  const [row] = await db.query(sql, [orgId, id, at]);
  return row === undefined ? null : toToken(row);
}

interface Recorded extends Pick<Change, "action" | "changes" | "now"> {
  readonly actor: Actor | undefined;
  readonly id: string;
  /** The user. */
  readonly name: string;
}

async function record(db: Transaction, { actor, id, name, ...change }: Recorded): Promise<void> {
  if (actor !== undefined) await recordChange(db, actor, { ...change, entity: { type: entityType, id, name } });
}

const toToken = (row: DatabaseRow): IssuedToken => ({
  id: String(row["id"]),
  user: String(row["user_id"]),
  // One that this version does not know would have no rights.
  role: userRoles.find((role) => role === row["role"]) ?? "viewer",
  created_at: String(row["created_at"]),
  expires_at: String(row["expires_at"]),
  revoked_at: row["revoked_at"] == null ? null : String(row["revoked_at"]),
});
