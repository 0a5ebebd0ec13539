import { z } from "zod";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import type { Fields } from "./fields.ts";
import { actorOf, atAll, atOne, type ConfigOperationsDeps, idOf, removedSchema } from "./operation-parts.ts";
import { pauseOperations } from "./pause-operations.ts";
import { answerSchema, createSchema, patchSchema, type ResourceDefinition } from "./resource.ts";

/** Create, list, get, patch and delete of one kind of resource, and pause and resume where it has them. */
export function resourceOperations(definition: ResourceDefinition, deps: ConfigOperationsDeps): Operation[] {
  const operations = [create, list, get, patch, remove].map((make) => make(definition, deps));
  return [...operations, ...(definition.pausable ? pauseOperations(definition, deps) : [])];
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
      const { views, total } = await service.list(definition, caller.orgId, {
        limit,
        offset,
        direction: sort_direction,
        filters: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      });
      return toPage(views, total, { limit, offset });
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

/** What a list answers: a page of documents, or of those of their fields that lists have. */
export function listAnswer(definition: ResourceDefinition): z.ZodObject {
  const answer = answerSchema(definition);
  return pageOf(definition.listed === undefined ? answer : subsetOf(answer, definition.listed));
}

const flag = z.enum(["true", "false"]).optional();
const forceQuery = z.object({ force: flag });

const subsetOf = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => names.includes(name))));
