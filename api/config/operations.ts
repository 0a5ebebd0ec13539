import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { defineOperation, type Operation, type OperationRequest } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import type { Actor } from "./audit.ts";
import type { Fields } from "./fields.ts";
import { pauseSchema } from "./pause.ts";
import { answerSchema, createSchema, patchSchema, type ResourceDefinition } from "./resource.ts";
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

/** Create, list, get, patch and delete of one kind of resource, and pause and resume where it has them. */
export function resourceOperations(definition: ResourceDefinition, deps: ConfigOperationsDeps): Operation[] {
  return [...crud(definition, deps), ...(definition.pausable ? pauses(definition, deps) : [])];
}

function crud(definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation[] {
  const { title, param } = definition;
  const { base, one, ...about } = pathsOf(definition);
  const listQuery = pageQuery.extend({ ...definition.filters, ...(definition.pausable ? { is_paused: flag } : {}) });
  const answer = answerSchema(definition);
  const params = paramsOf(definition);
  const idOf = (given: Fields) => String(given[param]);
  return [
    defineOperation({
      ...about,
      method: "post",
      path: base,
      summary: `Create a ${title.one}`,
      body: createSchema(definition),
      example: definition.example,
      status: 201,
      answer,
      errors: [409],
      handle: (request) => service.create(definition, actorOf(request), request.body as Fields),
    }),
    defineOperation({
      ...about,
      method: "get",
      path: base,
      summary: `List ${title.many}`,
      query: listQuery,
      status: 200,
      answer: listAnswer(definition),
      async handle({ caller, query }) {
        const { limit, offset, sort_direction, ...filters } = query as z.infer<typeof pageQuery> & Fields;
        const given = Object.entries(filters).filter(([, value]) => value !== undefined);
        const { views, total } = await service.list(definition, caller.orgId, {
          ...{ limit, offset, direction: sort_direction },
          filters: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
        });
        return toPage(views, total, { limit, offset });
      },
    }),
    defineOperation({
      ...about,
      method: "get",
      path: one,
      params,
      summary: `Get a ${title.one}`,
      status: 200,
      answer,
      errors: [404],
      handle: ({ caller, params: given }) => service.get(definition, caller.orgId, idOf(given)),
    }),
    defineOperation({
      ...about,
      method: "patch",
      path: one,
      params,
      summary: `Change a ${title.one}; fields that are not sent stay as they are`,
      body: patchSchema(definition),
      example: definition.example,
      status: 200,
      answer,
      errors: [404, 409],
      handle: (request) =>
        service.patch(definition, actorOf(request), { id: idOf(request.params), input: request.body as Fields }),
    }),
    defineOperation({
      ...about,
      method: "delete",
      path: one,
      params,
      ...(definition.detach ? { query: forceQuery } : {}),
      summary: `Delete a ${title.one} that nothing else names${definition.detach ? ", or with force take it out there" : ""}`,
      status: 200,
      answer: removedSchema,
      errors: [404, 409],
      handle: (request) => {
        const force = (request.query as Fields | undefined)?.["force"] === "true";
        return service.remove(definition, actorOf(request), { id: idOf(request.params), force });
      },
    }),
  ];
}

function pauses(definition: ResourceDefinition, { service, clock }: ConfigOperationsDeps): Operation[] {
  const { base: _base, one, ...about } = pathsOf(definition);
  const idOf = (given: Fields) => String(given[definition.param]);
  const shared = {
    ...about,
    path: `${one}/pause`,
    params: paramsOf(definition),
    status: 200,
    answer: answerSchema(definition),
    errors: [404, 409],
  } as const;
  return [
    defineOperation({
      ...shared,
      method: "post",
      summary: `Pause a ${definition.title.one}, for a time or until it is resumed`,
      body: pauseSchema(clock.now),
      bodyOptional: true,
      example: { duration_minutes: 60 },
      handle: (request) =>
        service.pause(definition, actorOf(request), { id: idOf(request.params), request: request.body }),
    }),
    defineOperation({
      ...shared,
      method: "delete",
      summary: `Resume a ${definition.title.one}`,
      handle: (request) => service.resume(definition, actorOf(request), idOf(request.params)),
    }),
  ];
}

/** What a list answers: a page of documents, or of those of their fields that lists have. */
export function listAnswer(definition: ResourceDefinition): z.ZodObject {
  const answer = answerSchema(definition);
  return pageOf(definition.listed === undefined ? answer : subsetOf(answer, definition.listed));
}

const flag = z.enum(["true", "false"]).optional();
const forceQuery = z.object({ force: flag });

const subsetOf = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => names.includes(name))));

const paramsOf = ({ param }: ResourceDefinition) => z.object({ [param]: z.string().min(1).max(255) });

function pathsOf({ path, param, title }: ResourceDefinition) {
  const base = `/api/v1/${path}`;
  const tag = title.many.charAt(0).toUpperCase() + title.many.slice(1);
  return { base, one: `${base}/{${param}}`, tag, access: "api_key", limit: "api" } as const;
}
