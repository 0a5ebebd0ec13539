import { z } from "zod";
import { type OrgId, orgId, timestamp } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import type { ApiError } from "../serve/errors.ts";
import { type PauseState, pauseFields } from "./pause.ts";

/** A document that another one names; `loc` says where, for errors. */
export interface Reference {
  readonly type: string;
  readonly id: string;
  readonly loc: readonly (string | number)[];
}

/** Names of referenced documents, to be shown beside their ids. */
export type FindName = (type: string, id: string | undefined) => { readonly id: string; readonly name: string } | null;

/** What every document has beside its own fields. */
export interface DocumentBase {
  readonly id: string;
  readonly org_id: OrgId;
  readonly created_at: string;
  readonly updated_at: string;
  /** Kept apart from the writable fields: only the pause operations change it. */
  readonly pause?: PauseState | null;
  /** When a pause was last ended, by request or by its time; for what begins anew then, and shown to nobody. */
  readonly resumed_at?: string;
}

export interface ViewContext {
  readonly find: FindName;
  readonly now: number;
  /** Of a kind with `namedBy`: the document that names this one, and whether it has it for itself alone. */
  readonly naming?: Naming | undefined;
}

/** A document that names another one; `isHolder` where its kind names such documents for itself alone (`exclusive`). */
export interface Naming {
  readonly id: string;
  readonly isHolder: boolean;
}

export interface PrepareContext<D> {
  /** The document as it stood; undefined on create. */
  readonly previous: D | undefined;
  /** When it is written. */
  readonly at: string;
  /** Names of the fields that a patch sent. */
  readonly sent?: readonly string[];
  newId(): string;
}

/** What no two documents may share: within an organization, or everywhere. */
export interface UniqueKey {
  readonly key: string;
  readonly field: string;
  readonly everywhere?: boolean;
  /** Told instead of the usual words where another organization has it. */
  refusal?(): ApiError;
}

/** The fields of a shape; of no fields, nothing. */
export type FieldsOf<K extends z.ZodRawShape> = { -readonly [P in keyof K]: z.output<K[P]> };

/**
 * One kind of config resource: its fields as the specification's table has them, and the few rules of its own. Reading,
 * writing, listing, deleting, auditing and documenting are the same for all (`service.ts`, `operations.ts`).
 */
export interface ResourceDefinition<W extends z.ZodObject = z.ZodObject, K extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: string;
  /** Segment of the path: `targets`. */
  readonly path: string;
  /** Name of the path parameter: `target_id`. */
  readonly param: string;
  /** For people, singular and plural. */
  readonly title: { readonly one: string; readonly many: string };
  /** The writable fields: required ones plain, the others with `.default()` or `.optional()`. */
  readonly writable: W;
  /** Fields of the document that no request writes: what `prepare` makes, or an operation of its own. */
  readonly kept?: K;
  /** Fields that a null clears; for any other field it is `none_forbidden`. */
  readonly nullable: readonly (keyof z.output<W> & string)[];
  /** Read-only fields of the answer beside those that every resource has. */
  readonly readOnly?: z.ZodRawShape;
  readonly pausable?: boolean;
  /** Field that names a document to people; default `name`. */
  readonly nameField?: keyof z.output<W> & string;
  /** Fields of list answers, where they are fewer than those of a single one. */
  readonly listed?: readonly string[];
  /** Query parameters of the list; they filter by a field of the same name, or as `filtersByReference` says. */
  readonly filters?: z.ZodRawShape;
  /** Filters by documents of another kind that this one names, or that name this one. */
  readonly filtersByReference?: Readonly<Record<string, ReferenceFilter>>;
  /** Documents of another kind that only one of this kind may have at a time, and the code of the refusal (409). */
  readonly exclusive?: { readonly type: string; readonly code: string; of(document: z.output<W>): readonly string[] };
  /** A read-only field with the id of the document of this kind that names this one; null when none does. */
  readonly namedBy?: { readonly field: string; readonly type: string };
  /** Fields whose values stay out of the audit log. */
  readonly secrets?: readonly string[];
  /** Documents that this one names. */
  references?(document: z.output<W>): Reference[];
  /** Gives rows their ids and keeps their state; throws `ValidationError` for what a field alone cannot tell. */
  prepare?(
    written: z.output<W>,
    context: PrepareContext<z.output<W> & FieldsOf<K> & DocumentBase>,
  ): z.output<W> & FieldsOf<K>;
  /** Returns the document with what other documents decide of it, read in the change's transaction. */
  settle?(
    db: Queryable,
    document: z.output<W> & FieldsOf<K> & DocumentBase,
    previous: z.output<W> & FieldsOf<K> & DocumentBase,
  ): Promise<z.output<W> & FieldsOf<K> & DocumentBase>;
  /** Read-only fields and nested names of the answer. */
  view?(document: z.output<W> & FieldsOf<K> & DocumentBase, context: ViewContext): Record<string, unknown>;
  /** What no two documents of an organization may share, or no two at all. */
  uniqueKey?(document: z.output<W> & FieldsOf<K>): UniqueKey | null;
  /** Throws `conflict` while the document may not go, beside being referenced. */
  beforeRemove?(db: Queryable, document: z.output<W> & FieldsOf<K> & DocumentBase): Promise<void>;
  /** How `?force=true` takes this document out of those of another kind that name it, before it is deleted. */
  readonly detach?: {
    readonly type: string;
    without(document: DocumentBase & Record<string, unknown>, id: string): object;
  };
  /** The id is a whole number on the wire; otherwise a UUID. What is no whole number is looked up by `uniqueKey`. */
  readonly numericId?: boolean;
  /** A sample body of a create request. */
  readonly example: z.input<W>;
}

