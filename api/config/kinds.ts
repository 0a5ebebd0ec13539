import { z } from "zod";
import { isTimeZone } from "../../ingest/time-zone.ts";
import { timezone } from "./resources/shapes.ts";

/** What is wrong with the kind of a value, by the field that has it; null where nothing is. */
type Check = (value: unknown) => string | null;

/**
 * Makes of a schema a check of kinds alone: that what must be text is text, what must be one of some words is one of
 * them, and so on inside lists and objects. Rules beyond that, such as limits, held when the document was written, and one
 * that was made stricter since shall take no document away from those that work by it. A twentieth of the time of the
 * schema's own parse.
 */
export function kindsOf(schema: z.core.$ZodType): Check {
  if (schema === timezone) return (value) => (isTimeZone(String(value)) ? null : "must be a time zone");
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unless((value) => value === undefined, kindsOf(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return unless((value) => value === null, kindsOf(schema.unwrap()));
  // What a transformation makes of a value cannot be told.
  if (schema instanceof z.ZodPipe) return schema.out instanceof z.ZodTransform ? anything : kindsOf(schema.out);
  if (schema instanceof z.ZodObject) return objectOf(schema.shape);
  if (schema instanceof z.ZodArray) return listOf(kindsOf(schema.element));
  if (schema instanceof z.ZodUnion) return anyOf(schema.options.map(kindsOf));
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values]);
  if (schema instanceof z.ZodRecord) return recordOf(kindsOf(schema.valueType));
  if (schema instanceof z.core.$ZodString) return typed("string", "text");
  if (schema instanceof z.core.$ZodNumber) return typed("number", "a number");
  if (schema instanceof z.ZodBoolean) return typed("boolean", "true or false");
  return anything;
}

const anything: Check = () => null;

const unless =
  (isFine: (value: unknown) => boolean, check: Check): Check =>
  (value) =>
    isFine(value) ? null : check(value);

const typed =
  (type: "string" | "number" | "boolean", kind: string): Check =>
  (value) =>
    typeof value === type ? null : `must be ${kind}`;

function oneOf(options: readonly unknown[]): Check {
  const known = new Set(options);
  return (value) => (known.has(value) ? null : `must be one of ${options.join(", ")}`);
}

const anyOf =
  (checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value) === null) ? null : "has none of the forms that it may have";

const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return "must be a list";
    for (const [index, each] of value.entries()) {
      const why = check(each);
      if (why !== null) return at(String(index), why);
    }
    return null;
  };

const recordOf =
  (check: Check): Check =>
  (value) => {
    if (!isObject(value)) return "must be an object";
    for (const [name, each] of Object.entries(value)) {
      const why = check(each);
      if (why !== null) return at(name, why);
    }
    return null;
  };

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectOf(shape: z.core.$ZodShape): Check {
  const checks = Object.entries(shape).map(([name, field]) => ({ name, check: kindsOf(field) }));
  return (value) => {
    if (!isObject(value)) return "must be an object";
    for (const { name, check } of checks) {
      const why = check(Reflect.get(value, name));
      if (why !== null) return at(name, why);
    }
    return null;
  };
}

/** `days.0.day: must be text`. */
const at = (name: string, why: string): string => `${name}${/^[\w.]+: /.test(why) ? "." : ": "}${why}`;
