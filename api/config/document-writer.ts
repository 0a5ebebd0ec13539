import { isDeepStrictEqual } from "node:util";
import type { AuditRecord } from "../../ingest/audit.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { ConfigChange, Queryable } from "../database/database.ts";
import { diffDocuments } from "./audit-diff.ts";
import { type Actor, recordChange } from "./audit-outbox.ts";
import { type ConstraintDeps, createConstraints } from "./constraints.ts";
import { changeOf, type Document, entityOf, type Fields, keysOf, referencesOf } from "./document.ts";
import { findReferrers, insertReferences, replaceReferences } from "./document-references.ts";
import { deleteDocument, insertDocument, type StoredDocument, updateDocument } from "./documents.ts";
import { createExclusiveReferences, exclusiveOf } from "./exclusive-references.ts";
import type { ResourceDefinition } from "./resource.ts";
import { WriteConflictError } from "./unit-of-work.ts";

/** Resource type, actor and time of a write. */
export interface Write {
  readonly definition: ResourceDefinition;
  readonly actor: Actor;
  readonly now: number;
}

export interface Edit {
  readonly action: AuditRecord["action"];
  /** Returns the edited document, the same one to leave it unchanged; thrown errors refuse the edit. */
  apply(doc: Document, now: number): Document;
}

/**
 * Writes documents within a transaction, each with its references, exclusive references and audit record, after checking
 * the constraints between documents.
 */
export function createDocumentWriter(deps: ConstraintDeps) {
  const { definitions } = deps;
  const constraints = createConstraints(deps);
  const exclusiveReferences = createExclusiveReferences(definitions);

  async function insert(db: Queryable, { definition, actor, now }: Write, doc: Document): Promise<void> {
    await constraints.check(db, { definition, doc, previous: undefined });
    await insertDocument(db, definition.type, doc, keysOf(definition, doc));
    await insertReferences(db, [{ type: definition.type, doc, references: referencesOf(definition, doc) }]);
    await exclusiveReferences.change(db, definition, { doc, before: [], after: exclusiveOf(definition, doc) });
    const changes = diffDocuments(definition, {}, doc);
    await recordChange(db, actor, { action: "create", entity: entityOf(definition, doc), changes, now });
  }

  /** Applies an edit and returns the document as it is stored then. */
  async function update(
    db: Queryable,
    { definition, actor, now }: Write,
    stored: StoredDocument,
    { action, apply }: Edit,
  ): Promise<Document> {
    const edited = apply(stored.doc, now);
    if (edited === stored.doc) return stored.doc;
    const settled = (await definition.settle?.(db, edited, stored.doc)) ?? edited;
    const doc: Document = { ...settled, updated_at: isoTime(now) };
    await constraints.check(db, { definition, doc, previous: stored.doc });
    await store(db, definition, stored, doc);
    const changes = diffDocuments(definition, stored.doc, doc);
    if (changes.length > 0) await recordChange(db, actor, { action, entity: entityOf(definition, doc), changes, now });
    return doc;
  }

  async function store(
    db: Queryable,
    definition: ResourceDefinition,
    stored: StoredDocument,
    doc: Document,
  ): Promise<void> {
    const [keysBefore, keys] = [keysOf(definition, stored.doc), keysOf(definition, doc)];
    const hasNewKeys = !isDeepStrictEqual(keys, keysBefore);
    if (!(await updateDocument(db, stored, doc, hasNewKeys ? keys : null))) throw new WriteConflictError();
    const references = referencesOf(definition, doc);
    if (!isDeepStrictEqual(references, referencesOf(definition, stored.doc))) {
      await replaceReferences(db, definition.type, doc, references);
    }
    const [before, after] = [exclusiveOf(definition, stored.doc), exclusiveOf(definition, doc)];
    await exclusiveReferences.change(db, definition, { doc, before, after });
  }

  /** Deletes a document that nothing references; `force` first removes it from referrers, where its definition says how. */
  async function remove(
    db: Queryable,
    write: Write,
    stored: StoredDocument,
    { force }: { readonly force: boolean },
  ): Promise<ConfigChange[]> {
    const { definition, actor, now } = write;
    const { doc } = stored;
    const detached = force ? await detach(db, write, stored) : [];
    await constraints.refuseWhileReferenced(db, definition, stored);
    await definition.beforeRemove?.(db, doc);
    if (!(await deleteDocument(db, stored))) throw new WriteConflictError();
    await exclusiveReferences.change(db, definition, { doc, before: exclusiveOf(definition, doc), after: [] });
    const changes = diffDocuments(definition, doc, {});
    await recordChange(db, actor, { action: "delete", entity: entityOf(definition, doc), changes, now });
    return [...detached, changeOf(definition, doc)];
  }

  async function detach(db: Queryable, write: Write, { type, doc }: StoredDocument): Promise<ConfigChange[]> {
    const { detach: detaching } = write.definition;
    const definition = definitions.get(detaching?.type ?? "");
    if (definition === undefined || detaching === undefined) return [];
    const changes: ConfigChange[] = [];
    for (const referrer of await findReferrers(db, doc.org_id, { type, id: doc.id })) {
      if (referrer.type !== definition.type) continue;
      const apply = (from: Document): Document => ({ ...from, ...(detaching.without(from, doc.id) as Fields) });
      await update(db, { ...write, definition }, referrer, { action: "update", apply });
      changes.push(changeOf(definition, referrer.doc));
    }
    return changes;
  }

  return { insert, update, remove };
}
