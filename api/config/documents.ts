import type { OrgId } from "../../ingest/primitives.ts";
import type { DatabaseRow, Queryable } from "../database/database.ts";
import { type DocumentKeys, inParts, insertDocuments } from "./documents-bulk.ts";
import type { DocumentBase } from "./resource.ts";

/** A document as it is kept. */
export interface StoredDocument {
  readonly type: string;
  readonly version: number;
  readonly doc: DocumentBase & Record<string, unknown>;
}

/** What `toStored` reads. */
export const columns = "type, version, doc";
export const toStored = ({ type, version, doc }: DatabaseRow): StoredDocument => ({
  type: String(type),
  version: Number(version),
  doc: JSON.parse(String(doc)),
});

export async function findDocument(
  db: Queryable,
  orgId: OrgId,
  type: string,
  id: string,
): Promise<StoredDocument | null> {
  const [row] = await db.query(`SELECT ${columns} FROM documents WHERE type = $1 AND id = $2 AND org_id = $3`, [
    type,
    id,
    orgId,
  ]);
  return row === undefined ? null : toStored(row);
}

export async function findByUniqueKey(
  db: Queryable,
  orgId: OrgId,
  type: string,
  key: string,
): Promise<StoredDocument | null> {
  const [row] = await db.query(`SELECT ${columns} FROM documents WHERE type = $1 AND unique_key = $2 AND org_id = $3`, [
    type,
    key,
    orgId,
  ]);
  return row === undefined ? null : toStored(row);
}

export const insertDocument = (db: Queryable, type: string, doc: DocumentBase, keys: DocumentKeys): Promise<void> =>
  insertDocuments(db, [{ type, doc, keys }]);

/** False when another change came first: the row no longer has `version`. Keys that are null stay as they are. */
export async function replaceDocument(
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
 * False when another change came first: the row no longer has `version`. The row goes before what it names, so that a
 * change at the same time is waited for before anything of it is gone.
 */
export async function deleteDocument(db: Queryable, { type, version, doc }: StoredDocument): Promise<boolean> {
  const rows = await db.query("DELETE FROM documents WHERE type = $1 AND id = $2 AND version = $3 RETURNING id", [
    type,
    doc.id,
    version,
  ]);
  if (rows.length === 0) return false;
  await db.query("DELETE FROM document_references WHERE from_type = $1 AND from_id = $2", [type, doc.id]);
  return true;
}

/** Names by id of the documents of one kind among `ids`; an id of another organization is not found. */
export async function findNames(
  db: Queryable,
  orgId: OrgId,
  { type, ids, nameField }: { type: string; ids: readonly string[]; nameField: string },
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const part of inParts(ids)) {
    const places = part.map((_, index) => `$${index + 3}`).join(", ");
    const rows = await db.query(
      `SELECT id, doc->>'${nameField}' AS name FROM documents WHERE type = $1 AND org_id = $2 AND id IN (${places})`,
      [type, orgId, ...part],
    );
    for (const { id, name } of rows) names.set(String(id), name === null ? "" : String(name));
  }
  return names;
}

/** The next whole number of a sequence, from 1; unique even under concurrent transactions. */
export async function nextInSequence(db: Queryable, name: string): Promise<number> {
  const [row] = await db.query(
    `INSERT INTO sequences (name, value) VALUES ($1, 1)
     ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value`,
    [name],
  );
  return Number(row?.value);
}
