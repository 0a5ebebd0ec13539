import type { DatabaseRow, DatabaseValue, Queryable } from "../database/database.ts";
import type { DocumentBase, Reference } from "./resource.ts";

export interface DocumentKeys {
  readonly externalId: string | null;
  readonly uniqueKey: string | null;
}
/** A document that is not there yet, with what it is looked up by. */
export interface NewDocument {
  readonly type: string;
  readonly doc: DocumentBase;
  readonly keys: DocumentKeys;
}
/** A document with what it names. */
export interface Naming {
  readonly type: string;
  readonly doc: DocumentBase;
  readonly references: readonly Reference[];
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters, and a row has nine at most. */
const rowsAtOnce = 1000;

/** For a transaction: adds documents that are not there yet. */
export const insertDocuments = (db: Queryable, documents: readonly NewDocument[]): Promise<void> =>
  insertRows(
    db,
    { table: "documents", columns: "type, id, org_id, version, external_id, unique_key, created_at, created_ms, doc" },
    documents.map(({ type, doc, keys: { externalId, uniqueKey } }) => {
      const createdMs = Date.parse(doc.created_at);
      return [type, doc.id, doc.org_id, 1, externalId, uniqueKey, doc.created_at, createdMs, JSON.stringify(doc)];
    }),
  );

/** Of documents whose references are not there yet; what one names twice is there once. */
export const insertReferences = (db: Queryable, namings: readonly Naming[]): Promise<void> =>
  insertRows(
    db,
    { table: "document_references", columns: "org_id, from_type, from_id, to_type, to_id" },
    namings.flatMap(({ type, doc, references }) =>
      distinct(references).map((each) => [doc.org_id, type, doc.id, each.type, each.id]),
    ),
  );

const distinct = (references: readonly Reference[]): Reference[] => [
  ...new Map(references.map((each) => [`${each.type} ${each.id}`, each])).values(),
];

/** A document of a kind: ids are one's own within a kind alone. */
export interface DocumentName {
  readonly type: string;
  readonly id: string;
}

/** Type, id, organization and document of those that are there, whosever they are. */
export const findDocuments = (db: Queryable, names: readonly DocumentName[]): Promise<DatabaseRow[]> =>
  select(db, "type, id, org_id, doc", names);

/** Type and id of those that are there, whosever they are. */
export const findExisting = (db: Queryable, names: readonly DocumentName[]): Promise<DatabaseRow[]> =>
  select(db, "type, id", names);

async function select(db: Queryable, columns: string, names: readonly DocumentName[]): Promise<DatabaseRow[]> {
  const found: DatabaseRow[] = [];
  for (const part of inParts(names)) {
    const { where, values } = among(part);
    found.push(...(await db.query(`SELECT ${columns} FROM documents WHERE ${where}`, values)));
  }
  return found;
}

function among(names: readonly DocumentName[]): { readonly where: string; readonly values: readonly DatabaseValue[] } {
  const places = names.map((_, index) => `($${index * 2 + 1}, $${index * 2 + 2})`).join(", ");
  return { where: `(type, id) IN (VALUES ${places})`, values: names.flatMap(({ type, id }) => [type, id]) };
}

async function insertRows(
  db: Queryable,
  { table, columns }: { readonly table: string; readonly columns: string },
  rows: readonly (readonly DatabaseValue[])[],
): Promise<void> {
  for (const part of inParts(rows)) {
    let place = 0;
    const places = part.map((row) => `(${row.map(() => `$${++place}`).join(", ")})`);
    await db.query(`INSERT INTO ${table} (${columns}) VALUES ${places.join(", ")}`, part.flat());
  }
}

/** As many at once as one statement takes. */
export function* inParts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < all.length; first += rowsAtOnce) yield all.slice(first, first + rowsAtOnce);
}
