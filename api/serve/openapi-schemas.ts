import { z } from "zod";
import { takesNullAsAbsent } from "./absent-nulls.ts";

export type Json = Record<string, unknown>;
export type SchemaUse = "body" | "parameters" | "answer";

/** Returns the description of a field that has none of its own. */
export type DescribeField = (name: string, type: unknown) => string | undefined;

/**
 * Collects the schemas of a document's components. A zod schema with an `id` is one wherever it is used, by that name;
 * of what bodies take it is `CampaignInput`, as they may leave out what answers always have.
 */
export function createComponents(describeField: DescribeField) {
  const schemas: Record<string, Json> = {};
  const nameOfSchema = new Map<z.ZodType, string>();

  function add(name: string, schema: Json): Json {
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}: give one of them another id.`);
    }
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns the JSON Schema, its named parts moved to the components. */
  function convert(schema: z.ZodType, use: SchemaUse): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...json
    } = z.toJSONSchema(schema, {
      io: use === "answer" ? "output" : "input",
      unrepresentable: "any",
      reused: "inline",
      override: ({ zodSchema, jsonSchema }) => {
        if (use === "body" && takesNullAsAbsent(zodSchema)) addNull(jsonSchema as Json);
        tidy(jsonSchema as Json, use);
      },
    }) as Json;
    const nameOf = (name: string): string => {
      // The only schema without an id that contains itself.
      if (name.startsWith("__schema")) return "AnyJson";
      return use === "body" && !name.endsWith("Request") ? `${name}Input` : name;
    };
    const finish = (part: unknown, naming: typeof nameOf) => redirect(describeFields(part, describeField), naming);
    for (const [name, part] of Object.entries($defs as Record<string, Json>))
      add(nameOf(name), finish(part, nameOf) as Json);
    return finish(json, nameOf) as Json;
  }

  return {
    schemas,
    convert,
    /** Returns a reference to a schema, named so unless it has a name of its own. */
    refer(schema: z.ZodType, use: SchemaUse, name: string): Json {
      const json = convert(schema, use);
      if ("$ref" in json || json["type"] === "string") return json;
      const known = nameOfSchema.get(schema) ?? name;
      nameOfSchema.set(schema, known);
      return add(known, json);
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

/** Adds texts to properties that have none. */
function describeFields(value: unknown, describeField: DescribeField): unknown {
  if (Array.isArray(value)) return value.map((each) => describeFields(each, describeField));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, describeFields(each, describeField)] as const);
  const json: Json = Object.fromEntries(entries);
  const { properties } = json;
  if (
    typeof properties !== "object" ||
    properties === null ||
    ("type" in properties && typeof properties.type === "string")
  )
    return json;
  const described = Object.entries(properties as Record<string, Json>).map(([name, property]) => {
    const description = property["description"] ?? textInside(property) ?? describeField(name, property["type"]);
    return [name, description === undefined ? property : { ...property, description }];
  });
  return { ...json, properties: Object.fromEntries(described) };
}

/** The text of what may be null. */
const textInside = ({ anyOf }: Json): unknown =>
  (anyOf as Json[] | undefined)?.find(({ description }) => description)?.["description"];

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
