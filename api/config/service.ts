import { v4 as uuidv4 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import { actorName } from "../serve/caller.ts";
import { type Actor, recordChange } from "./audit.ts";
import { diffDocuments } from "./audit-changes.ts";
import { type ChangesDeps, createChanges, OvertakenError } from "./changes.ts";
import { type ListFilter, listDocuments } from "./document-list.ts";
import { deleteDocument, insertDocument, nextInSequence } from "./documents.ts";
import { insertReferences } from "./documents-bulk.ts";
import { createEdits, type Edit, mustFind } from "./edits.ts";
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

export interface ResourceServiceDeps extends ChangesDeps {
  readonly clock: Clock;
  /** The kinds of resource by their type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
}

/** What is done with config resources, the same for every kind (semantics 6). */
export function createResourceService(deps: ResourceServiceDeps) {
  const { database, clock, definitions } = deps;
  const integrity = createIntegrity(definitions);
  const change = createChanges(deps);
  const { applyEdit, detach } = createEdits({ integrity, definitions });
  const { toView, toViews } = createViews({ integrity, clock });

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
      await insertReferences(db, [{ type: definition.type, doc, references: referencesOf(definition, doc) }]);
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

  return { create, get, list, edit, editAll, patch, pause, resume, remove };
}
export type ResourceService = ReturnType<typeof createResourceService>;

const prepare = (
  definition: ResourceDefinition,
  written: Fields,
  about: Pick<PrepareContext<Document>, "previous" | "at" | "sent">,
): Fields => definition.prepare?.(written, { ...about, newId: uuidv4 }) ?? written;
