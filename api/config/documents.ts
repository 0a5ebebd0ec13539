import type { OrgId } from "../../ingest/primitives.ts";
import type { DatabaseRow, DatabaseValue, Queryable } from "./database.ts";
import { countInHours, findStretch } from "./document-hours.ts";
import { type DocumentKeys, inParts, insertDocuments, insertReferences } from "./documents-bulk.ts";
import type { DocumentBase, Reference } from "./resource.ts";

/** A document as it is kept. */
export interface StoredDocument {
  readonly type: string;
  readonly version: number;
  readonly doc: DocumentBase & Record<string, unknown>;
}
const columns = "type, version, doc";
const toStored = ({ type, version, doc }: DatabaseRow): StoredDocument => ({
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
    ...[type, id, orgId],
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
    ...[type, key, orgId],
  ]);
  return row === undefined ? null : toStored(row);
}

export const insertDocument = (db: Queryable, type: string, doc: DocumentBase, keys: DocumentKeys): Promise<void> =>
  insertDocuments(db, [{ type, doc, keys }]);

/** False when another change came first: the row no longer has `version`. */
export async function replaceDocument(
  db: Queryable,
  { type, version }: StoredDocument,
  doc: DocumentBase,
  keys: DocumentKeys & { readonly changed: boolean },
): Promise<boolean> {
  const set = keys.changed ? ", external_id = $5, unique_key = $6" : "";
  const rows = await db.query(
    `UPDATE documents SET doc = $1, version = version + 1${set} WHERE type = $2 AND id = $3 AND version = $4 RETURNING version`,
    [JSON.stringify(doc), type, doc.id, version, ...(keys.changed ? [keys.externalId, keys.uniqueKey] : [])],
  );
  return rows.length === 1;
}

/**
 * Sets what the document is looked up by. Apart from what it holds, and only where it differs: DuckDB writes a row anew
 * when an indexed column is set.
 */
export async function replaceKeys(
  db: Queryable,
  type: string,
  { id, externalId, uniqueKey }: DocumentKeys & { readonly id: string },
): Promise<void> {
  await db.query("UPDATE documents SET external_id = $1, unique_key = $2 WHERE type = $3 AND id = $4", [
    ...[externalId, uniqueKey, type, id],
  ]);
}

/**
 * False when another change came first: the row no longer has `version`. The row goes before what it names, so that a
 * change at the same time is waited for before anything of it is gone.
 */
export async function deleteDocument(db: Queryable, { type, version, doc }: StoredDocument): Promise<boolean> {
  const [row] = await db.query(
    "DELETE FROM documents WHERE type = $1 AND id = $2 AND version = $3 RETURNING org_id, created_ms",
    [type, doc.id, version],
  );
  if (row === undefined) return false;
  await db.query("DELETE FROM document_references WHERE from_type = $1 AND from_id = $2", [type, doc.id]);
  await countInHours(db, [{ type, orgId: String(row.org_id), createdMs: Number(row.created_ms) }], -1);
  return true;
}

export async function replaceReferences(
  db: Queryable,
  type: string,
  doc: DocumentBase,
  references: readonly Reference[],
): Promise<void> {
  await db.query("DELETE FROM document_references WHERE from_type = $1 AND from_id = $2", [type, doc.id]);
  await insertReferences(db, [{ type, doc, references }]);
}

/** Other documents that name this one, at most `limit` where it is given. */
export async function findReferrers(db: Queryable, orgId: OrgId, to: { type: string; id: string }, limit?: number) {
  const rows = await db.query(
    `SELECT d.type, d.version, d.doc FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
     WHERE r.org_id = $1 AND r.to_type = $2 AND r.to_id = $3 AND NOT (r.from_type = $2 AND r.from_id = $3) ORDER BY d.type, d.id${limit === undefined ? "" : ` LIMIT ${limit}`}`,
    [orgId, to.type, to.id],
  );
  return rows.map(toStored);
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

/** What a list is narrowed to. Fields and kinds come from the resource's definition, values from the request. */
export type ListFilter = { readonly value: string } & (
  | { readonly by: "field"; readonly field: string }
  /** Documents that name the one of this kind whose id is the value, or that it names and none made before it. */
  | { readonly by: "naming" | "named_by"; readonly type: string }
  /** "true": documents that are paused at the time `now`. */
  | { readonly by: "pause"; readonly now: string }
);

export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly direction: "asc" | "desc";
}

