import { z } from "zod";
import { orgId, timestamp } from "../../ingest/primitives.ts";
import type { ApiKeyStore } from "../config/api-keys.ts";
import type { AuditOutbox } from "../config/audit-outbox.ts";
import { type KeyLimits, limitFields, refuseMore } from "../config/key-limits.ts";
import { actorOf, removedSchema } from "../config/resource-operations.ts";
import { name } from "../config/resources/shapes.ts";
import type { Caller } from "../serve/caller.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";

const keySchema = z
  .object({
    id: z.string(),
    org_id: orgId,
    name: z.string(),
    prefix: z.string(),
    is_admin: z.boolean().describe("Whether it may list, create, rotate and revoke keys, and issue access tokens."),
    scopes: z.array(z.string()).nullable().describe("What it may do, as when it was created; null: everything."),
    allow_from: z.array(z.string()).nullable().describe("From where it may be used; null: anywhere."),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });
const issuedSchema = keySchema.extend({ key: z.string() });
const params = z.object({ api_key_id: z.string().min(1).max(64) });
const daySeconds = 24 * 60 * 60;
const grace = z.object({
  grace_seconds: z
    .number()
    .int()
    .min(0)
    .max(30 * daySeconds)
    .default(daySeconds),
});

export interface KeyOperationsDeps {
  readonly apiKeys: ApiKeyStore;
  /** Outbox of the audit log. */
  readonly outbox: AuditOutbox;
  /** Resolves when each earlier change of keys is in force. */
  settled(): Promise<void>;
  onTrouble(error: unknown): void;
}

const about = { tag: "API keys", access: "admin_key", limit: "api" } as const;
const base = "/api/v1/api-keys";
const one = `${base}/{api_key_id}`;

/** Operations on an organization's API keys, for holders of an admin key. A key is shown once, when it is created. */
export const apiKeyOperations = (deps: KeyOperationsDeps): Operation[] => [
  issueKey(deps),
  listKeys(deps),
  rotateKey(deps),
  revokeKey(deps),
];

/** Resolves when a change is in force, in this process. */
export async function inForce<T>({ settled, outbox, onTrouble }: KeyOperationsDeps, change: Promise<T>): Promise<T> {
  const changed = await change;
  await settled();
  outbox.drain().catch(onTrouble);
  return changed;
}

/** Limits of the key that asks; nothing is allowed to one that is gone by now. */
async function limitsOf({ apiKeys }: KeyOperationsDeps, { orgId, actor }: Caller): Promise<KeyLimits> {
  return (await apiKeys.find(orgId, actor.id)) ?? { scopes: [], allow_from: [] };
}

const issueKey = (deps: KeyOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: base,
    name: "createApiKey",
    summary:
      "Make an API key that may do no more than the one that makes it; the answer is the only place where it is shown",
    body: z.object({ name, is_admin: z.boolean().default(false), ...limitFields }),
    example: { name: "CRM integration", scopes: ["reports:read"], allow_from: ["203.0.113.0/24"] },
    status: 201,
    answer: issuedSchema,
    async handle(request) {
      const { name, is_admin: isAdmin, scopes, allow_from } = request.body;
      const limits = { scopes, allow_from };
      refuseMore(await limitsOf(deps, request.caller), limits);
      const actor = actorOf(request);
      return inForce(deps, deps.apiKeys.issue(request.caller.orgId, name, { isAdmin, limits, actor }));
    },
  });

const listKeys = ({ apiKeys }: KeyOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: base,
    name: "listApiKeys",
    summary: "List the organization's API keys, by prefix",
    query: pageQuery,
    status: 200,
    answer: pageOf(keySchema),
    async handle({ caller, query: { limit, offset, sort_direction } }) {
      const { keys, total } = await apiKeys.page(caller.orgId, { limit, offset, direction: sort_direction });
      return toPage(keys, total, { limit, offset });
    },
  });

const rotateKey = (deps: KeyOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: `${one}/rotate`,
    params,
    name: "rotateApiKey",
    summary: "Replace an API key; the old one goes on for a grace period, once",
    body: grace,
    bodyOptional: true,
    example: { grace_seconds: 3600 },
    status: 201,
    answer: issuedSchema,
    errors: [404, 409],
    async handle(request) {
      const { api_key_id } = request.params;
      const within = await limitsOf(deps, request.caller);
      const given = { graceSeconds: request.body.grace_seconds, within, actor: actorOf(request) };
      const issued = await inForce(deps, deps.apiKeys.rotate(request.caller.orgId, api_key_id, given));
      if (issued === null) throw notFound(`The API key ${api_key_id}`);
      return issued;
    },
  });

const revokeKey = (deps: KeyOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "delete",
    path: one,
    params,
    name: "revokeApiKey",
    summary: "Revoke an API key, at once",
    status: 200,
    answer: removedSchema,
    errors: [404, 409],
    async handle(request) {
      const { api_key_id: id } = request.params;
      if (request.caller.actor.id === id) throw conflict("A key cannot revoke itself: use another admin key.");
      const revoked = await inForce(deps, deps.apiKeys.revoke(request.caller.orgId, id, actorOf(request)));
      if (revoked === null) throw notFound(`The API key ${id}`);
      return { success: true, id };
    },
  });
