import type { OrgId } from "../../ingest/primitives.ts";
import type { DatabaseValue, Queryable } from "../database/database.ts";

const hourMs = 3_600_000;

/** A document that is made or deleted, as much of it as is counted. */
export interface CountedDocument {
  readonly type: string;
  readonly orgId: string;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
}

/** A part of a list that lies between two times. */
export interface Stretch {
  /** Of the whole list. */
  readonly total: number;
  /** Documents of the list that come before the stretch, and those in it. */
  readonly before: number;
  readonly inside: number;
  /** Milliseconds since 1970, `toMs` not included. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Counts documents in the hours in which they were made, or with -1 out of them: in the transaction that makes or
 * deletes them, and as many at once as one statement takes.
 */
export async function countInHours(db: Queryable, documents: readonly CountedDocument[], sign: 1 | -1): Promise<void> {
  if (documents.length === 0) return;
  const params: DatabaseValue[] = [];
  const bind = (value: DatabaseValue) => `$${params.push(value)}`;
  const rows = byHour(documents).map(
    ({ orgId, type, hour, count }) => `(${bind(orgId)}, ${bind(type)}, ${bind(hour)}, ${bind(sign * count)})`,
  );
  await db.query(
    `INSERT INTO document_hours (org_id, type, hour, documents) VALUES ${rows.join(", ")}
     ON CONFLICT (org_id, type, hour) DO UPDATE SET documents = document_hours.documents + excluded.documents`,
    params,
  );
}

/** Each hour once, in one order, so that two transactions do not wait for each other in a circle. */
function byHour(documents: readonly CountedDocument[]) {
  const hours = new Map<string, { orgId: string; type: string; hour: number; count: number }>();
  for (const { orgId, type, createdMs } of documents) {
    const hour = Math.floor(createdMs / hourMs);
    const key = `${orgId} ${type} ${hour}`;
    const known = hours.get(key);
    if (known === undefined) hours.set(key, { orgId, type, hour, count: 1 });
    else known.count += 1;
  }
  return [...hours].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, hour]) => hour);
}

/** The hours in which the documents of a page were made; nothing is inside where the page lies behind the list's end. */
export async function findStretch(
  db: Queryable,
  orgId: OrgId,
  { type, page }: { type: string; page: { limit: number; offset: number; direction: "asc" | "desc" } },
): Promise<Stretch> {
  const isInside = `WHERE documents > 0 AND up_to > ${page.offset} AND up_to - documents < ${page.offset + page.limit}`;
  const [row] = await db.query(
    `SELECT max(total) AS total, sum(documents) FILTER (${isInside}) AS inside, min(up_to - documents) FILTER (${isInside}) AS before,
       min(hour) FILTER (${isInside}) AS first_hour, max(hour) FILTER (${isInside}) AS last_hour
     FROM (
       SELECT hour, documents, sum(documents) OVER () AS total, sum(documents) OVER (ORDER BY hour ${page.direction}) AS up_to
       FROM document_hours WHERE org_id = $1 AND type = $2
     ) AS hours`,
    [orgId, type],
  );
  return {
    total: Number(row?.total ?? 0),
    before: Number(row?.before ?? 0),
    inside: Number(row?.inside ?? 0),
    fromMs: Number(row?.first_hour ?? 0) * hourMs,
    toMs: (Number(row?.last_hour ?? 0) + 1) * hourMs,
  };
}
