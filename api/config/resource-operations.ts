import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { permissionsOf } from "../serve/areas.ts";
import type { Caller } from "../serve/caller.ts";
import { defineOperation, type Operation, type OperationRequest } from "../serve/operation.ts";
import { pascalCase, toTag, withArticle } from "../serve/operation-text.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { may } from "../serve/rights.ts";
import type { Actor } from "./audit-outbox.ts";
import type { Document, Fields } from "./document.ts";
import { pauseSchema } from "./pause.ts";
import { answerSchema, patchSchema, type ResourceDefinition } from "./resource.ts";
import { toAnswer } from "./serializer.ts";
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
    name: `create${pascalCase(definition.title.one)}`,
    summary: `Create ${withArticle(definition.title.one)}`,
    body: definition.writable,
    takesItsAnswer: true,
    example: definition.example,
    status: 201,
    answer: answerSchema(definition),
    answerExample: exampleAnswer(definition),
    errors: [409],
    async handle(request) {
      return withAddresses(
        definition,
        await service.create(definition, actorOf(request), request.body as Fields),
        request,
      );
    },
  });

const list = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atAll(definition),
    method: "get",
    name: `list${pascalCase(definition.title.many)}`,
    summary: `List ${definition.title.many}`,
    query: pageQuery.extend({ ...definition.filters, ...(definition.pausable ? { is_paused: flag } : {}) }),
    status: 200,
    answer: listAnswer(definition),
    async handle({ caller, query, baseUrl }) {
      const { limit, offset, sort_direction, ...filters } = query as z.infer<typeof pageQuery> & Fields;
      const given = Object.entries(filters).filter(([, value]) => value !== undefined);
      const { items, total } = await service.list(definition, caller.orgId, {
        limit,
        offset,
        direction: sort_direction,
        filters: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      });
      const data = items.map((each) => toShownTo(caller, definition, withAddresses(definition, each, { baseUrl })));
      return toPage(data, total, { limit, offset });
    },
  });

const get = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atOne(definition),
    method: "get",
    name: `get${pascalCase(definition.title.one)}`,
    summary: `Get ${withArticle(definition.title.one)}`,
    status: 200,
    answer: answerSchema(definition),
    answerExample: exampleAnswer(definition),
    errors: [404],
    async handle(request) {
      const found = await service.get(definition, request.caller.orgId, idOf(definition, request));
      return toShownTo(request.caller, definition, withAddresses(definition, found, request));
    },
  });

const patch = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atOne(definition),
    method: "patch",
    name: `update${pascalCase(definition.title.one)}`,
    summary: `Change ${withArticle(definition.title.one)}; fields that are not sent stay as they are`,
    body: patchSchema(definition),
    takesItsAnswer: true,
    example: definition.example,
    status: 200,
    answer: answerSchema(definition),
    answerExample: exampleAnswer(definition),
    errors: [404, 409],
    async handle(request) {
      const edit = { id: idOf(definition, request), input: request.body as Fields };
      return withAddresses(definition, await service.patch(definition, actorOf(request), edit), request);
    },
  });

const remove = (definition: ResourceDefinition, { service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...atOne(definition),
    method: "delete",
    ...(definition.detach ? { query: forceQuery } : {}),
    name: `delete${pascalCase(definition.title.one)}`,
    summary: `Delete ${withArticle(definition.title.one)} that nothing else names${definition.detach ? ", or with force take it out there" : ""}`,
    status: 200,
    answer: removedSchema,
    answerExample: { success: true, id: definition.numericId ? 1 : definition.param.toUpperCase() },
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
    name: `pause${pascalCase(definition.title.one)}`,
    summary: `Pause ${withArticle(definition.title.one)}, for a time or until it is resumed`,
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
    name: `resume${pascalCase(definition.title.one)}`,
    summary: `Resume ${withArticle(definition.title.one)}`,
    handle: (request) => service.resume(definition, actorOf(request), idOf(definition, request)),
  });

/** Properties shared by operations on all documents of a type. */
function atAll({ path, title }: ResourceDefinition) {
  return { path: `/api/v1/${path}`, tag: toTag(title.many), access: "api_key", limit: "api" } as const;
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

const exampleTime = "2026-01-31T12:00:00.000Z";

/** Example values of generated fields. */
const given = { auth_key: "AUTH_KEY", inbound_rtb_id: "inbound_rtb_1769860800000_x4k2p9" };

/** An example of an answer: what a create request with the definition's example is answered. */
export function exampleAnswer(definition: ResourceDefinition): Fields {
  const written = definition.writable.parse(definition.example);
  const context = { previous: given as Partial<Document> as Document, at: exampleTime, newId: () => "ROW_ID" };
  const fields = definition.prepare?.(written, context) ?? written;
  const about = { org_id: "ORG_ID" as OrgId, created_at: exampleTime, updated_at: exampleTime };
  const answer = toAnswer(
    definition,
    { ...fields, id: definition.numericId ? "1" : definition.param.toUpperCase(), ...about },
    { find: (_type, id) => (id === undefined ? null : { id, name: "Its name" }), now: Date.parse(exampleTime) },
  );
  const naming = definition.namedBy === undefined ? {} : { [definition.namedBy.field]: null };
  const shown = withAddresses(definition, { ...answer, ...naming }, { baseUrl: "https://calls.example" });
  // Without fields that are not set.
  return JSON.parse(JSON.stringify(shown));
}

/** Adds addresses of this installation, as the client of the request reaches it. */
export const withAddresses = (
  { addresses }: ResourceDefinition,
  answer: Fields,
  { baseUrl }: { readonly baseUrl: string },
): Fields => addresses?.(answer, baseUrl) ?? answer;

/** Masks the credentials in an answer for a caller who may not change the resource: who has them changes calls. */
function toShownTo(caller: Caller, definition: ResourceDefinition, answer: Fields): Fields {
  const { credentials = [] } = definition;
  const permissions = permissionsOf({ ...atAll(definition), method: "patch" });
  if (credentials.length === 0 || permissions.every((each) => may(caller, each))) return answer;
  return { ...answer, ...Object.fromEntries(credentials.map((name) => [name, "***"])) };
}

/** Answer of a delete. */
export const removedSchema = z
  .object({ success: z.literal(true), id: z.union([z.string(), z.int()]) })
  .meta({ id: "Removed", description: "The resource is gone." });

/** Answer of a list: a page of documents, with the fields that the definition lists. */
export function listAnswer(definition: ResourceDefinition): z.ZodObject {
  const answer = answerSchema(definition);
  if (definition.listed === undefined) return pageOf(answer);
  return pageOf(subsetOf(answer, definition.listed).meta({ id: `${pascalCase(definition.title.one)}InList` }));
}

const flag = z.enum(["true", "false"]).optional();
const forceQuery = z.object({ force: flag });

const subsetOf = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => names.includes(name))));
