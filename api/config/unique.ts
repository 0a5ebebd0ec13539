import type { Queryable } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import { OvertakenError } from "./changes.ts";
import { type Document, keysOf } from "./fields.ts";
import type { ResourceDefinition } from "./resource.ts";

interface Checked {
  readonly doc: Document;
  readonly previous: Document | undefined;
}

/**
 * Throws `conflict` where another document has what no two may have. What the document had before is not judged again,
 * so that one of two from before a rule can be changed in other respects. Throws `OvertakenError` where the document
 * takes up a key that it already listed, free a moment ago and another organization's now.
 */
export async function checkUnique(db: Queryable, definition: ResourceDefinition, checked: Checked): Promise<void> {
  const { doc, previous } = checked;
  const { externalId, keys } = toCheck(definition, checked);
  if (externalId === null && keys.length === 0) return;
  const others = await db.query(
    `SELECT org_id, external_id FROM documents WHERE type = $1 AND id <> $2
     AND ((org_id = $3 AND external_id = $4) OR unique_key IN ($5, $6))`,
    [definition.type, doc.id, doc.org_id, externalId, keys[0] ?? null, keys[1] ?? null],
  );
  if (others.length === 0) return;
  const { one } = definition.title;
  const own = others.filter(({ org_id }) => org_id === doc.org_id);
  const unique = definition.uniqueKey?.(doc);
  const isExternal = externalId !== null && own.some(({ external_id }) => external_id === externalId);
  if (!isExternal && own.length < others.length && unique?.refusal !== undefined) {
    const wasListed = previous !== undefined && definition.uniqueKey?.(previous)?.key === unique.key;
    throw wasListed ? new OvertakenError() : unique.refusal();
  }
  const field = isExternal ? "external_id" : unique?.field;
  throw conflict(`There is a ${one} with this ${field} already: ${String(doc[field ?? ""])}.`);
}

/**
 * Returns the keys of the document that it did not have before. One that is unique everywhere is looked for as the
 * organization's own, too: so it stands in a row that lists it without holding it.
 */
function toCheck(definition: ResourceDefinition, { doc, previous }: Checked) {
  const { externalId, uniqueKey } = keysOf(definition, doc);
  const before = previous && keysOf(definition, previous);
  const key = definition.uniqueKey?.(doc)?.key;
  const isNewKey = key !== undefined && (!previous || definition.uniqueKey?.(previous)?.key !== key);
  const all = [uniqueKey === before?.uniqueKey ? null : uniqueKey, isNewKey ? `${doc.org_id}:${key}` : null];
  return {
    externalId: externalId === before?.externalId ? null : externalId,
    keys: [...new Set(all.filter((each) => each !== null))],
  };
}
