import { v4 as uuidv4 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import { type Actor, recordChange } from "./audit.ts";
import { diffDocuments } from "./audit-changes.ts";
import { type ChangesDeps, createChanges, OvertakenError } from "./changes.ts";
import { type ListFilter, listDocuments } from "./document-list.ts";
import { deleteDocument, insertDocument, nextInSequence } from "./documents.ts";
import { insertReferences } from "./documents-bulk.ts";
import { createEditing } from "./editing.ts";
import { createEdits, mustFind } from "./edits.ts";
import {
  changeOf,
  type Document,
  entityOf,
  type Fields,
  keysOf,
  prepare,
  referencesOf,
  subset,
  toWritten,
} from "./fields.ts";
import { createIntegrity } from "./integrity.ts";
import type { ResourceDefinition } from "./resource.ts";
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
  const editing = createEditing({ change, applyEdit, toView, clock });

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

  return { create, get, list, ...editing, remove };
}
export type ResourceService = ReturnType<typeof createResourceService>;
