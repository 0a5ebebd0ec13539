import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { isTimeZone } from "../../ingest/time-zone.ts";
import { parseStoredJson, readable, readOr, refuseUnreadable, UnreadableError } from "../../ingest/unreadable.ts";
import type { Database, DatabaseRow, Queryable } from "../database/database.ts";
import { type Document, keysOf, referencesOf } from "./document.ts";
import { insertReferences, replaceReferences } from "./document-references.ts";
import { type DocumentName, findDocuments, findExisting, insertDocuments } from "./documents.ts";
import { createExclusiveReferences, exclusiveOf, storedExclusiveOf } from "./exclusive-references.ts";
import {
  type ConfigDocument,
  type ConfigInput,
  definitionOf,
  definitions,
  type ResourceType,
  storedDocumentFault,
  toDocument,
} from "./registry.ts";

export interface Organization {
  readonly id: OrgId;
  readonly name: string;
  /** IANA zone in which the organization's days begin. */
  readonly timezone: string;
}

/**
 * Store of organizations and of documents in bulk, which the snapshot reads and installations are set up with. Unreadable
 * rows are left out; `onUnreadable` is called for each.
 */
export function createConfigStore(
  database: Database,
  clock: Clock,
  onUnreadable: (error: UnreadableError) => void = refuseUnreadable,
) {
  return {
    async saveOrganization({ id, name, timezone }: Organization): Promise<void> {
      await database.transaction(async (db) => {
        await db.query(
          `INSERT INTO organizations (id, name, timezone, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, timezone = excluded.timezone`,
          [id, name, timezone, isoTime(clock.now())],
        );
        await db.notify([{ orgId: id, type: "organization", id }]);
      });
    },

    async organizations(): Promise<Organization[]> {
      const rows = await database.query("SELECT id, name, timezone FROM organizations ORDER BY created_at, id");
      return rows.map((row) => ({
        id: row.id as OrgId,
        name: String(row.name),
        timezone: readOr(() => toZone(row), onUnreadable, "UTC"),
      }));
    },

    /** Creates or replaces documents of one organization in one transaction, unaudited. */
    async save(orgId: OrgId, inputs: readonly ConfigInput[]): Promise<void> {
      const foreign = inputs.find(({ doc }) => doc.org_id !== orgId);
      if (foreign) throw new Error(`${foreign.type} ${foreign.doc.id} belongs to another organization than ${orgId}.`);
      const documents = inputs.map(({ type, doc }) => ({ type, doc: toDocument(type, doc) as unknown as Document }));
      await database.transaction(async (db) => {
        await saveDocuments(db, documents);
        await db.notify(documents.map(({ type, doc }) => ({ orgId, type, id: doc.id })));
      });
    },

    /** Returns all documents of an organization, oldest first. */
    async documents(orgId: OrgId): Promise<ConfigDocument[]> {
      const rows = await database.query(
        "SELECT type, id, org_id, doc FROM documents WHERE org_id = $1 ORDER BY created_at, id",
        [orgId],
      );
      return readable(rows, fromRow, onUnreadable);
    },

    /** Returns those of these documents that exist. */
    async find(names: readonly DocumentName[]): Promise<ConfigDocument[]> {
      return readable(await findDocuments(database, names), fromRow, onUnreadable);
    },
  };
}
export type ConfigStore = ReturnType<typeof createConfigStore>;

function toZone({ id, timezone }: DatabaseRow): string {
  if (isTimeZone(String(timezone))) return String(timezone);
  throw new UnreadableError({ table: "organizations", id: String(id) }, "its timezone is unknown, UTC is used instead");
}

/** Checks types alone: the document passed its whole schema when it was written. */
function fromRow({ type, id, org_id, doc }: DatabaseRow): ConfigDocument {
  const place = { table: "documents", id: `${type} ${id}` };
  const read = parseStoredJson(doc, place);
  const fault = storedDocumentFault(String(type), read);
  if (fault !== null) throw new UnreadableError(place, fault);
  const document = { type, doc: read } as ConfigDocument;
  if (document.doc.id !== id || document.doc.org_id !== org_id)
    throw new UnreadableError(place, "its id or organization differs from its row's");
  return document;
}

const exclusiveReferences = createExclusiveReferences(definitions);

interface Saved {
  readonly type: ResourceType;
  readonly doc: Document;
}
const nameOf = ({ type, id }: Readonly<Record<"type" | "id", unknown>>): string => `${type} ${id}`;

async function saveDocuments(db: Queryable, documents: readonly Saved[]): Promise<void> {
  const names = documents.map(({ type, doc: { id } }) => ({ type, id }));
  const existing = new Set((await findExisting(db, names)).map(({ type, id }) => nameOf({ type, id })));
  const exists = ({ type, doc: { id } }: Saved) => existing.has(nameOf({ type, id }));
  for (const { type, doc } of documents.filter(exists)) await replace(db, type, doc);
  const added = documents
    .filter((each) => !exists(each))
    .map(({ type, doc }) => {
      const definition = definitionOf(type);
      return { type, doc, keys: keysOf(definition, doc), references: referencesOf(definition, doc) };
    });
  await insertDocuments(db, added);
  await insertReferences(db, added);
  for (const { type, doc } of documents) {
    const definition = definitionOf(type);
    const before = await storedExclusiveOf(db, definition, doc.id);
    await exclusiveReferences.change(db, definition, { doc, before, after: exclusiveOf(definition, doc) });
  }
}

async function replace(db: Queryable, type: ResourceType, doc: Document): Promise<void> {
  const definition = definitionOf(type);
  const { externalId, uniqueKey } = keysOf(definition, doc);
  const [replaced] = await db.query(
    `UPDATE documents SET doc = $1, version = version + 1, external_id = $5, unique_key = $6
     WHERE type = $2 AND id = $3 AND org_id = $4 RETURNING id`,
    [JSON.stringify(doc), type, doc.id, doc.org_id, externalId, uniqueKey],
  );
  if (replaced === undefined) throw new Error(`${type} ${doc.id} belongs to another organization than ${doc.org_id}.`);
  await replaceReferences(db, type, doc, referencesOf(definition, doc));
}
