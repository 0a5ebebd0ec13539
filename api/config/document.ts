import type { ConfigChange } from "../database/database.ts";
import type { DocumentKeys } from "./documents.ts";
import type { DocumentBase, Reference, ResourceDefinition } from "./resource.ts";

/** A document with the fields of its resource type. */
export type Document = DocumentBase & Record<string, unknown>;
export type Fields = Record<string, unknown>;

/** A document to be written, and the one that it replaces; undefined on create. */
export interface DocumentChange {
  readonly definition: ResourceDefinition;
  readonly doc: Document;
  readonly previous: Document | undefined;
}

/** Returns the documents that a document references. */
export const referencesOf = (definition: ResourceDefinition, doc: Fields): Reference[] =>
  definition.references?.(doc) ?? [];

/** Returns the keys that a document is looked up by or unique by; one unique in its organization is prefixed with it. */
export function keysOf(definition: ResourceDefinition, doc: Document): DocumentKeys {
  const unique = definition.uniqueKey?.(doc);
  const { external_id } = doc;
  return {
    externalId: typeof external_id === "string" ? external_id : null,
    uniqueKey: unique == null ? null : unique.everywhere ? unique.key : `${doc.org_id}:${unique.key}`,
  };
}

export function nameOf(definition: ResourceDefinition | undefined, doc: Document): string {
  const name = doc[definition?.nameField ?? "name"];
  return typeof name === "string" ? name : doc.id;
}

/** Returns the entity that an audit record names. */
export const entityOf = (definition: ResourceDefinition, doc: Document) => ({
  type: definition.type,
  id: doc.id,
  name: nameOf(definition, doc),
});

/** Returns the change notification of a document. */
export const changeOf = (definition: ResourceDefinition, doc: Document): ConfigChange => ({
  orgId: doc.org_id,
  type: definition.type,
  id: doc.id,
});
