import type { OrgId } from "../../ingest/primitives.ts";
import { fromNearerEnd, type Page } from "../../sql/page.ts";
import type { DatabaseValue, Queryable } from "../database/database.ts";
import { columns, toStored } from "./documents.ts";

/** Filter of a list. Fields and types come from the resource's definition, values from the request. */
export type ListFilter = { readonly value: string } & (
  | { readonly by: "field"; readonly field: string }
  /** Documents that reference the one of this type whose id is the value, or that answers show as referenced by it. */
  | { readonly by: "naming" | "named_by"; readonly type: string }
  /** Numbers whose derived status is the value. */
  | { readonly by: "number_status" }
  /** "true": documents that are paused at the time `now`. */
  | { readonly by: "pause"; readonly now: string }
);

/** Returns one page by creation time, and the total number of matching documents. */
export async function listDocuments(
  db: Queryable,
  orgId: OrgId,
  { type, filters, page }: { type: string; filters: readonly ListFilter[]; page: Page },
) {
  const params: DatabaseValue[] = [orgId, type];
  const bind = (value: DatabaseValue) => `$${params.push(value)}`;
  const where = ["org_id = $1", "type = $2", ...filters.map((filter) => toCondition(filter, bind))].join(" AND ");
  const [count] = await db.query(`SELECT count(*) AS total FROM documents WHERE ${where}`, params);
  const total = Number(count?.total ?? 0);
  const { order, limit, offset, reversed } = fromNearerEnd(page, total);
  if (limit === 0) return { documents: [], total };
  // Longer ids are later ones where ids are whole numbers; others are all of one length.
  const rows = await db.query(
    `SELECT ${columns} FROM documents WHERE ${where}
     ORDER BY created_ms ${order}, length(id) ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`,
    params,
  );
  const documents = rows.map(toStored);
  return { documents: reversed ? documents.reverse() : documents, total };
}

function toCondition(filter: ListFilter, bind: (value: DatabaseValue) => string): string {
  const { by, value } = filter;
  if (by === "field") return `CAST(doc->'${filter.field}' AS TEXT) IN (${jsonOf(value).map(bind).join(", ")})`;
  if (by === "pause") {
    const until = "(doc->'pause'->>'paused_until')";
    const paused = `(doc->'pause'->>'paused_at') IS NOT NULL AND (${until} IS NULL OR ${until} > ${bind(filter.now)})`;
    return `${value === "true" ? "" : "NOT "}(${paused})`;
  }
  if (by === "number_status") return `(${numberStatus}) = ${bind(value)}`;
  const [own, other] = by === "naming" ? ["from", "to"] : ["to", "from"];
  const named = `r.${own}_type = documents.type AND r.${own}_id = documents.id AND r.${other}_type = '${filter.type}'`;
  const place = bind(value);
  const isNamed = `EXISTS (SELECT 1 FROM document_references r WHERE ${named} AND r.${other}_id = ${place})`;
  if (by === "naming") return isNamed;
  const held = `SELECT 1 FROM exclusive_references e WHERE e.from_type = '${filter.type}' AND e.to_id = documents.id`;
  // The one of several referrers that answers show: the exclusive owner, else the oldest.
  return `${isNamed} AND (EXISTS (${held} AND e.from_id = ${place}) OR NOT EXISTS (${held})) AND NOT EXISTS (
     SELECT 1 FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
     JOIN documents asked ON asked.type = '${filter.type}' AND asked.id = ${place}
     WHERE ${named} AND NOT EXISTS (${held}) AND (d.created_at < asked.created_at OR (d.created_at = asked.created_at AND d.id < asked.id)))`;
}

/** Returns the JSON forms of a value: as text, and as number or boolean. `->>` shows booleans alike in one engine only. */
const jsonOf = (value: string): string[] =>
  /^(true|false|-?\d[\d.eE+-]*)$/.test(value) ? [JSON.stringify(value), value] : [JSON.stringify(value)];

const numberStatus = `CASE WHEN (doc->>'number_pool_id') IS NOT NULL THEN 'pooled'
  WHEN EXISTS (SELECT 1 FROM exclusive_references e WHERE e.from_type = 'campaign' AND e.to_id = documents.id) THEN 'assigned'
  ELSE 'available' END`;
