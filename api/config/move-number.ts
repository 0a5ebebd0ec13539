import { v4 as uuidv4 } from "uuid";
import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Database, Queryable, Transaction } from "../database/database.ts";
import { diffDocuments } from "./audit-diff.ts";
import { type Actor, recordChange } from "./audit-outbox.ts";
import { changeOf, type Document, entityOf, keysOf } from "./document.ts";
import { findDocument, insertDocument, type StoredDocument, toStored, updateDocument } from "./documents.ts";
import type { ResourceDefinition } from "./resource.ts";
import { number as definition } from "./resources/number.ts";
import { numberPool } from "./resources/number-pool.ts";
import { WriteConflictError } from "./unit-of-work.ts";

/** A document of a number, of any organization. */
export interface NumberRow {
  readonly orgId: OrgId;
  readonly isHeld: boolean;
  /** Its unique key: the number alone for the holder; null for a duplicate within the organization. */
  readonly key: string | null;
  readonly stored: StoredDocument;
}

/** Finds every organization's rows of an E.164 number, the holder's first; of several of one, the one that held it last. */
export async function findNumber(db: Queryable, e164: string): Promise<readonly NumberRow[]> {
  const rows = await db.query(
    "SELECT type, version, doc, unique_key FROM documents WHERE type = 'number' AND (doc->>'number') = $1 ORDER BY created_at, id",
    [e164],
  );
  const rank = ({ key, isHeld }: NumberRow): number => (key === e164 ? 0 : isHeld ? 1 : key === null ? 2 : 3);
  return rows
    .map((row): NumberRow => {
      const stored = toStored(row);
      const key = row["unique_key"] === null ? null : String(row["unique_key"]);
      return { orgId: stored.doc.org_id, isHeld: stored.doc["is_held"] !== false, key, stored };
    })
    .toSorted((one, other) => rank(one) - rank(other));
}

interface Move {
  readonly e164: string;
  readonly to: OrgId;
  /** Milliseconds since 1970. */
  readonly now: number;
  actorFor(orgId: OrgId): Actor;
}

export type Moved =
  | { readonly kind: "moved"; readonly from: OrgId | null }
  /** No organization has a row of the number. */
  | { readonly kind: "unknown" }
  | { readonly kind: "there_already" };

/**
 * Moves a number to another organization. The previous holder's row stays, as its campaigns reference it, but leaves its
 * pool and gets no calls; the other organization's row gets them, and is created if there is none. An organization with
 * several rows of the number, from an earlier version, keeps them, and at most one of them holds the number.
 */
export function moveNumber(database: Database, move: Move): Promise<Moved> {
  return database.transaction(async (db): Promise<Moved> => {
    const rows = await findNumber(db, move.e164);
    const [first] = rows;
    if (first === undefined) return { kind: "unknown" };
    const holder = first.isHeld ? first : undefined;
    if (holder?.orgId === move.to) return { kind: "there_already" };
    // Released first: the unique key allows one holder at a time.
    for (const row of rows) if (row.isHeld && row.orgId !== move.to) await release(db, move, { row, rows });
    const own = rows.find(({ orgId }) => orgId === move.to);
    if (own === undefined) await add(db, move, first.stored.doc);
    else await write(db, move, { definition, stored: own.stored, doc: { ...own.stored.doc, is_held: true } });
    return { kind: "moved", from: holder?.orgId ?? null };
  });
}

interface Released {
  readonly row: NumberRow;
  readonly rows: readonly NumberRow[];
}

async function release(db: Transaction, move: Move, { row, rows }: Released): Promise<void> {
  const { stored } = row;
  const poolId = stored.doc["number_pool_id"];
  const doc = { ...stored.doc, is_held: false, number_pool_id: null };
  const { uniqueKey } = keysOf(definition, doc);
  const isDuplicate = rows.some((each) => each !== row && each.key === uniqueKey);
  await write(db, move, { definition, stored, doc, isDuplicate });
  if (typeof poolId !== "string") return;
  const pool = await findDocument(db, stored.doc.org_id, numberPool.type, poolId);
  if (pool === null) return;
  const numbers_count = Number(pool.doc["numbers_count"]) - 1;
  await write(db, move, { definition: numberPool, stored: pool, doc: { ...pool.doc, numbers_count } });
}

interface Written {
  readonly definition: ResourceDefinition;
  readonly stored: StoredDocument;
  readonly doc: Document;
  /** True if another row of the organization has the unique key that this one would have. */
  readonly isDuplicate?: boolean;
}

async function write(db: Transaction, { now, actorFor }: Move, written: Written): Promise<void> {
  const { definition, stored, isDuplicate = false } = written;
  const doc = { ...written.doc, updated_at: isoTime(now) };
  const { externalId, uniqueKey } = keysOf(definition, doc);
  const keys = { externalId, uniqueKey: isDuplicate ? null : uniqueKey };
  if (!(await updateDocument(db, stored, doc, keys))) throw new WriteConflictError();
  const changes = diffDocuments(definition, stored.doc, doc);
  await recordChange(db, actorFor(doc.org_id), {
    action: "update",
    entity: entityOf(definition, doc),
    changes,
    now,
  });
  await db.notify([changeOf(definition, doc)]);
}

/** Fields of the number itself, as opposed to an organization's use of it. */
const numberFields = ["number", "provider", "provider_sid", "country", "area_code", "state", "toll_free"];

async function add(db: Transaction, { to, now, actorFor }: Move, known: Document): Promise<void> {
  const at = isoTime(now);
  const fields = Object.fromEntries(Object.entries(known).filter(([name]) => numberFields.includes(name)));
  const about = { id: uuidv4(), org_id: to, created_at: at, updated_at: at };
  const doc: Document = { ...fields, number_pool_id: null, is_held: true, ...about };
  await insertDocument(db, definition.type, doc, keysOf(definition, doc));
  const changes = diffDocuments(definition, {}, doc);
  await recordChange(db, actorFor(to), { action: "create", entity: entityOf(definition, doc), changes, now });
  await db.notify([changeOf(definition, doc)]);
}
