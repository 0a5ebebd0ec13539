import { z } from "zod";
import { takesNullAsAbsent } from "./absent-nulls.ts";

export type Json = Record<string, unknown>;
export type SchemaUse = "body" | "parameters" | "answer";

/** Returns the description of a field that has none of its own; `parent` is the field or the schema that it is in. */
export type DescribeField = (name: string, type: unknown, parent: string) => string | undefined;

/**
 * Collects the schemas of a document's components. A zod schema with an `id` is one wherever it is used, by that name;
 * of what bodies take it is `CampaignInput`, as they may leave out what answers always have.
 */
export function createComponents(describeField: DescribeField, schemaTexts: Readonly<Record<string, string>>) {
  const schemas: Record<string, Json> = {};
  const nameOfSchema = new Map<z.ZodType, { readonly name: string; readonly text: string }>();

  function add(name: string, given: Json, text = schemaTexts[name.replace(/Input$/, "")]): Json {
    const schema = given["description"] === undefined && text !== undefined ? { ...given, description: text } : given;
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}: give one of them another id.`);
    }
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns the JSON Schema, its named parts moved to the components. */
  function convert(schema: z.ZodType, use: SchemaUse, name: string): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...json
    } = z.toJSONSchema(schema, {
      io: use === "answer" ? "output" : "input",
      unrepresentable: "any",
      reused: "inline",
      override: ({ zodSchema, jsonSchema }) => {
        if (use !== "answer" && zodSchema instanceof z.ZodCatch) letAnything(jsonSchema as Json);
        if (use === "body" && isPreprocessed(zodSchema)) letText(jsonSchema as Json);
        if (use === "body" && takesNullAsAbsent(zodSchema)) addNull(jsonSchema as Json);
        tidy(jsonSchema as Json, use);
      },
    }) as Json;
    const nameOf = (name: string): string => {
      // The only schema without an id that contains itself.
      if (name.startsWith("__schema")) return "AnyJson";
      return use === "body" && !name.endsWith("Request") ? `${name}Input` : name;
    };
    const finish = (part: Json, of: string) => redirect(describeFields(part, describeField, of), nameOf) as Json;
    for (const [part, definition] of Object.entries($defs as Record<string, Json>))
      add(nameOf(part), finish(definition, part));
    return finish(json, name);
  }

  return {
    schemas,
    convert,
    /** Returns a reference to a schema, named so and with this text unless it has a name of its own. */
    refer(schema: z.ZodType, use: SchemaUse, { name, text }: { readonly name: string; readonly text: string }): Json {
      const known = nameOfSchema.get(schema) ?? { name, text };
      const json = convert(schema, use, known.name);
      if ("$ref" in json || json["type"] === "string") return json;
      nameOfSchema.set(schema, known);
      return add(known.name, json, known.text);
    },
  };
}

/** Replaces references to zod's definitions by those to components. */
function redirect(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => redirect(each, nameOf));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    const name = key === "$ref" ? /^#\/\$defs\/(.+)$/.exec(String(each))?.[1] : undefined;
    return [key, name === undefined ? redirect(each, nameOf) : `#/components/schemas/${nameOf(name)}`];
  });
  return Object.fromEntries(entries);
}

/** Adds texts to properties that have none; `parent` is the field or the schema that the value is of. */
function describeFields(value: unknown, describeField: DescribeField, parent: string): unknown {
  if (Array.isArray(value)) return value.map((each) => describeFields(each, describeField, parent));
  if (typeof value !== "object" || value === null) return value;
  const { properties, ...json } = value as Json;
  const isMap = typeof properties === "object" && properties !== null && typeof Object(properties).type !== "string";
  const described = Object.entries(json).map(([key, each]) => [key, describeFields(each, describeField, parent)]);
  if (!isMap) return { ...Object.fromEntries(described), ...(properties === undefined ? {} : { properties }) };
  const fields = Object.entries(properties as Record<string, Json>).map(([name, property]) => {
    const inside = describeFields(property, describeField, name) as Json;
    const text = property["description"] ?? textInside(property) ?? describeField(name, property["type"], parent);
    return [name, text === undefined ? inside : { ...inside, description: text }];
  });
  return { ...Object.fromEntries(described), properties: Object.fromEntries(fields) };
}

/** The text of what may be null. */
const textInside = ({ anyOf }: Json): unknown =>
  (anyOf as Json[] | undefined)?.find(({ description }) => description)?.["description"];

/** Leaves the text of a schema that takes anything, as what it cannot read is as if it were not there. */
function letAnything(json: Json): void {
  for (const key of Object.keys(json)) if (key !== "description") delete json[key];
}

/** True where text is read before it is held against the schema. */
const isPreprocessed = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform;

/** Lets a schema take text, too: that of its value, or of its only item. */
function letText(json: Json): void {
  if ([json["type"]].flat().includes("string")) return void delete json["minLength"];
  const { description: _text, default: _default, ...bare } = json;
  for (const key of Object.keys(bare)) delete json[key];
  json["anyOf"] = [bare, { type: "string" }];
}

/** Lets a schema take null; the text and the default stay beside it. */
function addNull(json: Json): void {
  const { description, default: byDefault, ...bare } = json;
  if ([json["type"]].flat().includes("null")) return;
  if ((json["anyOf"] as Json[] | undefined)?.some(({ type }) => type === "null")) return;
  for (const key of Object.keys(json)) delete json[key];
  if (description !== undefined) json["description"] = description;
  if (byDefault !== undefined) json["default"] = byDefault;
  const values = bare["enum"] as unknown[] | undefined;
  if (typeof bare["type"] !== "string" || "const" in bare) json["anyOf"] = [bare, { type: "null" }];
  else Object.assign(json, bare, { type: [bare["type"], "null"] }, values && { enum: [...values, null] });
}

/**
 * Lets answers gain fields, which clients must accept; writes `anyOf` of one type and null as a list of types; and leaves out
 * the bounds of safe integers.
 */
export function tidy(json: Json, use: SchemaUse): void {
  if (use === "answer" && json["additionalProperties"] === false) delete json["additionalProperties"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
  const [only, none, ...more] = (json["anyOf"] as Json[] | undefined) ?? [];
  if (only === undefined || none?.["type"] !== "null" || more.length > 0 || typeof only["type"] !== "string") return;
  delete json["anyOf"];
  Object.assign(json, { ...only, ...json });
  addNull(json);
}
