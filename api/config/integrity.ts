import type { OrgId } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import { conflict, ValidationError } from "../serve/errors.ts";
import { findReferrers } from "./document-references.ts";
import { findNames, type StoredDocument } from "./documents.ts";
import { type Document, keysOf, nameOf, referencesOf } from "./fields.ts";
import type { FindName, Reference, ResourceDefinition } from "./resource.ts";

/** Referrers that an error names. */
const shownReferrers = 3;

/** What holds between documents: references lead somewhere, unique values are unique, what is named stays. */
export function createIntegrity(definitions: ReadonlyMap<string, ResourceDefinition>) {
  /** Names of what is referenced, one query for each kind. */
  async function findAllNames(db: Queryable, orgId: OrgId, references: readonly Reference[]): Promise<FindName> {
    const names = new Map<string, Map<string, string>>();
    for (const type of new Set(references.map((each) => each.type))) {
      const ids = [...new Set(references.filter((each) => each.type === type).map(({ id }) => id))];
      const nameField = definitions.get(type)?.nameField ?? "name";
      names.set(type, await findNames(db, orgId, { type, ids, nameField }));
    }
    return (type, id) => {
      const name = id === undefined ? undefined : names.get(type)?.get(id);
      return id === undefined || name === undefined ? null : { id, name };
    };
  }

  /** References that were not there before must exist in the same organization (semantics 6.7). */
  async function checkReferences(
    db: Queryable,
    { definition, doc, previous }: { definition: ResourceDefinition; doc: Document; previous: Document | undefined },
  ): Promise<void> {
    const known = previous === undefined ? [] : referencesOf(definition, previous);
    const seen = new Set(known.map(({ type, id }) => `${type} ${id}`));
    const fresh = referencesOf(definition, doc).filter(({ type, id }) => !seen.has(`${type} ${id}`));
    const find = await findAllNames(db, doc.org_id, fresh);
    const missing = fresh.filter(({ type, id }) => find(type, id) === null);
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

  async function checkUnique(db: Queryable, definition: ResourceDefinition, doc: Document): Promise<void> {
    const { externalId, uniqueKey } = keysOf(definition, doc);
    if (externalId === null && uniqueKey === null) return;
    const [other] = await db.query(
      `SELECT org_id, external_id FROM documents WHERE type = $1 AND id <> $2
       AND ((org_id = $3 AND external_id = $4) OR unique_key = $5) LIMIT 1`,
      [definition.type, doc.id, doc.org_id, externalId, uniqueKey],
    );
    if (other === undefined) return;
    const { one } = definition.title;
    const sameExternalId = externalId !== null && other.external_id === externalId && other.org_id === doc.org_id;
    const field = sameExternalId ? "external_id" : definition.uniqueKey?.(doc)?.field;
    throw conflict(`There is a ${one} with this ${field} already: ${String(doc[field ?? ""])}.`);
  }

  async function refuseWhileReferenced(
    db: Queryable,
    definition: ResourceDefinition,
    { doc }: StoredDocument,
  ): Promise<void> {
    const to = { type: definition.type, id: doc.id };
    const referrers = await findReferrers(db, doc.org_id, to, shownReferrers + 1);
    if (referrers.length === 0) return;
    const names = referrers.slice(0, shownReferrers).map(({ type, doc: referrer }) => {
      const by = definitions.get(type);
      return `${by?.title.one ?? type} "${nameOf(by, referrer)}"`;
    });
    const more = referrers.length > shownReferrers ? " and others" : "";
    throw conflict(`This ${definition.title.one} is in use by ${names.join(", ")}${more}: take it out there first.`);
  }

  return { findAllNames, checkReferences, checkUnique, refuseWhileReferenced };
}
export type Integrity = ReturnType<typeof createIntegrity>;
