import type { Clock } from "../../ingest/clock.ts";
import type { Queryable } from "../database/database.ts";
import type { FindAllNames } from "./all-names.ts";
import { findNaming } from "./document-references.ts";
import { type Document, type Fields, referencesOf } from "./fields.ts";
import { pauseView } from "./pause.ts";
import type { ResourceDefinition, ViewContext } from "./resource.ts";

/** Documents as answers show them: with the names of what they refer to, and what only reading can tell. */
export function createViews({ findAllNames, clock }: { findAllNames: FindAllNames; clock: Clock }) {
  async function toView(db: Queryable, definition: ResourceDefinition, doc: Document): Promise<Fields> {
    const [only] = await toViews(db, definition, [doc]);
    return only ?? {};
  }

  /** Documents of one kind and organization, with one query for all names of a kind. */
  async function toViews(db: Queryable, definition: ResourceDefinition, docs: readonly Document[]): Promise<Fields[]> {
    const [first] = docs;
    if (first === undefined) return [];
    const references = docs.flatMap((doc) => referencesOf(definition, doc));
    const context = { find: await findAllNames(db, first.org_id, references), now: clock.now() };
    const { type, namedBy } = definition;
    if (namedBy === undefined) return docs.map((doc) => view(definition, doc, context));
    const namings = await findNaming(db, first.org_id, { type, ids: docs.map(({ id }) => id), by: namedBy.type });
    return docs.map((doc) => {
      const naming = namings.get(doc.id);
      return { ...view(definition, doc, { ...context, naming }), [namedBy.field]: naming?.id ?? null };
    });
  }

  return { toView, toViews };
}

function view(definition: ResourceDefinition, doc: Document, context: ViewContext): Fields {
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
