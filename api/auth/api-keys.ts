import { createHash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Database } from "../config/database.ts";

/** Whose a key is. */
export interface KeyOwner {
  readonly id: string;
  readonly orgId: OrgId;
  readonly hash: string;
  /** ISO 8601; null while it does not end. */
  readonly expiresAt: string | null;
}

/** Keys have 256 random bits, so a plain hash is as good as a slow one: there is nothing to guess. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The organizations' API keys; only hashes are kept. */
export function createApiKeyStore(database: Database, clock: Clock) {
  return {
    /** Makes a key and returns it; it can never be read again. */
    async issue(orgId: OrgId, name: string): Promise<{ id: string; key: string }> {
      const id = uuidv7();
      const key = `tl_${randomBytes(32).toString("base64url")}`;
      await database.query(
        "INSERT INTO api_keys (id, org_id, name, prefix, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        [id, orgId, name, key.slice(0, 9), hashKey(key), isoTime(clock.now())],
      );
      await database.announce(orgId);
      return { id, key };
    },

    /** Keys that have not been revoked; who uses one looks at its expiry. */
    async valid(): Promise<KeyOwner[]> {
      const rows = await database.query("SELECT id, org_id, hash, expires_at FROM api_keys WHERE revoked_at IS NULL");
      return rows.map((row) => ({
        id: String(row.id),
        orgId: row.org_id as OrgId,
        hash: String(row.hash),
        expiresAt: row.expires_at === null ? null : String(row.expires_at),
      }));
    },
  };
}
export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
