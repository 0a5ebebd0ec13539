import type { Queryable } from "../database/database.ts";
import { conflict, ValidationError } from "../serve/errors.ts";
import { type DocumentChange, keysOf, nameOf, referencesOf } from "./document.ts";
import { type FindReferencedNames, findReferrers } from "./document-references.ts";
import type { StoredDocument } from "./documents.ts";
import type { OrgConfig } from "./org-config.ts";
import { checkPlanFilters } from "./plan-filter-bounds.ts";
import type { ResourceDefinition } from "./resource.ts";
import { WriteConflictError } from "./unit-of-work.ts";

/** Referrers that an error names. */
const namedReferrers = 3;

export interface ConstraintDeps {
  /** Resource definitions by type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly findNames: FindReferencedNames;
  configOf(orgId: string): OrgConfig | undefined;
}

/** Constraints between documents: referential integrity, uniqueness and bounds over several of them. */
export function createConstraints({ definitions, findNames, configOf }: ConstraintDeps) {
  /** Throws a `ValidationError` for new references to documents that the organization does not have. */
  async function checkReferences(db: Queryable, { definition, doc, previous }: DocumentChange): Promise<void> {
    const known = previous === undefined ? [] : referencesOf(definition, previous);
    const seen = new Set(known.map(({ type, id }) => `${type} ${id}`));
    const added = referencesOf(definition, doc).filter(({ type, id }) => !seen.has(`${type} ${id}`));
    const find = await findNames(db, doc.org_id, added);
    const missing = added.filter(({ type, id }) => find(type, id) === null);
    if (missing.length === 0) return;
    throw new ValidationError(
      missing.map(({ type, id, loc }) => ({
        loc: ["body", ...loc],
        msg: `There is no ${definitions.get(type)?.title.one ?? type} ${id} in your organization.`,
        type: "reference_not_found",
        input: id,
      })),
    );
  }

  return {
    /** Throws when a document to be written breaks a constraint that the previous one did not break. */
    async check(db: Queryable, change: DocumentChange): Promise<void> {
      await checkReferences(db, change);
      checkPlanFilters(configOf(change.doc.org_id), change);
      await checkUnique(db, change);
    },

    /** Throws `conflict` while other documents reference this one. */
    async refuseWhileReferenced(db: Queryable, definition: ResourceDefinition, { doc }: StoredDocument): Promise<void> {
      const to = { type: definition.type, id: doc.id };
      const referrers = await findReferrers(db, doc.org_id, to, namedReferrers + 1);
      if (referrers.length === 0) return;
      const names = referrers.slice(0, namedReferrers).map(({ type, doc: referrer }) => {
        const by = definitions.get(type);
        return `${by?.title.one ?? type} "${nameOf(by, referrer)}"`;
      });
      const more = referrers.length > namedReferrers ? " and others" : "";
      throw conflict(`This ${definition.title.one} is in use by ${names.join(", ")}${more}: take it out there first.`);
    },
  };
}

/**
 * Throws `conflict` when another document has a unique key of this one. Only keys that the document did not have before
 * are checked, so that duplicates older than a rule can be changed in other respects. Throws `WriteConflictError` when
 * the document takes up a key that it already listed, free a moment ago and another organization's now.
 */
export async function checkUnique(db: Queryable, change: DocumentChange): Promise<void> {
  const { definition, doc, previous } = change;
  const { externalId, keys } = addedKeys(change);
  if (externalId === null && keys.length === 0) return;
  const others = await db.query(
    `SELECT org_id, external_id FROM documents WHERE type = $1 AND id <> $2
     AND ((org_id = $3 AND external_id = $4) OR unique_key IN ($5, $6))`,
    [definition.type, doc.id, doc.org_id, externalId, keys[0] ?? null, keys[1] ?? null],
  );
  if (others.length === 0) return;
  const { one } = definition.title;
  const own = others.filter(({ org_id }) => org_id === doc.org_id);
  const unique = definition.uniqueKey?.(doc);
  const isExternal = externalId !== null && own.some(({ external_id }) => external_id === externalId);
  if (!isExternal && own.length < others.length && unique?.refusal !== undefined) {
    const wasListed = previous !== undefined && definition.uniqueKey?.(previous)?.key === unique.key;
    throw wasListed ? new WriteConflictError() : unique.refusal();
  }
  const field = isExternal ? "external_id" : unique?.field;
  throw conflict(`There is a ${one} with this ${field} already: ${String(doc[field ?? ""])}.`);
}

/**
 * Returns the keys of the document that it did not have before. One that is unique everywhere is looked for as the
 * organization's own, too: so it stands in a row that lists it without holding it.
 */
function addedKeys({ definition, doc, previous }: DocumentChange) {
  const { externalId, uniqueKey } = keysOf(definition, doc);
  const before = previous && keysOf(definition, previous);
  const key = definition.uniqueKey?.(doc)?.key;
  const isNewKey = key !== undefined && (!previous || definition.uniqueKey?.(previous)?.key !== key);
  const all = [uniqueKey === before?.uniqueKey ? null : uniqueKey, isNewKey ? `${doc.org_id}:${key}` : null];
  return {
    externalId: externalId === before?.externalId ? null : externalId,
    keys: [...new Set(all.filter((each) => each !== null))],
  };
}
