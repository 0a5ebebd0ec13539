import type { Clock } from "../../ingest/clock.ts";
import type { Queryable } from "../database/database.ts";
import { type Document, type Fields, referencesOf } from "./document.ts";
import { type FindReferencedNames, findNaming } from "./document-references.ts";
import { pauseView } from "./pause.ts";
import type { ResourceDefinition, ViewContext } from "./resource.ts";

interface SerializerDeps {
  readonly findNames: FindReferencedNames;
  readonly clock: Clock;
}

/** Serializes documents as answers show them: with the names of referenced documents and with derived fields. */
export function createSerializer({ findNames, clock }: SerializerDeps) {
  async function serialize(db: Queryable, definition: ResourceDefinition, doc: Document): Promise<Fields> {
    const [only] = await serializeAll(db, definition, [doc]);
    return only ?? {};
  }

  /** Serializes documents of one type and organization, with one query for all names of a type. */
  async function serializeAll(
    db: Queryable,
    definition: ResourceDefinition,
    docs: readonly Document[],
  ): Promise<Fields[]> {
    const [first] = docs;
    if (first === undefined) return [];
    const references = docs.flatMap((doc) => referencesOf(definition, doc));
    const context = { find: await findNames(db, first.org_id, references), now: clock.now() };
    const { type, namedBy } = definition;
    if (namedBy === undefined) return docs.map((doc) => toAnswer(definition, doc, context));
    const namings = await findNaming(db, first.org_id, { type, ids: docs.map(({ id }) => id), by: namedBy.type });
    return docs.map((doc) => {
      const naming = namings.get(doc.id);
      return { ...toAnswer(definition, doc, { ...context, naming }), [namedBy.field]: naming?.id ?? null };
    });
  }

  return { serialize, serializeAll };
}

/** Returns a document as answers show it. */
export function toAnswer(definition: ResourceDefinition, doc: Document, context: ViewContext): Fields {
  const { pause: state, resumed_at: _resumedAt, id, org_id, created_at, updated_at, ...fields } = doc;
  return {
    id: definition.numericId ? Number(id) : id,
    org_id,
    created_at,
    updated_at,
    ...fields,
    ...(definition.pausable ? pauseView(state, context.now) : {}),
    ...definition.view?.(doc, context),
  };
}
