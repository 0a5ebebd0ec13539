import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { ApiKeyStore } from "../config/api-keys.ts";
import type { Actor } from "../config/audit-outbox.ts";
import type { TokenStore } from "../config/issued-tokens.ts";
import { actorOf, removedSchema } from "../config/resource-operations.ts";
import { name } from "../config/resources/shapes.ts";
import type { Caller } from "../serve/caller.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { insufficientScope, rightsBeyond, rightsOfRole, type UserRole, userRoles } from "../serve/rights.ts";
import { defaultRole, type LocalIssuer, type TokenHolder } from "./access-tokens.ts";
import { inForce, type KeyOperationsDeps } from "./api-key-operations.ts";

const daySeconds = 24 * 60 * 60;
export const defaultTokenSeconds = 30 * daySeconds;
const mostTokenSeconds = 90 * daySeconds;

interface TokenIssuing {
  readonly tokens: Pick<TokenStore, "add">;
  readonly clock: Pick<Clock, "now">;
  readonly issuer: LocalIssuer;
}
interface WantedToken extends TokenHolder {
  readonly seconds: number;
  /** Actor for the audit log, which names the user and the role, and never the token. */
  readonly actor?: Actor;
}

/** Issues an access token that can be listed and revoked by its id. */
export async function issueToken(
  { tokens, clock, issuer }: TokenIssuing,
  { userId, orgId, role = defaultRole, seconds, actor }: WantedToken,
): Promise<{ readonly id: string; readonly token: string; readonly expiresAt: string }> {
  const id = randomUUID();
  const expiresAt = isoTime(clock.now() + seconds * 1000);
  await tokens.add({ id, orgId, userId, role, expiresAt, actor });
  return { id, token: await issuer.issue({ userId, orgId, role }, { seconds, id }), expiresAt };
}

export interface TokenOperationsDeps extends KeyOperationsDeps {
  readonly apiKeys: ApiKeyStore;
  readonly tokens: TokenStore;
  readonly clock: Clock;
  /** null where tokens come from an identity provider, or are not accepted. */
  readonly issuer: LocalIssuer | null;
}

const about = { tag: "API keys", access: "admin_key", limit: "api" } as const;
const base = "/api/v1/access-tokens";

const tokenSchema = z
  .object({
    id: z.string().describe("What the audit log and the token's `jti` name it by."),
    user: z.string().describe("Whose token it is."),
    role: z.enum(userRoles),
    created_at: timestamp,
    expires_at: timestamp,
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: "AccessToken" });

/** Operations on the access tokens that this platform issues where no identity provider does. A token is shown once. */
export const accessTokenOperations = (deps: TokenOperationsDeps): Operation[] => [
  createToken(deps),
  listTokens(deps),
  revokeToken(deps),
];

const createToken = (deps: TokenOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: base,
    name: "createAccessToken",
    summary:
      "Issue a user's access token, of a role that may do no more than the key; the answer is the only place where it is shown",
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
      id: tokenSchema.shape.id,
      user: z.string(),
      role: z.enum(userRoles),
      expires_at: timestamp,
      access_token: z.string().describe("Shown this once."),
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
      const wanted = { userId: user, orgId: request.caller.orgId, role, seconds, actor: actorOf(request) };
      const issued = await inForce(deps, issueToken({ ...deps, issuer }, wanted));
      return { id: issued.id, user, role, expires_at: issued.expiresAt, access_token: issued.token };
    },
  });

const listTokens = ({ tokens }: TokenOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: base,
    name: "listAccessTokens",
    summary: "List the access tokens that this platform has issued and that have not expired",
    query: pageQuery.extend({ user: name.optional().describe("Only those of one user.") }),
    status: 200,
    answer: pageOf(tokenSchema),
    async handle({ caller, query: { limit, offset, sort_direction, user } }) {
      const found = await tokens.page(caller.orgId, { limit, offset, direction: sort_direction, user });
      return toPage(found.tokens, found.total, { limit, offset });
    },
  });

const revokeToken = (deps: TokenOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "delete",
    path: `${base}/{access_token_id}`,
    params: z.object({ access_token_id: z.string().min(1).max(64) }),
    name: "revokeAccessToken",
    summary: "Revoke an access token, at once",
    status: 200,
    answer: removedSchema,
    errors: [404],
    async handle(request) {
      const { access_token_id: id } = request.params;
      const revoked = await inForce(deps, deps.tokens.revoke(request.caller.orgId, id, actorOf(request)));
      if (revoked === null) throw notFound(`The access token ${id}`);
      return { success: true, id };
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
