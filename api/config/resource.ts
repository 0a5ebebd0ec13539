import { z } from "zod";
import { type OrgId, orgId, timestamp } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import type { ApiError } from "../serve/errors.ts";
import { pascalCase } from "../serve/operation-text.ts";
import { type PauseState, pauseFields } from "./pause.ts";

/** A reference to another document; `loc` is its place in the request, for errors. */
export interface Reference {
  readonly type: string;
  readonly id: string;
  readonly loc: readonly (string | number)[];
}

/** Returns id and name of a referenced document. */
export type FindName = (type: string, id: string | undefined) => { readonly id: string; readonly name: string } | null;

/** Fields of every document. */
export interface DocumentBase {
  readonly id: string;
  readonly org_id: OrgId;
  readonly created_at: string;
  readonly updated_at: string;
  /** Only the pause operations change it. */
  readonly pause?: PauseState | null;
  /** End of the last pause, by request or by its time; not shown in answers. */
  readonly resumed_at?: string;
}

export interface ViewContext {
  readonly find: FindName;
  readonly now: number;
  /** For a resource with `namedBy`: the document that references this one. */
  readonly naming?: Naming | undefined;
}

/** A document that references another one; `isHolder` if it owns the reference exclusively (`exclusive`). */
export interface Naming {
  readonly id: string;
  readonly isHolder: boolean;
}

export interface PrepareContext<D> {
  /** The document before the change; undefined on create. */
  readonly previous: D | undefined;
  /** Time of the change. */
  readonly at: string;
  /** Names of the fields in the patch. */
  readonly sent?: readonly string[];
  newId(): string;
}

/** A key that is unique within an organization, or everywhere. */
export interface UniqueKey {
  readonly key: string;
  readonly field: string;
  readonly everywhere?: boolean;
  /** Returns the error when another organization has the key. */
  refusal?(): ApiError;
}

/** The fields of a shape. */
export type FieldsOf<K extends z.ZodRawShape> = { -readonly [P in keyof K]: z.output<K[P]> };

/**
 * Definition of a resource type: its fields, and the few rules of its own. Operations and
 * their documentation, storage, constraints and audit are the same for all types (`resource-operations.ts`, `service.ts`).
 */
export interface ResourceDefinition<W extends z.ZodObject = z.ZodObject, K extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: string;
  /** Path segment: `targets`. */
  readonly path: string;
  /** Name of the path parameter: `target_id`. */
  readonly param: string;
  /** Display name, singular and plural. */
  readonly title: { readonly one: string; readonly many: string };
  /** The writable fields: required ones plain; the others, which null clears, with `.default()` or `.optional()`. */
  readonly writable: W;
  /** Stored fields that no request writes: set by `prepare` or by custom operations. */
  readonly kept?: K;
  /** Read-only fields of the answer beside those of every resource. */
  readonly readOnly?: z.ZodRawShape;
  readonly pausable?: boolean;
  /** Field that is a document's display name; default `name`. */
  readonly nameField?: keyof z.output<W> & string;
  /** Fields of list answers, if fewer than those of a single document. */
  readonly listed?: readonly string[];
  /** Query parameters of the list: each filters by the field of its name, or as in `filtersByReference`. */
  readonly filters?: z.ZodRawShape;
  /** Filters by documents of another type that this one references, or that reference this one. */
  readonly filtersByReference?: Readonly<Record<string, ReferenceFilter>>;
  /** References to documents of another type that one document at a time may hold, and the error code (409). */
  readonly exclusive?: { readonly type: string; readonly code: string; of(document: z.output<W>): readonly string[] };
  /** A read-only field with the id of the document of the given type that references this one, or null. */
  readonly namedBy?: { readonly field: string; readonly type: string };
  /** Fields masked in the audit log. */
  readonly secrets?: readonly string[];
  /** Fields of the answer by which this platform lets others in: masked for those who may only read. */
  readonly credentials?: readonly string[];
  /** Returns the references of a document. */
  references?(document: z.output<W>): Reference[];
  /** Adds row ids and stored fields; throws `ValidationError` for rules over several fields. */
  prepare?(
    written: z.output<W>,
    context: PrepareContext<z.output<W> & FieldsOf<K> & DocumentBase>,
  ): z.output<W> & FieldsOf<K>;
  /** Returns the document with fields that depend on other documents, read in the transaction of the change. */
  settle?(
    db: Queryable,
    document: z.output<W> & FieldsOf<K> & DocumentBase,
    previous: z.output<W> & FieldsOf<K> & DocumentBase,
  ): Promise<z.output<W> & FieldsOf<K> & DocumentBase>;
  /** Returns the read-only fields and nested names of the answer. */
  view?(document: z.output<W> & FieldsOf<K> & DocumentBase, context: ViewContext): Record<string, unknown>;
  /** Adds addresses of this installation to an answer. */
  addresses?(answer: Record<string, unknown>, baseUrl: string): Record<string, unknown>;
  /** Returns the key that no two documents may share. */
  uniqueKey?(document: z.output<W> & FieldsOf<K>): UniqueKey | null;
  /** Throws `conflict` while the document may not be deleted, for other reasons than references to it. */
  beforeRemove?(db: Queryable, document: z.output<W> & FieldsOf<K> & DocumentBase): Promise<void>;
  /** Removes the reference to a document from a referrer of the given type, for a delete with `?force=true`. */
  readonly detach?: {
    readonly type: string;
    without(document: DocumentBase & Record<string, unknown>, id: string): object;
  };
  /** Ids are whole numbers instead of UUIDs; anything else in the path is looked up by `uniqueKey`. */
  readonly numericId?: boolean;
  /** Example body of a create request. */
  readonly example: z.input<W>;
}

