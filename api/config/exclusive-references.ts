import type { Queryable } from "../database/database.ts";
import { ApiError } from "../serve/errors.ts";
import { type Document, nameOf } from "./document.ts";
import { findDocument, findDocuments, inChunks } from "./documents.ts";
import type { ResourceDefinition } from "./resource.ts";

/** Returns the ids of the documents that a document references exclusively. */
export const exclusiveOf = ({ exclusive }: ResourceDefinition, doc: Document): readonly string[] =>
  exclusive === undefined ? [] : [...new Set(exclusive.of(doc))];

/** Reads the exclusive references of a document as they are stored. */
export async function storedExclusiveOf(db: Queryable, { type, exclusive }: ResourceDefinition, id: string) {
  if (exclusive === undefined) return [];
  const sql = "SELECT to_id FROM exclusive_references WHERE from_type = $1 AND from_id = $2";
  return (await db.query(sql, [type, id])).map(({ to_id }) => String(to_id));
}

interface Change {
  readonly doc: Document;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Table of exclusive references: its primary key lets one document own a referenced one, whichever of two concurrent
 * transactions claims it first. References that a document had before are not checked again, so that duplicates older
 * than the rule can be changed in other respects.
 */
export function createExclusiveReferences(definitions: ReadonlyMap<string, ResourceDefinition>) {
  async function claim(db: Queryable, definition: ResourceDefinition, { doc, ids }: Ids): Promise<void> {
    // Sorted, so that no two transactions deadlock.
    for (const chunk of inChunks(ids.toSorted())) {
      const places = chunk.map((_, index) => `($1, $${index + 4}, $2, $3)`).join(", ");
      const inserted = await db.query(
        `INSERT INTO exclusive_references (from_type, to_id, org_id, from_id) VALUES ${places}
         ON CONFLICT DO NOTHING RETURNING to_id`,
        [definition.type, doc.org_id, doc.id, ...chunk],
      );
      const claimed = new Set(inserted.map(({ to_id }) => to_id));
      for (const id of chunk.filter((each) => !claimed.has(each))) await requireOwn(db, definition, { doc, id });
    }
  }

  async function requireOwn(
    db: Queryable,
    definition: ResourceDefinition,
    { doc, id }: { readonly doc: Document; readonly id: string },
  ): Promise<void> {
    const { type, code } = definition.exclusive ?? { type: "", code: "conflict" };
    const sql = "SELECT from_id FROM exclusive_references WHERE from_type = $1 AND to_id = $2";
    const [owner] = await db.query(sql, [definition.type, id]);
    if (owner?.from_id === doc.id) return;
    const other = await findDocument(db, doc.org_id, definition.type, String(owner?.from_id ?? ""));
    const wanted = await findDocument(db, doc.org_id, type, id);
    const kind = definitions.get(type);
    const { one } = definition.title;
    const what = `The ${kind?.title.one ?? type} ${wanted === null ? id : nameOf(kind, wanted.doc)}`;
    const where = other === null ? `another ${one}` : `the ${one} "${nameOf(definition, other.doc)}" (${other.doc.id})`;
    throw new ApiError(409, code, `${what} is in ${where} already: take it out there, or make that ${one} inactive.`);
  }

  async function release(db: Queryable, definition: ResourceDefinition, { doc, ids }: Ids): Promise<void> {
    for (const chunk of inChunks(ids)) {
      const places = chunk.map((_, index) => `$${index + 3}`).join(", ");
      const released = await db.query(
        `DELETE FROM exclusive_references WHERE from_type = $1 AND from_id = $2 AND to_id IN (${places}) RETURNING to_id`,
        [definition.type, doc.id, ...chunk],
      );
      await reassign(db, definition, { doc, ids: released.map(({ to_id }) => String(to_id)) });
    }
  }

  /** Gives released references to the oldest of the other documents that list them, which data older than the rule may have. */
  async function reassign(db: Queryable, definition: ResourceDefinition, { doc, ids }: Ids): Promise<void> {
    if (ids.length === 0) return;
    const places = ids.map((_, index) => `$${index + 5}`).join(", ");
    const referrers = await db.query(
      `SELECT DISTINCT from_id FROM document_references
       WHERE org_id = $1 AND to_type = $2 AND from_type = $3 AND from_id <> $4 AND to_id IN (${places})`,
      [doc.org_id, definition.exclusive?.type ?? "", definition.type, doc.id, ...ids],
    );
    const names = referrers.map(({ from_id }) => ({ type: definition.type, id: String(from_id) }));
    const others = (await findDocuments(db, names)).map((row): Document => JSON.parse(String(row.doc)));
    const free = new Set(ids);
    for (const other of others.toSorted((one, two) => (ageKey(one) < ageKey(two) ? -1 : 1))) {
      const next = exclusiveOf(definition, other).filter((id) => free.delete(id));
      await claim(db, definition, { doc: other, ids: next });
    }
  }

  return {
    /** Throws 409 where another document owns a reference that this one did not have before. */
    async change(db: Queryable, definition: ResourceDefinition, { doc, before, after }: Change): Promise<void> {
      const [old, current] = [new Set(before), new Set(after)];
      await release(db, definition, { doc, ids: before.filter((id) => !current.has(id)) });
      await claim(db, definition, { doc, ids: after.filter((id) => !old.has(id)) });
    },
  };
}

interface Ids {
  readonly doc: Document;
  readonly ids: readonly string[];
}

const ageKey = ({ created_at, id }: Document): string => `${created_at} ${id}`;
