import type { OrgId } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import { findNames, insertRows, toStored } from "./documents.ts";
import type { DocumentBase, FindName, Naming, Reference, ResourceDefinition } from "./resource.ts";

/** A document with the references it makes. */
export interface Referrer {
  readonly type: string;
  readonly doc: DocumentBase;
  readonly references: readonly Reference[];
}

/** Inserts the references of documents that have none stored yet; repeated ones of a document are stored once. */
export const insertReferences = (db: Queryable, referrers: readonly Referrer[]): Promise<void> =>
  insertRows(
    db,
    { table: "document_references", columns: "org_id, from_type, from_id, to_type, to_id" },
    referrers.flatMap(({ type, doc, references }) =>
      distinct(references).map((each) => [doc.org_id, type, doc.id, each.type, each.id]),
    ),
  );

const distinct = (references: readonly Reference[]): Reference[] => [
  ...new Map(references.map((each) => [`${each.type} ${each.id}`, each])).values(),
];

export async function replaceReferences(
  db: Queryable,
  type: string,
  doc: DocumentBase,
  references: readonly Reference[],
): Promise<void> {
  await db.query("DELETE FROM document_references WHERE from_type = $1 AND from_id = $2", [type, doc.id]);
  await insertReferences(db, [{ type, doc, references }]);
}

/** Finds other documents that reference this one, at most `limit` of them if given. */
export async function findReferrers(db: Queryable, orgId: OrgId, to: { type: string; id: string }, limit?: number) {
  const rows = await db.query(
    `SELECT d.type, d.version, d.doc FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
     WHERE r.org_id = $1 AND r.to_type = $2 AND r.to_id = $3 AND NOT (r.from_type = $2 AND r.from_id = $3) ORDER BY d.type, d.id${limit === undefined ? "" : ` LIMIT ${limit}`}`,
    [orgId, to.type, to.id],
  );
  return rows.map(toStored);
}

/**
 * Finds for each of several documents of one type the document of the type `by` that references it, by id: of several
 * the exclusive owner, else the oldest.
 */
export async function findNaming(
  db: Queryable,
  orgId: OrgId,
  { type, ids, by }: { type: string; ids: readonly string[]; by: string },
): Promise<Map<string, Naming>> {
  if (ids.length === 0) return new Map();
  const places = ids.map((_, index) => `$${index + 4}`).join(", ");
  const rows = await db.query(
    `SELECT to_id, from_id, holder_id FROM (
       SELECT r.to_id, r.from_id, e.from_id AS holder_id, row_number() OVER (
         PARTITION BY r.to_id ORDER BY CASE WHEN e.from_id IS NULL THEN 1 ELSE 0 END, d.created_at, d.id) AS place
       FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
       LEFT JOIN exclusive_references e ON e.from_type = r.from_type AND e.to_id = r.to_id AND e.from_id = r.from_id
       WHERE r.org_id = $1 AND r.to_type = $2 AND r.from_type = $3 AND r.to_id IN (${places})
     ) AS named WHERE place = 1`,
    [orgId, type, by, ...ids],
  );
  return new Map(
    rows.map(({ to_id, from_id, holder_id }) => [String(to_id), { id: String(from_id), isHolder: holder_id !== null }]),
  );
}

/** Finds the ids of the organization's campaigns that contain number rows, by the id of the row. */
export async function findCampaignsOfRows(
  db: Queryable,
  orgId: OrgId,
  rowIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(rowIds.map((id) => [id, []]));
  const sql = "SELECT id, doc->'number_group_items' AS items FROM documents WHERE type = 'campaign' AND org_id = $1";
  for (const { id, items } of await db.query(`${sql} ORDER BY id`, [orgId])) {
    const rows = JSON.parse(String(items ?? "[]")) as { id: string }[];
    for (const row of rows) found.get(row.id)?.push(String(id));
  }
  return found;
}

export type FindReferencedNames = (db: Queryable, orgId: OrgId, references: readonly Reference[]) => Promise<FindName>;

/** Creates a function that finds the names of referenced documents, with one query for each type. */
export const createNameFinder =
  (definitions: ReadonlyMap<string, ResourceDefinition>): FindReferencedNames =>
  async (db, orgId, references) => {
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
  };
