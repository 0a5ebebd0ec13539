import { v4 as uuidv4 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { Queryable } from "../database/database.ts";
import { type Actor, recordChange } from "./audit.ts";
import { diffDocuments } from "./audit-changes.ts";
import { type createChanges, OvertakenError } from "./changes.ts";
import { deleteDocument, insertDocument, nextInSequence } from "./documents.ts";
import { insertReferences } from "./documents-bulk.ts";
import { type createEdits, mustFind } from "./edits.ts";
import { type ExclusiveReferences, exclusiveOf } from "./exclusive-references.ts";
import { changeOf, type Document, entityOf, type Fields, keysOf, prepare, referencesOf, toWritten } from "./fields.ts";
import type { Integrity } from "./integrity.ts";
import type { OrgConfig } from "./org-config.ts";
import { checkPlanFilters } from "./plan-filters.ts";
import type { ResourceDefinition } from "./resource.ts";
import { checkUnique } from "./unique.ts";
import type { createViews } from "./views.ts";

interface AddingDeps {
  readonly change: ReturnType<typeof createChanges>;
  readonly detach: ReturnType<typeof createEdits>["detach"];
  readonly toView: ReturnType<typeof createViews>["toView"];
  readonly integrity: Integrity;
  readonly exclusiveReferences: ExclusiveReferences;
  readonly clock: Clock;
  configOf(orgId: string): OrgConfig | undefined;
}

/** Documents that come and go, each an audited action. */
export function createAdding({ change, detach, toView, integrity, exclusiveReferences, clock, configOf }: AddingDeps) {
  function create(definition: ResourceDefinition, actor: Actor, input: Fields): Promise<Fields> {
    const now = clock.now();
    return change(async (db) => {
      const id = await newId(db, definition);
      const at = isoTime(now);
      const written = prepare(definition, toWritten(definition, input), { previous: undefined, at });
      const doc: Document = { ...written, id, org_id: actor.caller.orgId, created_at: at, updated_at: at };
      await integrity.checkReferences(db, { definition, doc, previous: undefined });
      checkPlanFilters(configOf(doc.org_id), { definition, doc, previous: undefined });
      await checkUnique(db, definition, { doc, previous: undefined });
      await insertDocument(db, definition.type, doc, keysOf(definition, doc));
      await insertReferences(db, [{ type: definition.type, doc, references: referencesOf(definition, doc) }]);
      await exclusiveReferences.change(db, definition, { doc, before: [], after: exclusiveOf(definition, doc) });
      const changes = diffDocuments(definition, {}, doc);
      await recordChange(db, actor, { action: "create", entity: entityOf(definition, doc), changes, now });
      return { result: await toView(db, definition, doc), changes: [changeOf(definition, doc)] };
    });
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
      const { doc } = stored;
      await exclusiveReferences.change(db, definition, { doc, before: exclusiveOf(definition, doc), after: [] });
      const changes = diffDocuments(definition, stored.doc, {});
      await recordChange(db, actor, { action: "delete", entity: entityOf(definition, stored.doc), changes, now });
      const removed = definition.numericId ? Number(stored.doc.id) : stored.doc.id;
      return { result: { success: true, id: removed }, changes: [...detached, changeOf(definition, stored.doc)] };
    });
  }

  return { create, remove };
}

async function newId(db: Queryable, { type, numericId }: ResourceDefinition): Promise<string> {
  return numericId ? String(await nextInSequence(db, type)) : uuidv4();
}
