import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import type { OperationRequest } from "../serve/operation.ts";
import type { Actor } from "./audit.ts";
import type { Fields } from "./fields.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { ResourceService } from "./service.ts";

export interface ConfigOperationsDeps {
  readonly service: ResourceService;
  readonly clock: Clock;
}

export const actorOf = ({ caller, requestId, sourceIp }: OperationRequest<unknown, unknown, unknown>): Actor => ({
  caller,
  requestId,
  sourceIp,
});

/** What a delete answers. */
export const removedSchema = z.object({ success: z.literal(true), id: z.union([z.string(), z.int()]) });

/** What operations on all documents of a kind share. */
export function atAll({ path, title }: ResourceDefinition) {
  const tag = title.many.charAt(0).toUpperCase() + title.many.slice(1);
  return { path: `/api/v1/${path}`, tag, access: "api_key", limit: "api" } as const;
}

/** What operations on one document share. */
export function atOne(definition: ResourceDefinition) {
  const { path, ...about } = atAll(definition);
  const { param } = definition;
  return { ...about, path: `${path}/{${param}}`, params: z.object({ [param]: z.string().min(1).max(255) }) };
}

export const idOf = ({ param }: ResourceDefinition, { params }: { readonly params: Fields }): string =>
  String(params[param]);
