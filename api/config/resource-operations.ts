import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { defineOperation, type Operation, type OperationRequest } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import type { Actor } from "./audit-outbox.ts";
import type { Fields } from "./document.ts";
import { pauseSchema } from "./pause.ts";
import { answerSchema, createSchema, patchSchema, type ResourceDefinition } from "./resource.ts";
import type { ResourceService } from "./service.ts";

export interface ConfigOperationsDeps {
  readonly service: ResourceService;
  readonly clock: Clock;
}

/** Returns the operations of one resource type: create, list, get, patch and delete, and pause and resume if pausable. */
export function resourceOperations(definition: ResourceDefinition, deps: ConfigOperationsDeps): Operation[] {
  const makers = [create, list, get, patch, remove, ...(definition.pausable ? [pause, resume] : [])];
  return makers.map((make) => make(definition, deps));
}

const create = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atAll(definition),
    method: "post",
    summary: `Create a ${definition.title.one}`,
    body: createSchema(definition),
    takesItsAnswer: true,
    example: definition.example,
    status: 201,
    answer: answerSchema(definition),
    errors: [409],
    handle: (request) => service.create(definition, actorOf(request), request.body as Fields),
  });

const list = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atAll(definition),
    method: "get",
    summary: `List ${definition.title.many}`,
    query: pageQuery.extend({ ...definition.filters, ...(definition.pausable ? { is_paused: flag } : {}) }),
    status: 200,
    answer: listAnswer(definition),
    async handle({ caller, query }) {
      const { limit, offset, sort_direction, ...filters } = query as z.infer<typeof pageQuery> & Fields;
      const given = Object.entries(filters).filter(([, value]) => value !== undefined);
      const { items, total } = await service.list(definition, caller.orgId, {
        limit,
        offset,
        direction: sort_direction,
        filters: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      });
      return toPage(items, total, { limit, offset });
    },
  });

const get = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atOne(definition),
    method: "get",
    summary: `Get a ${definition.title.one}`,
    status: 200,
    answer: answerSchema(definition),
    errors: [404],
    handle: (request) => service.get(definition, request.caller.orgId, idOf(definition, request)),
  });

const patch = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atOne(definition),
    method: "patch",
    summary: `Change a ${definition.title.one}; fields that are not sent stay as they are`,
    body: patchSchema(definition),
    takesItsAnswer: true,
    example: definition.example,
    status: 200,
    answer: answerSchema(definition),
    errors: [404, 409],
    handle: (request) =>
      service.patch(definition, actorOf(request), { id: idOf(definition, request), input: request.body as Fields }),
  });

const remove = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atOne(definition),
    method: "delete",
    ...(definition.detach ? { query: forceQuery } : {}),
    summary: `Delete a ${definition.title.one} that nothing else names${definition.detach ? ", or with force take it out there" : ""}`,
    status: 200,
    answer: removedSchema,
    errors: [404, 409],
    handle: (request) => {
      const force = (request.query as Fields | undefined)?.["force"] === "true";
      return service.remove(definition, actorOf(request), { id: idOf(definition, request), force });
    },
  });

const pause = (definition: ResourceDefinition, { service, clock }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atPause(definition),
    method: "post",
    summary: `Pause a ${definition.title.one}, for a time or until it is resumed`,
    body: pauseSchema(clock.now),
    bodyOptional: true,
    example: { duration_minutes: 60 },
    handle: (request) =>
      service.pause(definition, actorOf(request), { id: idOf(definition, request), request: request.body }),
  });

const resume = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atPause(definition),
    method: "delete",
    summary: `Resume a ${definition.title.one}`,
    handle: (request) => service.resume(definition, actorOf(request), idOf(definition, request)),
  });

/** Properties shared by operations on all documents of a type. */
function atAll({ path, title }: ResourceDefinition) {
  const tag = title.many.charAt(0).toUpperCase() + title.many.slice(1);
  return { path: `/api/v1/${path}`, tag, access: "api_key", limit: "api" } as const;
}

/** Properties shared by operations on one document. */
function atOne(definition: ResourceDefinition) {
  const { path, ...about } = atAll(definition);
  const { param } = definition;
  return { ...about, path: `${path}/{${param}}`, params: z.object({ [param]: z.string().min(1).max(255) }) };
}

function atPause(definition: ResourceDefinition) {
  const { path, ...about } = atOne(definition);
  const outcome = { status: 200, answer: answerSchema(definition), errors: [404, 409] } as const;
  return { ...about, path: `${path}/pause`, ...outcome };
}

const idOf = ({ param }: ResourceDefinition, { params }: { readonly params: Fields }): string => String(params[param]);

export const actorOf = ({ caller, requestId, sourceIp }: OperationRequest<unknown, unknown, unknown>): Actor => ({
  caller,
  requestId,
  sourceIp,
});

/** Answer of a delete. */
export const removedSchema = z.object({ success: z.literal(true), id: z.union([z.string(), z.int()]) });

/** Answer of a list: a page of documents, with the fields that the definition lists. */
export function listAnswer(definition: ResourceDefinition): z.ZodObject {
  const answer = answerSchema(definition);
  return pageOf(definition.listed === undefined ? answer : subsetOf(answer, definition.listed));
}

const flag = z.enum(["true", "false"]).optional();
const forceQuery = z.object({ force: flag });

const subsetOf = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => names.includes(name))));