type ReferenceFilter = { readonly by: "naming" | "named_by"; readonly type: string } | { readonly by: "number_status" };

/** Infers the types of a definition's fields. */
export const defineResource = <W extends z.ZodObject, K extends z.ZodRawShape = Record<never, never>>(
  definition: ResourceDefinition<W, K>,
): ResourceDefinition<W, K> => definition;

/** Body of a create request. */
export const createSchema = (definition: ResourceDefinition): z.ZodObject =>
  definition.writable.extend(nullables(definition, (field) => field.nullable().optional()));

/** Body of a patch: any field, none of them filled in. */
export const patchSchema = (definition: ResourceDefinition): z.ZodObject =>
  z.object({
    ...mapFields(definition, (field) => bare(field).optional()),
    ...nullables(definition, (field) => field.nullable().optional()),
  });

/** The answer's fields: those of every resource, the writable ones, and the read-only ones. */
export function answerSchema(definition: ResourceDefinition): z.ZodObject {
  const always = (field: z.ZodType) => !(field instanceof z.ZodOptional);
  return z.object({
    id: definition.numericId ? z.int() : z.string(),
    org_id: orgId,
    created_at: timestamp,
    updated_at: timestamp,
    ...mapFields(definition, (field) => (always(field) ? bare(field) : bare(field).optional())),
    ...nullables(definition, (field) => field.nullable().optional()),
    ...(definition.pausable ? pauseFields : {}),
    ...(definition.namedBy ? { [definition.namedBy.field]: z.string().nullable() } : {}),
    ...definition.readOnly,
  });
}

/** The value that a cleared field has: its default, or none. */
export function clearedValue(definition: ResourceDefinition, name: string): unknown {
  const parsed = (definition.writable.shape[name] as z.ZodType | undefined)?.safeParse(undefined);
  return parsed?.success ? parsed.data : undefined;
}

type MapField = (field: z.ZodType) => z.ZodType;

const mapFields = ({ writable }: ResourceDefinition, map: MapField): z.ZodRawShape =>
  Object.fromEntries(Object.entries(writable.shape).map(([name, field]) => [name, map(field as z.ZodType)]));

const nullables = ({ writable, nullable }: ResourceDefinition, map: MapField): z.ZodRawShape =>
  Object.fromEntries(nullable.map((name) => [name, map(bare(writable.shape[name] as z.ZodType))]));

/** A field's own schema, without its default and without being optional. */
function bare(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? bare(field.unwrap() as z.ZodType) : field;
}
