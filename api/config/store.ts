import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Database, DatabaseRow } from "./database.ts";
import { type Resource, type ResourceInput, type ResourceType, resourceSchemas } from "./resources.ts";

export interface Organization {
  readonly id: OrgId;
  readonly name: string;
  /** IANA zone in which the organization's days begin. */
  readonly timezone: string;
}

/** Any document with its type, as the snapshot takes them in. */
export type ConfigDocument = { [T in ResourceType]: { readonly type: T; readonly doc: Resource<T> } }[ResourceType];

/** The config documents over a database; every write raises the row's version and is announced. */
export function createConfigStore(database: Database, clock: Clock) {
  return {
    async saveOrganization({ id, name, timezone }: Organization): Promise<void> {
      await database.query(
        `INSERT INTO organizations (id, name, timezone, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, timezone = excluded.timezone`,
        [id, name, timezone, isoTime(clock.now())],
      );
      await database.announce(id);
    },

    async organizations(): Promise<Organization[]> {
      const rows = await database.query("SELECT id, name, timezone FROM organizations ORDER BY created_at, id");
      return rows.map((row) => ({ id: row.id as OrgId, name: String(row.name), timezone: String(row.timezone) }));
    },

    /** Creates the documents of one organization, or replaces those that are there, in one transaction. */
    async save(
      orgId: OrgId,
      documents: readonly { type: ResourceType; doc: ResourceInput<ResourceType> }[],
    ): Promise<void> {
      const parsed = documents.map(({ type, doc }) => ({ type, doc: resourceSchemas[type].parse(doc) }));
      const foreign = parsed.find(({ doc }) => doc.org_id !== orgId);
      if (foreign) throw new Error(`${foreign.type} ${foreign.doc.id} belongs to another organization than ${orgId}.`);
      await database.transaction(async (transaction) => {
        for (const { type, doc } of parsed) {
          await transaction.query(
            `INSERT INTO documents (type, id, org_id, version, external_id, created_at, doc)
             VALUES ($1, $2, $3, 1, $4, $5, $6)
             ON CONFLICT (type, id) DO UPDATE SET doc = excluded.doc, version = documents.version + 1`,
            [type, doc.id, orgId, doc.external_id ?? null, doc.created_at, JSON.stringify(doc)],
          );
        }
      });
      await database.announce(orgId);
    },

    /** All documents of an organization. */
    async documents(orgId: OrgId): Promise<ConfigDocument[]> {
      const rows = await database.query("SELECT type, doc FROM documents WHERE org_id = $1 ORDER BY created_at, id", [
        orgId,
      ]);
      return rows.map(toDocument);
    },
  };
}
export type ConfigStore = ReturnType<typeof createConfigStore>;

function toDocument({ type, doc }: DatabaseRow): ConfigDocument {
  const known = type as ResourceType;
  return { type: known, doc: resourceSchemas[known].parse(JSON.parse(String(doc))) } as ConfigDocument;
}
