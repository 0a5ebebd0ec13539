import { z } from "zod";

/**
 * Returns true for a field that may be left out and has no use for null: null is then as if it had not been sent. What
 * may be left out and yet refuses null is `.exactOptional()`.
 */
export const takesNullAsAbsent = (field: z.core.$ZodType): boolean =>
  field._zod.optin !== undefined && !(field instanceof z.ZodExactOptional) && !z.safeParse(field, null).success;

type Strip = (value: unknown) => unknown;

const asIs: Strip = (value) => value;
const known = new WeakMap<z.core.$ZodType, Strip>();

/** Returns a request's body without the nulls that are as if they had not been sent. */
export const withoutAbsentNulls = (schema: z.core.$ZodType, body: unknown): unknown => stripOf(schema)(body);

function stripOf(schema: z.core.$ZodType): Strip {
  const made = known.get(schema);
  if (made !== undefined) return made;
  // A schema may contain itself.
  known.set(schema, (value) => known.get(schema)?.(value) ?? value);
  const strip = makeStrip(schema);
  known.set(schema, strip);
  return strip;
}

function makeStrip(schema: z.core.$ZodType): Strip {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
      return stripOf(def.innerType);
    case "pipe":
      return stripOf(def.in._zod.def.type === "transform" ? def.out : def.in);
    case "lazy":
      return stripOf(def.getter());
    case "array":
      return listOf(stripOf(def.element));
    case "object":
      return objectOf(Object.entries(def.shape));
    case "union":
      return unionOf(def);
    default:
      return asIs;
  }
}

function listOf(element: Strip): Strip {
  return element === asIs ? asIs : (value) => (Array.isArray(value) ? value.map(element) : value);
}

/**
 * Strips by the option of the value's discriminator, or else by the first that takes what it leaves; what is of no option
 * stays as it is.
 */
function unionOf({ options, ...def }: z.core.$ZodUnionDef): Strip {
  const strips = options.map((option) => ({ option, strip: stripOf(option) }));
  if (strips.every(({ strip }) => strip === asIs)) return asIs;
  const key = "discriminator" in def ? String(def.discriminator) : undefined;
  if (key === undefined) return (value) => strips.map(({ strip }) => strip(value)).find(takenBy(options)) ?? value;
  return (value) => {
    const kind = (Object(value) as Record<string, z.core.util.Primitive>)[key];
    const found = strips.find(({ option }) => option._zod.propValues?.[key]?.has(kind));
    return found === undefined ? value : found.strip(value);
  };
}

const takenBy = (options: readonly z.core.$ZodType[]) => (stripped: unknown, index: number) => {
  const option = options[index];
  return option !== undefined && z.safeParse(option, stripped).success;
};

function objectOf(shape: readonly (readonly [string, z.core.$ZodType])[]): Strip {
  const fields = shape.map(([name, field]) => ({ name, isAbsent: takesNullAsAbsent(field), strip: stripOf(field) }));
  const changing = fields.filter(({ isAbsent, strip }) => isAbsent || strip !== asIs);
  if (changing.length === 0) return asIs;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const stripped: Record<string, unknown> = { ...value };
    for (const { name, isAbsent, strip } of changing) {
      if (!Object.hasOwn(stripped, name)) continue;
      if (isAbsent && stripped[name] === null) delete stripped[name];
      else stripped[name] = strip(stripped[name]);
    }
    return stripped;
  };
}