/** One page by creation, and how many documents match in all (semantics 6.5). */
export async function listDocuments(
  db: Queryable,
  orgId: OrgId,
  { type, filters, page }: { type: string; filters: readonly ListFilter[]; page: Page },
) {
  const params: DatabaseValue[] = [orgId, type];
  const bind = (value: DatabaseValue) => `$${params.push(value)}`;
  const where = ["org_id = $1", "type = $2", ...filters.map((filter) => toCondition(filter, bind))].join(" AND ");
  if (filters.length > 0) {
    const [count] = await db.query(`SELECT count(*) AS total FROM documents WHERE ${where}`, params);
    const total = Number(count?.total ?? 0);
    return { documents: await readPage(db, { where, params, page, count: total }), total };
  }
  // Only the hours of the page are read, so that it costs the same however long the list is.
  const { total, before, inside, fromMs, toMs } = await findStretch(db, orgId, { type, page });
  const documents = await readPage(db, {
    where: `${where} AND created_ms >= ${bind(fromMs)} AND created_ms < ${bind(toMs)}`,
    ...{ params, page: { ...page, offset: page.offset - before }, count: inside },
  });
  return { documents, total };
}

interface PageOf {
  readonly where: string;
  readonly params: readonly DatabaseValue[];
  readonly page: Page;
  /** Documents that the condition holds of. */
  readonly count: number;
}

async function readPage(db: Queryable, { where, params, page, count }: PageOf): Promise<StoredDocument[]> {
  const { order, limit, offset, reversed } = fromNearerEnd(page, count);
  if (limit === 0) return [];
  // Longer ids are later ones where ids are whole numbers; others are all of one length.
  const rows = await db.query(
    `SELECT ${columns} FROM documents WHERE ${where}
     ORDER BY created_ms ${order}, length(id) ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`,
    params,
  );
  const documents = rows.map(toStored);
  return reversed ? documents.reverse() : documents;
}

/** A page past the middle is read from the other end, so that the last one costs what the first does. */
function fromNearerEnd({ limit, offset, direction }: Page, total: number) {
  const rows = Math.max(0, Math.min(limit, total - offset));
  const reversed = offset > total / 2;
  const order = (direction === "asc") === reversed ? "DESC" : "ASC";
  return { order, limit: rows, offset: reversed ? Math.max(0, total - offset - rows) : offset, reversed };
}

function toCondition(filter: ListFilter, bind: (value: DatabaseValue) => string): string {
  const { by, value } = filter;
  if (by === "field") return `(doc->>'${filter.field}') = ${bind(value)}`;
  if (by === "pause") {
    const until = "(doc->'pause'->>'paused_until')";
    const paused = `(doc->'pause'->>'paused_at') IS NOT NULL AND (${until} IS NULL OR ${until} > ${bind(filter.now)})`;
    return `${value === "true" ? "" : "NOT "}(${paused})`;
  }
  const [own, other] = by === "naming" ? ["from", "to"] : ["to", "from"];
  const named = `r.${own}_type = documents.type AND r.${own}_id = documents.id AND r.${other}_type = '${filter.type}'`;
  const place = bind(value);
  const isNamed = `EXISTS (SELECT 1 FROM document_references r WHERE ${named} AND r.${other}_id = ${place})`;
  if (by === "naming") return isNamed;
  // Of several that name it, the one that answers show.
  return `${isNamed} AND NOT EXISTS (
     SELECT 1 FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
     JOIN documents asked ON asked.type = '${filter.type}' AND asked.id = ${place}
     WHERE ${named} AND (d.created_at < asked.created_at OR (d.created_at = asked.created_at AND d.id < asked.id)))`;
}

/** By id of documents of one kind, the id of the document of the kind `by` that names it, of several the first made. */
export async function findNaming(
  db: Queryable,
  orgId: OrgId,
  { type, ids, by }: { type: string; ids: readonly string[]; by: string },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const places = ids.map((_, index) => `$${index + 4}`).join(", ");
  const rows = await db.query(
    `SELECT DISTINCT ON (r.to_id) r.to_id, r.from_id
     FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
     WHERE r.org_id = $1 AND r.to_type = $2 AND r.from_type = $3 AND r.to_id IN (${places})
     ORDER BY r.to_id, d.created_at, d.id`,
    [orgId, type, by, ...ids],
  );
  return new Map(rows.map(({ to_id, from_id }) => [String(to_id), String(from_id)]));
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

/** By id of number rows, the ids of the organization's campaigns that have a row of it. */
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
