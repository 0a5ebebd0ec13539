import type { z } from "zod";
import { describeFault } from "./fault.ts";
import { describeIssues, parseJson } from "./parse.ts";

/** The place that was read: a table and a row's id, or a topic and `partition:offset`. */
export interface Place {
  readonly table: string;
  readonly id: string;
}

/** Returns the place of a message of the log. */
export const placeOf = (
  { topic, partition }: { readonly topic: string; readonly partition: number },
  { offset }: { readonly offset: number },
): Place => ({ table: topic, id: `${partition}:${offset}` });

/** A row of a store, or a message of the log, that cannot be read. It is left as it is, and skipped. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
  readonly place: Place;
  /** The reason, without secrets. */
  readonly why: string;
  constructor(place: Place, why: string) {
    super(`${place.table} ${place.id} cannot be read: ${why}`);
    this.place = place;
    this.why = why;
  }
}

/** The value of a stored JSON document. Throws `UnreadableError`. */
export const parseStored = <S extends z.ZodType>(schema: S, text: unknown, place: Place): z.output<S> =>
  checkStored(schema, parseStoredJson(text, place), place);

/** Parses any stored JSON value. Throws `UnreadableError`. */
export function parseStoredJson(text: unknown, place: Place): unknown {
  const json = parseJson(String(text));
  if (json.ok) return json.value;
  // The parser's message would repeat a piece of the text.
  throw new UnreadableError(place, "it is no JSON");
}

/** A stored value that is no text any more, as the schema has it. Throws `UnreadableError`. */
export function checkStored<S extends z.ZodType>(schema: S, value: unknown, place: Place): z.output<S> {
  const parsed = schema.safeParse(value, { error: describeStoredFault });
  if (parsed.success) return parsed.data;
  throw new UnreadableError(place, describeIssues(parsed.error));
}

/** Text is named only where it should be one of some words: elsewhere it may be anything, secrets and callers' numbers too. */
const describeStoredFault: z.core.$ZodErrorMap = (issue) => {
  const isHidden = typeof issue.input === "string" && issue.code !== "invalid_value";
  return describeFault(isHidden ? Object.assign(issue, { input: "…" }) : issue);
};

/** Returns the results of those that `read` can read; `onUnreadable` receives the errors of the others. */
export function readable<R, T>(
  rows: readonly R[],
  read: (row: R) => T,
  onUnreadable: (error: UnreadableError) => void,
): T[] {
  const all: T[] = [];
  for (const row of rows) readOr(() => void all.push(read(row)), onUnreadable, undefined);
  return all;
}

/** Returns the result of `read`, or `otherwise` if it throws an `UnreadableError`, which `onUnreadable` receives. */
export function readOr<T, O>(read: () => T, onUnreadable: (error: UnreadableError) => void, otherwise: O): T | O {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    onUnreadable(error);
    return otherwise;
  }
}

/** Throws the error, for callers that cannot continue without the value. */
export function refuseUnreadable(error: UnreadableError): never {
  throw error;
}
