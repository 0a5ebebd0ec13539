import { v4 as uuidv4 } from "uuid";
import type { ConfigChange } from "../database/database.ts";
import type { DocumentKeys } from "./documents-bulk.ts";
import {
  clearedValue,
  type DocumentBase,
  type PrepareContext,
  type Reference,
  type ResourceDefinition,
} from "./resource.ts";

/** A document with the fields of its kind. */
export type Document = DocumentBase & Record<string, unknown>;
export type Fields = Record<string, unknown>;

/** What a create request wrote, a null as the value of a field that nobody has set. */
export const toWritten = (definition: ResourceDefinition, input: Fields): Fields => {
  const all = Object.keys(definition.writable.shape).map((name) => [
    name,
    input[name] ?? clearedValue(definition, name),
  ]);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
};

/** The writable fields after a patch: what was sent replaces, what was not stays, null clears. */
export function merge(definition: ResourceDefinition, doc: Document, input: Fields): Fields {
  const fields = Object.keys(definition.writable.shape).map((name) => {
    if (!(name in input) || input[name] === undefined) return [name, doc[name]];
    return [name, input[name] ?? clearedValue(definition, name)];
  });
  return Object.fromEntries(fields);
}

/** What no request writes: ids, times and pause state. */
export const unwritable = (definition: ResourceDefinition, doc: Document): Document =>
  Object.fromEntries(Object.entries(doc).filter(([name]) => !(name in definition.writable.shape))) as Document;

export const referencesOf = (definition: ResourceDefinition, doc: Fields): Reference[] =>
  definition.references?.(doc) ?? [];

/** What is looked up by, or must be unique; a key within the organization has it in front. */
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

export const entityOf = (definition: ResourceDefinition, doc: Document) => ({
  type: definition.type,
  id: doc.id,
  name: nameOf(definition, doc),
});

export const changeOf = (definition: ResourceDefinition, doc: Document): ConfigChange => ({
  orgId: doc.org_id,
  type: definition.type,
  id: doc.id,
});

/** The named fields alone; all of them when none are named. */
export const subset = (fields: Fields, names: readonly string[] | undefined): Fields =>
  names === undefined
    ? fields
    : Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));

/** What is written, as the kind's own rule has it. */
export const prepare = (
  definition: ResourceDefinition,
  written: Fields,
  about: Pick<PrepareContext<Document>, "previous" | "at" | "sent">,
): Fields => definition.prepare?.(written, { ...about, newId: uuidv4 }) ?? written;
