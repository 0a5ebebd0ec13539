import { isDeepStrictEqual } from "node:util";
import { v4 as uuidv4 } from "uuid";
import type { AuditRecord } from "../../ingest/audit.ts";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { actorName } from "../serve/caller.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { type Actor, type AuditOutbox, recordChange } from "./audit.ts";
import { diffDocuments } from "./audit-changes.ts";
import { type ConfigChange, type Database, DatabaseError, type Queryable, type Transaction } from "./database.ts";
import {
  deleteDocument,
  findByUniqueKey,
  findDocument,
  findReferrers,
  insertDocument,
  type ListFilter,
  listDocuments,
  nextInSequence,
  type Page,
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
  unwritable,
} from "./fields.ts";
import { createIntegrity } from "./integrity.ts";
import { isPaused, type PauseRequest, toPauseState } from "./pause.ts";
import type { PrepareContext, ResourceDefinition } from "./resource.ts";
import { createViews } from "./views.ts";

/** Tries of a change that another one came before: as many as change one document at the same time, at the worst. */
const maxTries = 40;

export interface ResourceServiceDeps {
  readonly database: Database;
  readonly outbox: AuditOutbox;
  readonly clock: Clock;
  /** The kinds of resource by their type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  /** Resolves when decisions see every change that was announced before. */
  settled(): Promise<void>;
  onTrouble(error: unknown): void;
}

export interface Edit {
  readonly id: string;
  readonly action: AuditRecord["action"];
  /** The document as it shall stand, the same one to leave it untouched; thrown errors refuse the change. */
  apply(doc: Document, now: number): Document;
}

interface EditOfStored {
  readonly definition: ResourceDefinition;
  readonly actor: Actor;
  readonly stored: StoredDocument;
  readonly given: Omit<Edit, "id">;
  readonly now: number;
}

