import { v4 as uuidv4 } from "uuid";
import type { AuditRecord } from "../../ingest/audit.ts";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { actorName } from "../serve/caller.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { type Actor, type AuditOutbox, diffDocuments, recordChange } from "./audit.ts";
import { type ConfigChange, type Database, DatabaseError, type Queryable } from "./database.ts";
import {
  deleteDocument,
  findDocument,
  insertDocument,
  type ListOptions,
  listDocuments,
  nextInSequence,
  replaceDocument,
  replaceReferences,
  type StoredDocument,
} from "./documents.ts";
import {
  changeOf,
  type Document,
  entityOf,
  type Fields,
  keysOf,
  merge,
  referencesOf,
  subset,
  toWritten,
} from "./fields.ts";
import { createIntegrity } from "./integrity.ts";
import { type PauseRequest, pauseView, toPauseState } from "./pause.ts";
import type { FindName, ResourceDefinition } from "./resource.ts";

/** Tries of a change that another one came before. */
const maxTries = 5;

export interface ResourceServiceDeps {
  readonly database: Database;
  readonly outbox: AuditOutbox;
  readonly clock: Clock;
  /** The kinds of resource by their type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  onTrouble(error: unknown): void;
}

export interface Edit {
  readonly id: string;
  readonly action: AuditRecord["action"];
  /** The document as it shall stand; thrown errors refuse the change. */
  apply(doc: Document, now: number): Document;
}

