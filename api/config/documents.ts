import type { OrgId } from "../../ingest/primitives.ts";
import type { DatabaseRow, DatabaseValue, Queryable } from "../database/database.ts";
import type { DocumentBase } from "./resource.ts";

/** A document as it is stored, with the version that optimistic locking compares. */
export interface StoredDocument {
  readonly type: string;
  readonly version: number;
  readonly doc: DocumentBase & Record<string, unknown>;
}

/** Indexed columns of a document. */
export interface DocumentKeys {
  readonly externalId: string | null;
  readonly uniqueKey: string | null;
}

export interface NewDocument {
  readonly type: string;
  readonly doc: DocumentBase;
  readonly keys: DocumentKeys;
}

/** Type and id of a document: ids are unique within a type alone. */
export interface DocumentName {
  readonly type: string;
  readonly id: string;
}

/** The columns that `toStored` reads. */
export const columns = "type, version, doc";
export const toStored = ({ type, version, doc }: DatabaseRow): StoredDocument => ({
  type: String(type),
  version: Number(version),
  doc: JSON.parse(String(doc)),
});

/** Finds a document of an organization by its id. */
export async function findDocument(
  db: Queryable,
  orgId: OrgId,
  type: string,
  id: string,
): Promise<StoredDocument | null> {
  const sql = `SELECT ${columns} FROM documents WHERE type = $1 AND id = $2 AND org_id = $3`;
  const [row] = await db.query(sql, [type, id, orgId]);
  return row === undefined ? null : toStored(row);
}

/** Finds a document of an organization by its unique key. */
export async function findByUniqueKey(
  db: Queryable,
  orgId: OrgId,
  type: string,
  key: string,
): Promise<StoredDocument | null> {
  const sql = `SELECT ${columns} FROM documents WHERE type = $1 AND unique_key = $2 AND org_id = $3`;
  const [row] = await db.query(sql, [type, key, orgId]);
  return row === undefined ? null : toStored(row);
}

/** Finds type, id, organization and JSON of documents of any organization. */
export const findDocuments = (db: Queryable, names: readonly DocumentName[]): Promise<DatabaseRow[]> =>
  select(db, "type, id, org_id, doc", names);

/** Finds type and id of the documents that exist, in any organization. */
export const findExisting = (db: Queryable, names: readonly DocumentName[]): Promise<DatabaseRow[]> =>
  select(db, "type, id", names);

async function select(db: Queryable, selected: string, names: readonly DocumentName[]): Promise<DatabaseRow[]> {
  const found: DatabaseRow[] = [];
  for (const chunk of inChunks(names)) {
    const places = chunk.map((_, index) => `($${index * 2 + 1}, $${index * 2 + 2})`).join(", ");
    const values = chunk.flatMap(({ type, id }) => [type, id]);
    const sql = `SELECT ${selected} FROM documents WHERE (type, id) IN (VALUES ${places})`;
    found.push(...(await db.query(sql, values)));
  }
  return found;
}

/** Finds the names of an organization's documents of one type, by id. */
export async function findNames(
  db: Queryable,
  orgId: OrgId,
  { type, ids, nameField }: { type: string; ids: readonly string[]; nameField: string },
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const chunk of inChunks(ids)) {
    const places = chunk.map((_, index) => `$${index + 3}`).join(", ");
    const rows = await db.query(
      `SELECT id, doc->>'${nameField}' AS name FROM documents WHERE type = $1 AND org_id = $2 AND id IN (${places})`,
      [type, orgId, ...chunk],
    );
    for (const { id, name } of rows) names.set(String(id), name === null ? "" : String(name));
  }
  return names;
}

export const insertDocument = (db: Queryable, type: string, doc: DocumentBase, keys: DocumentKeys): Promise<void> =>
  insertDocuments(db, [{ type, doc, keys }]);

/** Inserts documents, to be called in a transaction. */
export const insertDocuments = (db: Queryable, documents: readonly NewDocument[]): Promise<void> =>
  insertRows(
    db,
    { table: "documents", columns: "type, id, org_id, version, external_id, unique_key, created_at, created_ms, doc" },
    documents.map(({ type, doc, keys: { externalId, uniqueKey } }) => {
      const createdMs = Date.parse(doc.created_at);
      return [type, doc.id, doc.org_id, 1, externalId, uniqueKey, doc.created_at, createdMs, JSON.stringify(doc)];
    }),
  );

/** Updates a document unless its version has changed since it was read: then returns false. Null keys stay as they are. */
export async function updateDocument(
  db: Queryable,
  { type, version }: StoredDocument,
  doc: DocumentBase,
  keys: DocumentKeys | null,
): Promise<boolean> {
  const set = keys === null ? "" : ", external_id = $5, unique_key = $6";
  const rows = await db.query(
    `UPDATE documents SET doc = $1, version = version + 1${set} WHERE type = $2 AND id = $3 AND version = $4 RETURNING version`,
    [JSON.stringify(doc), type, doc.id, version, ...(keys === null ? [] : [keys.externalId, keys.uniqueKey])],
  );
  return rows.length === 1;
}

/**
 * Deletes a document and its references unless its version has changed since it was read: then returns false. The row
 * goes first: a concurrent change is waited for before any of the references is gone.
 */
export async function deleteDocument(db: Queryable, { type, version, doc }: StoredDocument): Promise<boolean> {
  const sql = "DELETE FROM documents WHERE type = $1 AND id = $2 AND version = $3 RETURNING id";
  const rows = await db.query(sql, [type, doc.id, version]);
  if (rows.length === 0) return false;
  await db.query("DELETE FROM document_references WHERE from_type = $1 AND from_id = $2", [type, doc.id]);
  return true;
}

/** Returns the next whole number of a sequence, from 1; unique among concurrent transactions. */
export async function nextInSequence(db: Queryable, name: string): Promise<number> {
  const [row] = await db.query(
    `INSERT INTO sequences (name, value) VALUES ($1, 1)
     ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value`,
    [name],
  );
  return Number(row?.value);
}

/** Inserts rows of any number. */
export async function insertRows(
  db: Queryable,
  { table, columns: names }: { readonly table: string; readonly columns: string },
  rows: readonly (readonly DatabaseValue[])[],
): Promise<void> {
  for (const chunk of inChunks(rows)) {
    let place = 0;
    const places = chunk.map((row) => `(${row.map(() => `$${++place}`).join(", ")})`);
    await db.query(`INSERT INTO ${table} (${names}) VALUES ${places.join(", ")}`, chunk.flat());
  }
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters, and a row has nine at most. */
const rowsPerStatement = 1000;

/** Splits rows into chunks that fit into one statement each. */
export function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < all.length; first += rowsPerStatement) yield all.slice(first, first + rowsPerStatement);
}
