import { v4 as uuidv4 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { readable, UnreadableError } from "../../ingest/unreadable.ts";
import type { Page } from "../../sql/page.ts";
import type { Queryable } from "../database/database.ts";
import { actorName } from "../serve/caller.ts";
import { notFound } from "../serve/errors.ts";
import type { Actor } from "./audit-outbox.ts";
import { changeOf, type Document, type Fields } from "./document.ts";
import { type ListFilter, listDocuments } from "./document-list.ts";
import { createNameFinder } from "./document-references.ts";
import { createDocumentWriter, type Edit } from "./document-writer.ts";
import { findByUniqueKey, findDocument, nextInSequence, type StoredDocument } from "./documents.ts";
import type { OrgConfig } from "./org-config.ts";
import { isPaused, type PauseRequest, toPauseState } from "./pause.ts";
import { storedDocumentFault } from "./registry.ts";
import { clearedValue, type PrepareContext, type ResourceDefinition } from "./resource.ts";
import { createSerializer } from "./serializer.ts";
import { createUnitOfWork, type UnitOfWorkDeps } from "./unit-of-work.ts";

export interface ResourceServiceDeps extends UnitOfWorkDeps {
  readonly clock: Clock;
  /** Resource definitions by type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  /** Returns the organization's config in the in-memory snapshot. */
  configOf(orgId: string): OrgConfig | undefined;
}

export type EditById = Edit & { readonly id: string };

/** Reads and changes config resources, in the same way for every type. Each change is audited. */
export function createResourceService(deps: ResourceServiceDeps) {
  const { database, clock, definitions, configOf } = deps;
  const findNames = createNameFinder(definitions);
  const unitOfWork = createUnitOfWork(deps);
  const writer = createDocumentWriter({ definitions, findNames, configOf });
  const { serialize, serializeAll } = createSerializer({ findNames, clock });

  async function get(definition: ResourceDefinition, orgId: OrgId, id: string): Promise<Fields> {
    const stored = await mustFind(database, orgId, definition, id);
    return serialize(database, definition, requireReadable(stored));
  }

  async function list(
    definition: ResourceDefinition,
    orgId: OrgId,
    { filters = {}, ...page }: Page & { readonly filters?: Readonly<Record<string, string>> },
  ) {
    const now = clock.now();
    const { documents, total } = await listDocuments(database, orgId, {
      type: definition.type,
      page,
      filters: Object.entries(filters).map(([name, value]) => toFilter(definition, { name, value, now })),
    });
    const docs = readable(documents, requireReadable, deps.onTrouble);
    const answers = await serializeAll(database, definition, docs);
    return { total, items: answers.map((each) => listedFields(definition, each)) };
  }

  function create(definition: ResourceDefinition, actor: Actor, input: Fields): Promise<Fields> {
    const now = clock.now();
    return unitOfWork(async (db) => {
      const id = await newId(db, definition);
      const at = isoTime(now);
      const fields = prepare(definition, createdFields(definition, input), { previous: undefined, at });
      const doc: Document = { ...fields, id, org_id: actor.caller.orgId, created_at: at, updated_at: at };
      await writer.insert(db, { definition, actor, now }, doc);
      return { result: await serialize(db, definition, doc), changes: [changeOf(definition, doc)] };
    });
  }

  /** Edits one document. */
  function edit(definition: ResourceDefinition, actor: Actor, given: EditById): Promise<Fields> {
    return editAll(actor, [{ definition, ...given }]);
  }

  /** Makes several edits or none of them; an edit sees those before it. Returns the last one's document, serialized. */
  function editAll(
    actor: Actor,
    edits: readonly (EditById & { readonly definition: ResourceDefinition })[],
  ): Promise<Fields> {
    const now = clock.now();
    return unitOfWork(async (db) => {
      const edited: { definition: ResourceDefinition; doc: Document }[] = [];
      for (const { definition, id, ...given } of edits) {
        const stored = await mustFind(db, actor.caller.orgId, definition, id);
        edited.push({ definition, doc: await writer.update(db, { definition, actor, now }, stored, given) });
      }
      const last = edited.at(-1);
      const result = last === undefined ? {} : await serialize(db, last.definition, last.doc);
      return { result, changes: edited.map(({ definition, doc }) => changeOf(definition, doc)) };
    });
  }

  const patch = (definition: ResourceDefinition, actor: Actor, { id, input }: { id: string; input: Fields }) =>
    edit(definition, actor, {
      id,
      action: "update",
      apply(doc, now) {
        const context = { previous: doc, at: isoTime(now), sent: Object.keys(input) };
        const written = prepare(definition, patchedFields(definition, doc, input), context);
        return { ...readOnlyFields(definition, doc), ...written };
      },
    });

  const pause = (
    definition: ResourceDefinition,
    actor: Actor,
    { id, request }: { id: string; request: PauseRequest },
  ) =>
    edit(definition, actor, {
      id,
      action: "pause",
      apply: (doc, now) => ({ ...doc, pause: toPauseState(request, actorName(actor.caller), now) }),
    });

  const resume = (definition: ResourceDefinition, actor: Actor, id: string): Promise<Fields> =>
    edit(definition, actor, {
      id,
      action: "resume",
      apply: (doc, now) => (isPaused(doc.pause, now) ? { ...doc, pause: null, resumed_at: isoTime(now) } : doc),
    });

  /** Deletes a document; `force` removes it from its referrers, where its definition says how. */
  function remove(
    definition: ResourceDefinition,
    actor: Actor,
    { id, force = false }: { id: string; force?: boolean },
  ): Promise<Fields> {
    const now = clock.now();
    return unitOfWork(async (db) => {
      const stored = await mustFind(db, actor.caller.orgId, definition, id);
      const changes = await writer.remove(db, { definition, actor, now }, stored, { force });
      const removed = definition.numericId ? Number(stored.doc.id) : stored.doc.id;
      return { result: { success: true, id: removed }, changes };
    });
  }

  return { get, list, create, edit, editAll, patch, pause, resume, remove };
}
export type ResourceService = ReturnType<typeof createResourceService>;

/** Finds a document or throws `not_found`. Where ids are whole numbers, anything else is looked up as the unique key. */
async function mustFind(db: Queryable, orgId: OrgId, definition: ResourceDefinition, id: string) {
  const byKey = definition.numericId === true && !/^\d+$/.test(id);
  const stored = await (byKey ? findByUniqueKey : findDocument)(db, orgId, definition.type, id);
  if (stored === null) throw notFound(`The ${definition.title.one} ${id}`);
  return stored;
}

/** Throws `UnreadableError` for a stored document that does not have the types of its schema. */
function requireReadable({ type, doc }: StoredDocument): Document {
  const fault = storedDocumentFault(type, doc);
  if (fault !== null) throw new UnreadableError({ table: "documents", id: `${type} ${doc.id}` }, fault);
  return doc;
}

interface QueryFilter {
  readonly name: string;
  readonly value: string;
  readonly now: number;
}

function toFilter(definition: ResourceDefinition, { name, value, now }: QueryFilter): ListFilter {
  if (name === "is_paused") return { by: "pause", now: isoTime(now), value };
  return { ...(definition.filtersByReference?.[name] ?? { by: "field", field: name }), value };
}

function listedFields({ listed }: ResourceDefinition, fields: Fields): Fields {
  if (listed === undefined) return fields;
  return Object.fromEntries(listed.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

async function newId(db: Queryable, { type, numericId }: ResourceDefinition): Promise<string> {
  return numericId ? String(await nextInSequence(db, type)) : uuidv4();
}

/** Returns the writable fields of a create request; null sets a field to its default. */
function createdFields(definition: ResourceDefinition, input: Fields): Fields {
  const fields = Object.keys(definition.writable.shape).map((name) => [
    name,
    input[name] ?? clearedValue(definition, name),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Returns the writable fields after a patch: those sent replace the old ones, null clears. */
function patchedFields(definition: ResourceDefinition, doc: Document, input: Fields): Fields {
  const fields = Object.keys(definition.writable.shape).map((name) => {
    if (!(name in input) || input[name] === undefined) return [name, doc[name]];
    return [name, input[name] ?? clearedValue(definition, name)];
  });
  return Object.fromEntries(fields);
}

/** Returns the fields that no request writes: ids, times and pause state. */
const readOnlyFields = (definition: ResourceDefinition, doc: Document): Document =>
  Object.fromEntries(Object.entries(doc).filter(([name]) => !(name in definition.writable.shape))) as Document;

/** Applies the definition's own rule to the writable fields. */
const prepare = (
  definition: ResourceDefinition,
  fields: Fields,
  context: Pick<PrepareContext<Document>, "previous" | "at" | "sent">,
): Fields => definition.prepare?.(fields, { ...context, newId: uuidv4 }) ?? fields;
