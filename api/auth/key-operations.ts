import { z } from "zod";
import { orgId, timestamp } from "../../ingest/primitives.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { ApiKeyStore } from "./api-keys.ts";

const keySchema = z.object({
  id: z.string(),
  org_id: orgId,
  name: z.string(),
  prefix: z.string(),
  is_admin: z.boolean(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});
const issuedSchema = keySchema.extend({ key: z.string() });
const params = z.object({ api_key_id: z.string().min(1).max(64) });
const daySeconds = 24 * 60 * 60;

export interface KeyOperationsDeps {
  readonly apiKeys: ApiKeyStore;
  /** Resolves when requests meet every change of keys that was made before. */
  settled(): Promise<void>;
}

/** An organization's API keys, for who holds an admin key of it. A key is shown once, when it is made. */
export function keyOperations({ apiKeys, settled }: KeyOperationsDeps): Operation[] {
  const inForce = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    await settled();
    return changed;
  };
  const about = { tag: "API keys", access: "admin_key", limit: "api" } as const;
  const base = "/api/v1/api-keys";
  return [
    defineOperation({
      ...about,
      method: "post",
      path: base,
      summary: "Make an API key; the answer is the only place where it is shown",
      body: z.object({ name: z.string().min(1).max(255), is_admin: z.boolean().default(false) }),
      example: { name: "CRM integration" },
      status: 201,
      answer: issuedSchema,
      handle: ({ caller, body }) => inForce(apiKeys.issue(caller.orgId, body.name, body.is_admin)),
    }),
    defineOperation({
      ...about,
      method: "get",
      path: base,
      summary: "List the organization's API keys, by prefix",
      status: 200,
      answer: z.object({ data: z.array(keySchema) }),
      handle: async ({ caller }) => ({ data: await apiKeys.list(caller.orgId) }),
    }),
    defineOperation({
      ...about,
      method: "post",
      path: `${base}/{api_key_id}/rotate`,
      params,
      summary: "Replace an API key; the old one goes on for a grace period",
      body: z.object({
        grace_seconds: z
          .number()
          .int()
          .min(0)
          .max(30 * daySeconds)
          .default(daySeconds),
      }),
      bodyOptional: true,
      example: { grace_seconds: 3600 },
      status: 201,
      answer: issuedSchema,
      errors: [404],
      async handle({ caller, params: { api_key_id }, body }) {
        const issued = await inForce(apiKeys.rotate(caller.orgId, api_key_id, body.grace_seconds));
        if (issued === null) throw notFound(`The API key ${api_key_id}`);
        return issued;
      },
    }),
    defineOperation({
      ...about,
      method: "delete",
      path: `${base}/{api_key_id}`,
      params,
      summary: "Revoke an API key, at once",
      status: 200,
      answer: keySchema,
      errors: [404, 409],
      async handle({ caller, params: { api_key_id } }) {
        if (caller.actor.id === api_key_id) throw conflict("A key cannot revoke itself: use another admin key.");
        const revoked = await inForce(apiKeys.revoke(caller.orgId, api_key_id));
        if (revoked === null) throw notFound(`The API key ${api_key_id}`);
        return revoked;
      },
    }),
  ];
}
