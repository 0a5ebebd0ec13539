import type { Request, Response } from "express";
import { z } from "zod";
import { distance } from "../../assistant/planner/words/nearby.ts";

/** A name in a request that its operation does not know, and the known name that was probably meant. */
export interface Ignored {
  readonly name: string;
  readonly did_you_mean: string | null;
}

/** Names that an answer lists at most, and characters of each. */
const [maxListed, maxNameLength] = [10, 64];

/** The schemas of an operation that say which names it knows. */
interface OperationSchemas {
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly takesItsAnswer?: boolean;
}

/**
 * Sets the headers `X-Ignored-Fields` and `X-Ignored-Parameters` for names that the operation does not know, and returns
 * the ignored parameters. Ignored input changes nothing, so a client that misspelt a filter would otherwise take a whole
 * list for a filtered one.
 */
export function reportIgnored(operation: OperationSchemas, { query, body }: Request, response: Response): Ignored[] {
  const shown = operation.takesItsAnswer === true ? { shown: operation.answer } : {};
  const fields = operation.body ? ignoredFields(body, { taken: operation.body, ...shown }) : [];
  if (fields.length > 0) response.set("X-Ignored-Fields", toIgnoredHeader(fields));
  const parameters = ignoredParameters(operation.query, query);
  if (parameters.length > 0) response.set("X-Ignored-Parameters", toIgnoredHeader(parameters));
  return parameters;
}

/** Adds the ignored parameters to the `meta` of a list; other answers stay as they are. */
export function withIgnored(answer: unknown, ignored: readonly Ignored[]): unknown {
  if (ignored.length === 0 || typeof answer !== "object" || answer === null || !("meta" in answer)) return answer;
  const { meta } = answer;
  if (typeof meta !== "object" || meta === null) return answer;
  return { ...answer, meta: { ...meta, ignored_parameters: ignored } };
}

/** Formats a header: a list of strings of RFC 9651, percent-encoded. */
export const toIgnoredHeader = (ignored: readonly Ignored[]): string =>
  ignored
    .map(({ name, did_you_mean: meant }) =>
      meant === null ? quote(name) : `${quote(name)};did-you-mean=${quote(meant)}`,
    )
    .join(", ");

const quote = (name: string): string => `"${encodeURIComponent(name)}"`;

/** Returns the unknown parameters of a query; a known `tag.<key>` covers every name with that prefix. */
export function ignoredParameters(
  schema: z.ZodObject | undefined,
  query: Readonly<Record<string, unknown>>,
): Ignored[] {
  const known = Object.keys(schema?.shape ?? {});
  const prefixes = known.filter((name) => name.endsWith("<key>")).map((name) => name.slice(0, -"<key>".length));
  return Object.keys(query)
    .filter((name) => !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
    .slice(0, maxListed)
    .map((name) => name.slice(0, maxNameLength).toWellFormed())
    .map((name) => ({ name, did_you_mean: nearestName(name, known) }));
}

/** The schemas of an operation's input, and of the fields that reads show besides, which may be sent back. */
interface Known {
  readonly taken: readonly z.ZodType[];
  readonly shown: readonly z.ZodType[];
}

/**
 * Returns the unknown fields of a body that `taken` has parsed, as paths such as `steps.0.urll`. `shown` is the schema of
 * an answer that may be sent back whole.
 */
export function ignoredFields(body: unknown, { taken, shown }: { taken: z.ZodType; shown?: z.ZodType }): Ignored[] {
  const found: Ignored[] = [];
  for (const each of unknownIn(body, { taken: [taken], shown: shown ? [shown] : [] }, "")) {
    found.push(each);
    if (found.length === maxListed) break;
  }
  return found;
}

function* unknownIn(value: unknown, known: Known, path: string): Generator<Ignored> {
  if (typeof value !== "object" || value === null) return;
  const { taken, shown } = { taken: known.taken.flatMap(alternatives), shown: known.shown.flatMap(alternatives) };
  if (![...taken, ...shown].some(hasNames)) return;
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
  const given = name.slice(0, maxNameLength).toWellFormed();
  const meant = nearestName(
    given,
    objects.flatMap(({ shape }) => Object.keys(shape)),
  );
  return { name: `${path}${given}`, did_you_mean: meant === null ? null : `${path}${meant}` };
}

/** Returns the schemas inside optional, default, transformed and union schemas. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => alternatives(each as z.ZodType));
  if (schema instanceof z.ZodPipe) return alternatives(schema.in as z.ZodType);
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapped ? alternatives(schema.unwrap() as z.ZodType) : [schema];
}

const isObject = (schema: z.ZodType): schema is z.ZodObject => schema instanceof z.ZodObject;

/** Returns true if the schema accepts any name. */
const isOpen = (schema: z.ZodType): boolean =>
  isObject(schema)
    ? schema.def.catchall !== undefined
    : [z.ZodRecord, z.ZodUnknown, z.ZodAny].some((each) => schema instanceof each);

/** Returns true if the schema, or what its lists hold, may say which names it knows. */
const hasNames = (schema: z.ZodType): boolean =>
  isObject(schema) || elementOf(schema).flatMap(alternatives).some(hasNames);

const elementOf = (schema: z.ZodType): z.ZodType[] =>
  schema instanceof z.ZodArray ? [schema.element as z.ZodType] : [];

const fieldOf =
  (name: string) =>
  ({ shape }: z.ZodObject): z.ZodType[] =>
    Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : [];

/** Keeps letters and digits only, so that `callId`, `call-id` and `Call_ID` are equal. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Returns the known name that a misspelt one was probably meant for: equal but for case and separators, one or two typing
 * errors away (two letters swapped are one), or the only one with that prefix (`campaign` of `campaign_id`). Null if none
 * is near.
 */
function nearestName(name: string, known: readonly string[]): string | null {
  const given = fold(name);
  if (given.length < 3) return null;
  const most = given.length >= 6 ? 2 : 1;
  const [first, second] = known
    .map((each) => ({ each, far: distance(given, fold(each), most) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, other) => one.far - other.far);
  if (first !== undefined && first.far !== second?.far) return first.each;
  const [only, another] = known.filter((each) => fold(each).startsWith(given));
  return only !== undefined && another === undefined ? only : null;
}