/** What is done with config resources, the same for every kind (semantics 6). */
export function createResourceService(deps: ResourceServiceDeps) {
  const { database, outbox, clock, definitions, settled, onTrouble } = deps;
  const integrity = createIntegrity(definitions);
  const { toView, toViews } = createViews({ integrity, clock });

  /** A change, its audit record and the telling of it in one transaction; then the record goes to the log. */
  async function change<T>(
    work: (db: Queryable) => Promise<{ result: T; changes: readonly ConfigChange[] }>,
  ): Promise<T> {
    const told = async (db: Transaction): Promise<T> => {
      const { result, changes } = await work(db);
      await db.announce(changes);
      return result;
    };
    for (let tries = 1; ; tries++) {
      try {
        const result = await database.transaction(told);
        await settled();
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
      const at = isoTime(now);
      const written = prepare(definition, toWritten(definition, input), { previous: undefined, at });
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

  async function list(
    definition: ResourceDefinition,
    orgId: OrgId,
    { filters = {}, ...page }: Page & { readonly filters?: Readonly<Record<string, string>> },
  ) {
    const { documents, total } = await listDocuments(database, orgId, {
      ...{ type: definition.type, page },
      filters: Object.entries(filters).map(([name, value]) => toFilter(definition, { name, value })),
    });
    const docs = documents.map(({ doc }) => doc);
    const views = await toViews(database, definition, docs);
    return { total, views: views.map((each) => subset(each, definition.listed)) };
  }

  function toFilter(definition: ResourceDefinition, { name, value }: { name: string; value: string }): ListFilter {
    if (name === "is_paused") return { by: "pause", now: isoTime(clock.now()), value };
    return { ...(definition.filtersByReference?.[name] ?? { by: "field", field: name }), value };
  }

  /** Changes a document by what `apply` makes of it, as one audited action. */
  function edit(definition: ResourceDefinition, actor: Actor, given: Edit): Promise<Fields> {
    return editAll(actor, [{ definition, ...given }]);
  }

  /**
   * Several edits, all of them or none, each with its audit record; an edit sees what those before it did. Returns the
   * last one's document as it is shown.
   */
  function editAll(
    actor: Actor,
    edits: readonly (Edit & { readonly definition: ResourceDefinition })[],
  ): Promise<Fields> {
    const now = clock.now();
    return change(async (db) => {
      const edited: { definition: ResourceDefinition; doc: Document }[] = [];
      for (const { definition, ...given } of edits) {
        const stored = await mustFind(db, actor.caller.orgId, { definition, id: given.id });
        edited.push({ definition, doc: await applyEdit(db, { definition, actor, stored, given, now }) });
      }
      const last = edited.at(-1);
      const result = last === undefined ? {} : await toView(db, last.definition, last.doc);
      return { result, changes: edited.map(({ definition, doc }) => changeOf(definition, doc)) };
    });
  }

  async function applyEdit(db: Queryable, { definition, actor, stored, given, now }: EditOfStored): Promise<Document> {
    const applied = given.apply(stored.doc, now);
    if (applied === stored.doc) return stored.doc;
    const doc: Document = { ...applied, updated_at: isoTime(now) };
    await save(db, definition, { stored, doc });
    const changes = diffDocuments(definition, stored.doc, doc);
    const { action } = given;
    if (changes.length > 0) await recordChange(db, actor, { action, entity: entityOf(definition, doc), changes, now });
    return doc;
  }

  const patch = (definition: ResourceDefinition, actor: Actor, { id, input }: { id: string; input: Fields }) =>
    edit(definition, actor, {
      id,
      action: "update",
      apply: (doc, now) => ({
        ...unwritable(definition, doc),
        ...prepare(definition, merge(definition, doc, input), {
          previous: doc,
          at: isoTime(now),
          sent: Object.keys(input),
        }),
      }),
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

  /** `force` takes the document out of those that name it, where its kind says how. */
  function remove(
    definition: ResourceDefinition,
    actor: Actor,
    { id, force = false }: { id: string; force?: boolean },
  ): Promise<Fields> {
    const now = clock.now();
    return change(async (db) => {
      const stored = await mustFind(db, actor.caller.orgId, { definition, id });
      const detached = force ? await detach(db, { definition, actor, stored, now }) : [];
      await integrity.refuseWhileReferenced(db, definition, stored);
      await definition.beforeRemove?.(db, stored.doc);
      if (!(await deleteDocument(db, stored))) throw new OvertakenError();
      const changes = diffDocuments(definition, stored.doc, {});
      await recordChange(db, actor, { action: "delete", entity: entityOf(definition, stored.doc), changes, now });
      const removed = definition.numericId ? Number(stored.doc.id) : stored.doc.id;
      return { result: { success: true, id: removed }, changes: [...detached, changeOf(definition, stored.doc)] };
    });
  }

  async function detach(
    db: Queryable,
    { definition, actor, stored: named, now }: Omit<EditOfStored, "given">,
  ): Promise<ConfigChange[]> {
    const by = definitions.get(definition.detach?.type ?? "");
    if (by === undefined || definition.detach === undefined) return [];
    const { without } = definition.detach;
    const changes: ConfigChange[] = [];
    for (const stored of await findReferrers(db, named.doc.org_id, { type: named.type, id: named.doc.id })) {
      if (stored.type !== by.type) continue;
      const apply = (doc: Document) => ({ ...doc, ...without(doc, named.doc.id) });
      await applyEdit(db, { definition: by, actor, stored, given: { action: "update", apply }, now });
      changes.push(changeOf(by, stored.doc));
    }
    return changes;
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
    const references = referencesOf(definition, doc);
    if (!isDeepStrictEqual(references, referencesOf(definition, stored.doc))) {
      await replaceReferences(db, definition.type, doc, references);
    }
  }

  async function mustFind(
    db: Queryable,
    orgId: OrgId,
    { definition, id }: { definition: ResourceDefinition; id: string },
  ) {
    const byKey = definition.numericId === true && !/^\d+$/.test(id);
    const stored = await (byKey ? findByUniqueKey : findDocument)(db, orgId, definition.type, id);
    if (stored === null) throw notFound(`The ${definition.title.one} ${id}`);
    return stored;
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

const prepare = (
  definition: ResourceDefinition,
  written: Fields,
  about: Pick<PrepareContext<Document>, "previous" | "at" | "sent">,
): Fields => definition.prepare?.(written, { ...about, newId: uuidv4 }) ?? written;
