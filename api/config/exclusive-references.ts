import type { Queryable } from "../database/database.ts";
import { ApiError } from "../serve/errors.ts";
import { findDocument } from "./documents.ts";
import { findDocuments, inParts } from "./documents-bulk.ts";
import { type Document, nameOf } from "./fields.ts";
import type { ResourceDefinition } from "./resource.ts";

/** Ids of what the document has for itself alone. */
export const exclusiveOf = ({ exclusive }: ResourceDefinition, doc: Document): readonly string[] =>
  exclusive === undefined ? [] : [...new Set(exclusive.of(doc))];

/** Likewise, as it is stored: of documents that are written without being read. */
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
 * Writes what documents have for themselves alone: a row that two transactions write at the same time is one's. What a
 * document listed before is not judged again, so that one from before the rule can be changed in other respects.
 */
export function createExclusiveReferences(definitions: ReadonlyMap<string, ResourceDefinition>) {
  async function take(db: Queryable, definition: ResourceDefinition, { doc, ids }: Ids): Promise<void> {
    // In one order, so that no two transactions wait for each other.
    for (const part of inParts(ids.toSorted())) {
      const places = part.map((_, index) => `($1, $${index + 4}, $2, $3)`).join(", ");
      const taken = await db.query(
        `INSERT INTO exclusive_references (from_type, to_id, org_id, from_id) VALUES ${places}
         ON CONFLICT DO NOTHING RETURNING to_id`,
        [definition.type, doc.org_id, doc.id, ...part],
      );
      const got = new Set(taken.map(({ to_id }) => to_id));
      for (const id of part.filter((each) => !got.has(each))) await requireOwn(db, definition, { doc, id });
    }
  }

  async function requireOwn(
    db: Queryable,
    definition: ResourceDefinition,
    { doc, id }: { readonly doc: Document; readonly id: string },
  ): Promise<void> {
    const { type, code } = definition.exclusive ?? { type: "", code: "conflict" };
    const [holder] = await db.query("SELECT from_id FROM exclusive_references WHERE from_type = $1 AND to_id = $2", [
      definition.type,
      id,
    ]);
    if (holder?.from_id === doc.id) return;
    const other = await findDocument(db, doc.org_id, definition.type, String(holder?.from_id ?? ""));
    const wanted = await findDocument(db, doc.org_id, type, id);
    const kind = definitions.get(type);
    const { one } = definition.title;
    const what = `The ${kind?.title.one ?? type} ${wanted === null ? id : nameOf(kind, wanted.doc)}`;
    const where = other === null ? `another ${one}` : `the ${one} "${nameOf(definition, other.doc)}" (${other.doc.id})`;
    throw new ApiError(409, code, `${what} is in ${where} already: take it out there, or make that ${one} inactive.`);
  }

  async function giveUp(db: Queryable, definition: ResourceDefinition, { doc, ids }: Ids): Promise<void> {
    for (const part of inParts(ids)) {
      const places = part.map((_, index) => `$${index + 3}`).join(", ");
      const freed = await db.query(
        `DELETE FROM exclusive_references WHERE from_type = $1 AND from_id = $2 AND to_id IN (${places}) RETURNING to_id`,
        [definition.type, doc.id, ...part],
      );
      await handOn(db, definition, { doc, ids: freed.map(({ to_id }) => String(to_id)) });
    }
  }

  /** Where several documents list the same from before the rule, the first made has it next. */
  async function handOn(db: Queryable, definition: ResourceDefinition, { doc, ids }: Ids): Promise<void> {
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
    for (const other of others.toSorted((one, two) => (madeAt(one) < madeAt(two) ? -1 : 1))) {
      const next = exclusiveOf(definition, other).filter((id) => free.delete(id));
      await take(db, definition, { doc: other, ids: next });
    }
  }

  return {
    /** Throws 409 where another document of the kind has what this one did not list before. */
    async change(db: Queryable, definition: ResourceDefinition, { doc, before, after }: Change): Promise<void> {
      const [had, has] = [new Set(before), new Set(after)];
      await giveUp(db, definition, { doc, ids: before.filter((id) => !has.has(id)) });
      await take(db, definition, { doc, ids: after.filter((id) => !had.has(id)) });
    },
  };
}
export type ExclusiveReferences = ReturnType<typeof createExclusiveReferences>;

interface Ids {
  readonly doc: Document;
  readonly ids: readonly string[];
}

const madeAt = ({ created_at, id }: Document): string => `${created_at} ${id}`;
