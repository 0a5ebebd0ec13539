import type { z } from "zod";
import { checkStored, type Place, parseStoredJson } from "./unreadable.ts";

type Check = (value: unknown) => boolean;

/**
 * Creates a reader of JSON documents that this program wrote. It validated them when it made them, so a document with every
 * field of its type is taken as it is, which is ten times as fast; any other, such as one of an earlier version that lacks
 * a field, goes through the schema. The schema's transforms must leave their own results as they are. The reader throws
 * `UnreadableError`.
 */
export function createStoredReader<S extends z.ZodType>(schema: S): (text: unknown, place: Place) => z.output<S> {
  const isComplete = checkOf(schema);
  return (text, place) => {
    const value = parseStoredJson(text, place);
    return isComplete(value) ? (value as z.output<S>) : checkStored(schema, value, place);
  };
}

/** A check of types and nothing else: formats and lengths are not looked at. What it does not know it refuses. */
function checkOf(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
      return (value) => typeof value === def.type;
    case "literal":
      return (value) => def.values.some((each) => each === value);
    case "enum": {
      const values: ReadonlySet<unknown> = new Set(Object.values(def.entries));
      return (value) => values.has(value);
    }
    case "default":
      return checkOf(def.innerType);
    case "nullable": {
      const check = checkOf(def.innerType);
      return (value) => value === null || check(value);
    }
    case "optional": {
      const check = checkOf(def.innerType);
      return (value) => value === undefined || check(value);
    }
    case "array": {
      const check = checkOf(def.element);
      return (value) => Array.isArray(value) && value.every(check);
    }
    case "record": {
      const check = checkOf(def.valueType);
      return (value) => isObject(value) && Object.values(value).every(check);
    }
    case "object":
      return checkOfFields(Object.entries(def.shape).map(([name, field]) => [name, checkOf(field)] as const));
    case "pipe":
      return checkOf(def.out._zod.def.type === "transform" ? def.in : def.out);
    default:
      return () => false;
  }
}

function checkOfFields(fields: readonly (readonly [string, Check])[]): Check {
  return (value) => {
    if (!isObject(value)) return false;
    for (const [name, check] of fields) if (!check(value[name])) return false;
    return true;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
