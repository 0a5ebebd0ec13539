import type { Queryable } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import { type Document, keysOf } from "./fields.ts";
import type { ResourceDefinition } from "./resource.ts";

/** Throws `conflict` where another document has what no two may have. */
export async function checkUnique(db: Queryable, definition: ResourceDefinition, doc: Document): Promise<void> {
  const { externalId, uniqueKey } = keysOf(definition, doc);
  if (externalId === null && uniqueKey === null) return;
  const [other] = await db.query(
    `SELECT org_id, external_id FROM documents WHERE type = $1 AND id <> $2
     AND ((org_id = $3 AND external_id = $4) OR unique_key = $5) LIMIT 1`,
    [definition.type, doc.id, doc.org_id, externalId, uniqueKey],
  );
  if (other === undefined) return;
  const { one } = definition.title;
  const sameExternalId = externalId !== null && other.external_id === externalId && other.org_id === doc.org_id;
  const unique = definition.uniqueKey?.(doc);
  if (!sameExternalId && other.org_id !== doc.org_id && unique?.refusal !== undefined) throw unique.refusal();
  const field = sameExternalId ? "external_id" : unique?.field;
  throw conflict(`There is a ${one} with this ${field} already: ${String(doc[field ?? ""])}.`);
}
