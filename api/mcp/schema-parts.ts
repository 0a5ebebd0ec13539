import { z } from "zod";

/** The schema of an object, which may be null or missing; throws for any other, which is a fault of the table of tools. */
export function objectOf(schema: z.ZodType | undefined): z.ZodObject {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return objectOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return schema;
  throw new Error("A tool expects its operation to answer an object here.");
}

/** The schema of one field of an object. */
export function fieldOf(schema: z.ZodObject, name: string): z.ZodType {
  const field = schema.shape[name];
  if (field === undefined) throw new Error(`A tool expects its operation to answer the field ${name}.`);
  return field as z.ZodType;
}

/** The schema of the rows of an array. */
export function rowOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodArray) return objectOf(schema.element as z.ZodType);
  throw new Error("A tool expects its operation to answer rows here.");
}

/** The schema of an object with some of its fields only. */
export const pick = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(names.map((name) => [name, fieldOf(schema, name)])));