type ReferenceFilter = { readonly by: "naming" | "named_by"; readonly type: string } | { readonly by: "number_status" };

/** Defines a resource type, inferring the types of its fields. */
export const defineResource = <W extends z.ZodObject, K extends z.ZodRawShape = Record<never, never>>(
  definition: ResourceDefinition<W, K>,
): ResourceDefinition<W, K> => definition;

/** Body of a patch: any field, without defaults; null clears what may be left out on create. */
export const patchSchema = onceEach((definition) =>
  z.object(
    mapFields(definition, (field) => (isRequired(field) ? field.exactOptional() : bare(field).nullable().optional())),
  ),
);

/** Fields of an answer: those of every resource, the writable ones, and the read-only ones. */
export const answerSchema = onceEach((definition) => {
  const always = (field: z.ZodType) => !(field instanceof z.ZodOptional);
  return z
    .object({
      id: definition.numericId ? z.int() : z.string(),
      org_id: orgId,
      created_at: timestamp,
      updated_at: timestamp,
      ...mapFields(definition, (field) => (always(field) ? bare(field) : bare(field).optional())),
      ...(definition.pausable ? pauseFields : {}),
      ...(definition.namedBy ? { [definition.namedBy.field]: z.string().nullable() } : {}),
      ...definition.readOnly,
    })
    .meta({ id: pascalCase(definition.title.one) });
});

/** Makes a definition's schema once in a process: it is part of several operations, and compiled when it first parses. */
function onceEach(make: (definition: ResourceDefinition) => z.ZodObject): typeof make {
  const made = new WeakMap<ResourceDefinition, z.ZodObject>();
  return (definition) => {
    const schema = made.get(definition) ?? make(definition);
    made.set(definition, schema);
    return schema;
  };
}

/** Returns the value of a cleared field: its default, or undefined. */
export function clearedValue(definition: ResourceDefinition, name: string): unknown {
  const parsed = (definition.writable.shape[name] as z.ZodType | undefined)?.safeParse(undefined);
  return parsed?.success ? parsed.data : undefined;
}

type MapField = (field: z.ZodType) => z.ZodType;

const mapFields = ({ writable }: ResourceDefinition, map: MapField): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(writable.shape as Record<string, z.ZodType>).map(([name, field]) => {
      const mapped = map(field);
      // The description may be on the outer schema (default or optional), which `map` may have taken off.
      const isSilent = mapped.description === undefined && field.description !== undefined;
      return [name, isSilent ? mapped.describe(field.description ?? "") : mapped];
    }),
  );

const isRequired = (field: z.ZodType): boolean => bare(field) === field;

/** Returns a field's schema without its default and not optional. */
function bare(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? bare(field.unwrap() as z.ZodType) : field;
}
