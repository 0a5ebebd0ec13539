import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { ApiKeyStore } from "../config/api-keys.ts";
import { type Actor, recordChange } from "../config/audit-outbox.ts";
import { actorOf } from "../config/resource-operations.ts";
import { name } from "../config/resources/shapes.ts";
import type { Database } from "../database/database.ts";
import type { Caller } from "../serve/caller.ts";
import { conflict } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { insufficientScope, rightsBeyond, rightsOfRole, type UserRole, userRoles } from "../serve/rights.ts";
import type { LocalIssuer } from "./access-tokens.ts";
import { inForce, type KeyOperationsDeps } from "./api-key-operations.ts";

const daySeconds = 24 * 60 * 60;
export const defaultTokenSeconds = 30 * daySeconds;
const mostTokenSeconds = 90 * daySeconds;

interface TokenIssuing {
  readonly database: Pick<Database, "transaction">;
  readonly clock: Pick<Clock, "now">;
  readonly issuer: LocalIssuer;
}
export interface WantedToken {
  readonly userId: string;
  readonly role: UserRole;
  readonly seconds: number;
}

/** Issues an access token with its record in the audit log, which names the user and the role, and never the token. */
export async function issueAudited(
  { database, clock, issuer }: TokenIssuing,
  actor: Actor,
  { userId, role, seconds }: WantedToken,
): Promise<{ readonly id: string; readonly token: string; readonly expiresAt: string }> {
  const id = randomUUID();
  const now = clock.now();
  const expiresAt = isoTime(now + seconds * 1000);
  const shown = { user: userId, role, expires_at: expiresAt };
  await database.transaction((db) =>
    recordChange(db, actor, {
      action: "create",
      entity: { type: "access_token", id, name: userId },
      changes: Object.entries(shown).map(([field, value]) => ({ field, old: null, new: value })),
      now,
    }),
  );
  const token = await issuer.issue({ userId, orgId: actor.caller.orgId, role }, { seconds, id });
  return { id, token, expiresAt };
}

export interface TokenOperationsDeps extends KeyOperationsDeps {
  readonly apiKeys: ApiKeyStore;
  readonly database: Database;
  readonly clock: Clock;
  /** null where tokens come from an identity provider, or are not accepted. */
  readonly issuer: LocalIssuer | null;
}

/** The operation that issues access tokens where no identity provider does. A token is shown once. */
export const accessTokenOperation = (deps: TokenOperationsDeps): Operation =>
  defineOperation({
    method: "post",
    path: "/api/v1/access-tokens",
    tag: "API keys",
    name: "createAccessToken",
    summary:
      "Issue a user's access token, of a role that may do no more than the key; the answer is the only place where it is shown",
    access: "admin_key",
    limit: "api",
    body: z.object({
      user: name.describe("Whose token it is: conversations and what is saved belong to this name."),
      role: z
        .enum(userRoles)
        .default("analyst")
        .describe(
          "A viewer reads and asks; an analyst also saves, approves, schedules and exports; an admin may do everything.",
        ),
      expires_in_seconds: z.number().int().min(60).max(mostTokenSeconds).default(defaultTokenSeconds),
    }),
    example: { user: "ann", role: "viewer", expires_in_seconds: 3600 },
    status: 201,
    answer: z.object({
      id: z.string().describe("What the audit log and the token's `jti` name it by."),
      user: z.string(),
      role: z.enum(userRoles),
      expires_at: timestamp,
      access_token: z.string().describe("Shown this once. It cannot be revoked."),
    }),
    errors: [409],
    async handle(request) {
      const { user, role, expires_in_seconds: seconds } = request.body;
      const { issuer } = deps;
      if (issuer === null)
        throw conflict(
          "This platform takes no tokens of its own: they come from the identity provider of JWT_JWKS_URL, or HOST is no loopback address and LOCAL_ISSUER is not true.",
        );
      await refuseHigherRole(deps, request.caller, role);
      const wanted = { userId: user, role, seconds };
      const issued = await inForce(deps, issueAudited({ ...deps, issuer }, actorOf(request), wanted));
      return { id: issued.id, user, role, expires_at: issued.expiresAt, access_token: issued.token };
    },
  });

/** Throws 403 where the role may more than the key, or the key's holder would get round its address ranges. */
async function refuseHigherRole({ apiKeys }: TokenOperationsDeps, caller: Caller, role: UserRole): Promise<void> {
  const [beyond] = rightsBeyond(rightsOfRole(role), caller.rights);
  if (beyond !== undefined)
    throw insufficientScope(`A token of the role ${role} may do ${beyond}, which this API key may not.`);
  const key = await apiKeys.find(caller.orgId, caller.actor.id);
  if (key?.allow_from === null) return;
  throw insufficientScope("This API key is restricted to addresses, and an access token is accepted from any.");
}