/** What is done with config resources, the same for every kind (semantics 6). */
export function createResourceService({ database, outbox, clock, definitions, onTrouble }: ResourceServiceDeps) {
  const integrity = createIntegrity(definitions);

  /** A change and its audit record in one transaction; then all are told, and the record goes to the log. */
  async function change<T>(
    work: (db: Queryable) => Promise<{ result: T; changes: readonly ConfigChange[] }>,
  ): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const { result, changes } = await database.transaction(work);
        await database.announce(changes);
        // The record is safe in the database: the answer need not wait for the log, nor fail with it.
        outbox.drain().catch(onTrouble);
        return result;
      } catch (error) {
        if (!isRace(error)) throw error;
        if (tries === maxTries) throw conflict("Others are changing the same at this moment; try again.");
      }
    }
  }

  function create(definition: ResourceDefinition, actor: Actor, input: Fields): Promise<Fields> {
    const now = clock.now();
    return change(async (db) => {
      const id = definition.numericId ? String(await nextInSequence(db, definition.type)) : uuidv4();
      const written = prepare(definition, toWritten(definition, input), undefined);
      const at = isoTime(now);
      const doc: Document = { ...written, id, org_id: actor.caller.orgId, created_at: at, updated_at: at };
      await integrity.checkReferences(db, { definition, doc, previous: undefined });
      await integrity.checkUnique(db, definition, doc);
      await insertDocument(db, definition.type, doc, keysOf(definition, doc));
      await replaceReferences(db, definition.type, doc, referencesOf(definition, doc));
      const changes = diffDocuments(definition, {}, doc);
      await recordChange(db, actor, { action: "create", entity: entityOf(definition, doc), changes, now });
      return { result: await toView(db, definition, doc), changes: [changeOf(definition, doc)] };
    });
  }

  async function get(definition: ResourceDefinition, orgId: OrgId, id: string): Promise<Fields> {
    return toView(database, definition, (await mustFind(database, orgId, { definition, id })).doc);
  }

  async function list(definition: ResourceDefinition, orgId: OrgId, options: ListOptions) {
    const { documents, total } = await listDocuments(database, orgId, definition.type, options);
    const docs = documents.map(({ doc }) => doc);
    const references = docs.flatMap((doc) => referencesOf(definition, doc));
    const find = await integrity.findAllNames(database, orgId, references);
    return { total, views: docs.map((doc) => subset(view(definition, doc, find), definition.listed)) };
  }

  /** Changes a document by what `apply` makes of it, as one audited action. */
  async function edit(definition: ResourceDefinition, actor: Actor, given: Edit): Promise<Fields> {
    const [view] = await editAll(actor, [{ definition, ...given }]);
    return view ?? {};
  }

  /** Several edits, all of them or none, each with its audit record; an edit sees what those before it did. */
  function editAll(
    actor: Actor,
    edits: readonly (Edit & { readonly definition: ResourceDefinition })[],
  ): Promise<Fields[]> {
    const now = clock.now();
    return change(async (db) => {
      const edited: { definition: ResourceDefinition; doc: Document }[] = [];
      for (const { definition, id, action, apply } of edits) {
        const stored = await mustFind(db, actor.caller.orgId, { definition, id });
        const doc: Document = { ...apply(stored.doc, now), updated_at: isoTime(now) };
        await save(db, definition, { stored, doc });
        const changes = diffDocuments(definition, stored.doc, doc);
        const entity = entityOf(definition, doc);
        if (changes.length > 0) await recordChange(db, actor, { action, entity, changes, now });
        edited.push({ definition, doc });
      }
      const result = [];
      for (const { definition, doc } of edited) result.push(await toView(db, definition, doc));
      return { result, changes: edited.map(({ definition, doc }) => changeOf(definition, doc)) };
    });
  }

  const patch = (definition: ResourceDefinition, actor: Actor, { id, input }: { id: string; input: Fields }) =>
    edit(definition, actor, {
      id,
      action: "update",
      apply: (doc) => ({ ...doc, ...prepare(definition, merge(definition, doc, input), doc) }),
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
    edit(definition, actor, { id, action: "resume", apply: (doc) => ({ ...doc, pause: null }) });

  function remove(definition: ResourceDefinition, actor: Actor, id: string): Promise<Fields> {
    const now = clock.now();
    return change(async (db) => {
      const stored = await mustFind(db, actor.caller.orgId, { definition, id });
      await integrity.refuseWhileReferenced(db, definition, stored);
      await definition.beforeRemove?.(db, stored.doc);
      await deleteDocument(db, stored);
      const changes = diffDocuments(definition, stored.doc, {});
      await recordChange(db, actor, { action: "delete", entity: entityOf(definition, stored.doc), changes, now });
      const removed = definition.numericId ? Number(id) : id;
      return { result: { success: true, id: removed }, changes: [changeOf(definition, stored.doc)] };
    });
  }

  async function save(
    db: Queryable,
    definition: ResourceDefinition,
    { stored, doc }: { stored: StoredDocument; doc: Document },
  ): Promise<void> {
    await integrity.checkReferences(db, { definition, doc, previous: stored.doc });
    const [before, keys] = [keysOf(definition, stored.doc), keysOf(definition, doc)];
    const changed = keys.externalId !== before.externalId || keys.uniqueKey !== before.uniqueKey;
    if (changed) await integrity.checkUnique(db, definition, doc);
    if (!(await replaceDocument(db, stored, doc, { ...keys, changed }))) throw new OvertakenError();
    await replaceReferences(db, definition.type, doc, referencesOf(definition, doc));
  }

  async function mustFind(
    db: Queryable,
    orgId: OrgId,
    { definition, id }: { definition: ResourceDefinition; id: string },
  ) {
    const stored = await findDocument(db, orgId, definition.type, id);
    if (stored === null) throw notFound(`The ${definition.title.one} ${id}`);
    return stored;
  }

  function view(definition: ResourceDefinition, doc: Document, find: FindName): Fields {
    const now = clock.now();
    const { pause: state, id, org_id, created_at, updated_at, ...fields } = doc;
    return {
      id: definition.numericId ? Number(id) : id,
      org_id,
      created_at,
      updated_at,
      ...fields,
      ...(definition.pausable ? pauseView(state, now) : {}),
      ...definition.view?.(doc, { find, now }),
    };
  }

  async function toView(db: Queryable, definition: ResourceDefinition, doc: Document): Promise<Fields> {
    const find = await integrity.findAllNames(db, doc.org_id, referencesOf(definition, doc));
    return view(definition, doc, find);
  }

  return { create, get, list, edit, editAll, patch, pause, resume, remove };
}
export type ResourceService = ReturnType<typeof createResourceService>;

/** Another change of the same document came first. */
class OvertakenError extends Error {
  override readonly name = "OvertakenError";
}

/** Lost to a change at the same time: tried again, it finds that change and says what is wrong, if anything is. */
const isRace = (error: unknown): boolean =>
  error instanceof OvertakenError || (error instanceof DatabaseError && error.code === "unique_violation");

const prepare = (definition: ResourceDefinition, written: Fields, previous: Document | undefined): Fields =>
  definition.prepare?.(written, { previous, newId: uuidv4 }) ?? written;
