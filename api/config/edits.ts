import { isDeepStrictEqual } from "node:util";
import type { AuditRecord } from "../../ingest/audit.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { ConfigChange, Queryable } from "../database/database.ts";
import { notFound } from "../serve/errors.ts";
import { type Actor, recordChange } from "./audit.ts";
import { diffDocuments } from "./audit-changes.ts";
import { OvertakenError } from "./changes.ts";
import { findReferrers, replaceReferences } from "./document-references.ts";
import { findByUniqueKey, findDocument, replaceDocument, type StoredDocument } from "./documents.ts";
import { type ExclusiveReferences, exclusiveOf } from "./exclusive-references.ts";
import { changeOf, type Document, entityOf, keysOf, referencesOf } from "./fields.ts";
import type { Integrity } from "./integrity.ts";
import type { OrgConfig } from "./org-config.ts";
import { checkPlanFilters } from "./plan-filters.ts";
import type { ResourceDefinition } from "./resource.ts";
import { checkUnique } from "./unique.ts";

export interface Edit {
  readonly id: string;
  readonly action: AuditRecord["action"];
  /** The document as it shall stand, the same one to leave it untouched; thrown errors refuse the change. */
  apply(doc: Document, now: number): Document;
}

export interface EditOfStored {
  readonly definition: ResourceDefinition;
  readonly actor: Actor;
  readonly stored: StoredDocument;
  readonly given: Omit<Edit, "id">;
  readonly now: number;
}

/** What finds a document, or throws not_found; a whole number is an id where the kind has such, all else a key. */
export async function mustFind(
  db: Queryable,
  orgId: OrgId,
  { definition, id }: { definition: ResourceDefinition; id: string },
) {
  const byKey = definition.numericId === true && !/^\d+$/.test(id);
  const stored = await (byKey ? findByUniqueKey : findDocument)(db, orgId, definition.type, id);
  if (stored === null) throw notFound(`The ${definition.title.one} ${id}`);
  return stored;
}

export interface EditsDeps {
  readonly integrity: Integrity;
  readonly exclusiveReferences: ExclusiveReferences;
  /** The kinds of resource by their type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  configOf(orgId: string): OrgConfig | undefined;
}

/** Writes changed documents, with what they are found by and what they name, and their audit records. */
export function createEdits({ integrity, exclusiveReferences, definitions, configOf }: EditsDeps) {
  async function applyEdit(db: Queryable, { definition, actor, stored, given, now }: EditOfStored): Promise<Document> {
    const asked = given.apply(stored.doc, now);
    if (asked === stored.doc) return stored.doc;
    const applied = (await definition.settle?.(db, asked, stored.doc)) ?? asked;
    const doc: Document = { ...applied, updated_at: isoTime(now) };
    await save(db, definition, { stored, doc });
    const changes = diffDocuments(definition, stored.doc, doc);
    const { action } = given;
    if (changes.length > 0) await recordChange(db, actor, { action, entity: entityOf(definition, doc), changes, now });
    return doc;
  }

  /** Takes a document out of those that name it, where its kind says how. */
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
    checkPlanFilters(configOf(doc.org_id), { definition, doc, previous: stored.doc });
    const [before, keys] = [keysOf(definition, stored.doc), keysOf(definition, doc)];
    const changed = keys.externalId !== before.externalId || keys.uniqueKey !== before.uniqueKey;
    if (changed) await checkUnique(db, definition, { doc, previous: stored.doc });
    if (!(await replaceDocument(db, stored, doc, changed ? keys : null))) throw new OvertakenError();
    const references = referencesOf(definition, doc);
    if (!isDeepStrictEqual(references, referencesOf(definition, stored.doc))) {
      await replaceReferences(db, definition.type, doc, references);
    }
    const [had, has] = [exclusiveOf(definition, stored.doc), exclusiveOf(definition, doc)];
    await exclusiveReferences.change(db, definition, { doc, before: had, after: has });
  }

  return { applyEdit, detach };
}
