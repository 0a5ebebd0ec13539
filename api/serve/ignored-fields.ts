import { z } from "zod";
import { type Ignored, longestTold, mostTold } from "./ignored.ts";
import { nearestName } from "./nearest-name.ts";

/** What an operation takes, and what reads show beside it: that may be written back (semantics 6.3). */
interface Known {
  readonly taken: readonly z.ZodType[];
  readonly shown: readonly z.ZodType[];
}

/**
 * The names in a body that its operation does not know, as paths from the body's own: `steps.0.urll`. They change
 * nothing, so whoever misspelt a field reads the answer to another request than was meant. The body is one that `taken`
 * has parsed; `shown` is the schema of an answer that may be sent back whole.
 */
export function ignoredFields(body: unknown, { taken, shown }: { taken: z.ZodType; shown?: z.ZodType }): Ignored[] {
  const found: Ignored[] = [];
  for (const each of unknownIn(body, { taken: [taken], shown: shown ? [shown] : [] }, "")) {
    found.push(each);
    if (found.length === mostTold) break;
  }
  return found;
}

function* unknownIn(value: unknown, known: Known, path: string): Generator<Ignored> {
  if (typeof value !== "object" || value === null) return;
  const { taken, shown } = { taken: known.taken.flatMap(alternatives), shown: known.shown.flatMap(alternatives) };
  if (Array.isArray(value)) {
    const elements = { taken: taken.flatMap(elementOf), shown: shown.flatMap(elementOf) };
    for (const [index, each] of value.entries()) yield* unknownIn(each, elements, `${path}${index}.`);
    return;
  }
  const objects = { taken: taken.filter(isObject), shown: shown.filter(isObject) };
  if (taken.some(isOpen) || objects.taken.length + objects.shown.length === 0) return;
  for (const [name, field] of Object.entries(value)) {
    const fields = { taken: objects.taken.flatMap(fieldOf(name)), shown: objects.shown.flatMap(fieldOf(name)) };
    if (fields.taken.length > 0 || fields.shown.length > 0) yield* unknownIn(field, fields, `${path}${name}.`);
    else yield toIgnored(name, path, objects.taken);
  }
}

function toIgnored(name: string, path: string, objects: readonly z.ZodObject[]): Ignored {
  const said = name.slice(0, longestTold).toWellFormed();
  const meant = nearestName(
    said,
    objects.flatMap(({ shape }) => Object.keys(shape)),
  );
  return { name: `${path}${said}`, did_you_mean: meant === null ? null : `${path}${meant}` };
}

/** The schemas beneath what makes a field optional, gives it another form, or leaves a choice. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => alternatives(each as z.ZodType));
  if (schema instanceof z.ZodPipe) return alternatives(schema.in as z.ZodType);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? alternatives(schema.unwrap() as z.ZodType) : [schema];
}

const isObject = (schema: z.ZodType): schema is z.ZodObject => schema instanceof z.ZodObject;

/** Whether it has room for any name. */
const isOpen = (schema: z.ZodType): boolean =>
  isObject(schema)
    ? schema.def.catchall !== undefined
    : [z.ZodRecord, z.ZodUnknown, z.ZodAny].some((each) => schema instanceof each);

const elementOf = (schema: z.ZodType): z.ZodType[] =>
  schema instanceof z.ZodArray ? [schema.element as z.ZodType] : [];

const fieldOf =
  (name: string) =>
  ({ shape }: z.ZodObject): z.ZodType[] =>
    Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : [];
