import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { readable, UnreadableError } from "../../ingest/unreadable.ts";
import type { Page } from "../../sql/page.ts";
import { createAdding } from "./adding.ts";
import { allNamesFinder } from "./all-names.ts";
import { type ChangesDeps, createChanges } from "./changes.ts";
import { type ListFilter, listDocuments } from "./document-list.ts";
import type { StoredDocument } from "./documents.ts";
import { createEditing } from "./editing.ts";
import { createEdits, mustFind } from "./edits.ts";
import { createExclusiveReferences } from "./exclusive-references.ts";
import { type Document, type Fields, subset } from "./fields.ts";
import { createIntegrity } from "./integrity.ts";
import type { OrgConfig } from "./org-config.ts";
import { faultOf } from "./registry.ts";
import type { ResourceDefinition } from "./resource.ts";
import { createViews } from "./views.ts";

export interface ResourceServiceDeps extends ChangesDeps {
  readonly clock: Clock;
  /** The kinds of resource by their type. */
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  /** The organization's config as decisions have it. */
  configOf(orgId: string): OrgConfig | undefined;
}

/** What is done with config resources, the same for every kind (semantics 6). */
export function createResourceService(deps: ResourceServiceDeps) {
  const { database, clock, definitions, configOf } = deps;
  const findAllNames = allNamesFinder(definitions);
  const integrity = createIntegrity({ definitions, findAllNames });
  const exclusiveReferences = createExclusiveReferences(definitions);
  const change = createChanges(deps);
  const { applyEdit, detach } = createEdits({ integrity, exclusiveReferences, definitions, configOf });
  const { toView, toViews } = createViews({ findAllNames, clock });
  const adding = createAdding({ change, detach, toView, integrity, exclusiveReferences, clock, configOf });
  const editing = createEditing({ change, applyEdit, toView, clock });

  async function get(definition: ResourceDefinition, orgId: OrgId, id: string): Promise<Fields> {
    const stored = await mustFind(database, orgId, { definition, id });
    return toView(database, definition, readableDoc(stored));
  }

  async function list(
    definition: ResourceDefinition,
    orgId: OrgId,
    { filters = {}, ...page }: Page & { readonly filters?: Readonly<Record<string, string>> },
  ) {
    const now = clock.now();
    const { documents, total } = await listDocuments(database, orgId, {
      type: definition.type,
      page,
      filters: Object.entries(filters).map(([name, value]) => toFilter(definition, { name, value, now })),
    });
    const docs = readable(documents, readableDoc, deps.onTrouble);
    const views = await toViews(database, definition, docs);
    return { total, views: views.map((each) => subset(each, definition.listed)) };
  }

  return { ...adding, get, list, ...editing };
}
export type ResourceService = ReturnType<typeof createResourceService>;

/** Throws `UnreadableError`. */
function readableDoc({ type, doc }: StoredDocument): Document {
  const fault = faultOf(type, doc);
  if (fault !== null) throw new UnreadableError({ table: "documents", id: `${type} ${doc.id}` }, fault);
  return doc;
}

interface Asked {
  readonly name: string;
  readonly value: string;
  readonly now: number;
}

function toFilter(definition: ResourceDefinition, { name, value, now }: Asked): ListFilter {
  if (name === "is_paused") return { by: "pause", now: isoTime(now), value };
  return { ...(definition.filtersByReference?.[name] ?? { by: "field", field: name }), value };
}
