import type { Queryable } from "../database/database.ts";
import { conflict, ValidationError } from "../serve/errors.ts";
import type { FindAllNames } from "./all-names.ts";
import { findReferrers } from "./document-references.ts";
import type { StoredDocument } from "./documents.ts";
import { type Document, nameOf, referencesOf } from "./fields.ts";
import type { ResourceDefinition } from "./resource.ts";

/** Referrers that an error names. */
const shownReferrers = 3;

interface IntegrityDeps {
  /** The kinds of resource by their type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly findAllNames: FindAllNames;
}

/** What holds between documents: references lead somewhere, what is named stays. */
export function createIntegrity({ definitions, findAllNames }: IntegrityDeps) {
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

  return { checkReferences, refuseWhileReferenced };
}
export type Integrity = ReturnType<typeof createIntegrity>;
