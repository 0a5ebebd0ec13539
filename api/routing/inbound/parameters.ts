import { isReserved } from "../../../ingest/primitives.ts";

/** Names and values as they were sent, in their order. */
export type Sent = readonly (readonly [name: string, value: string])[];

/** The parameters of a ping, before anything of them is understood. */
export interface PingParameters {
  readonly caller: string | null;
  readonly zip: string | null;
  readonly state: string | null;
  /** Everything else. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Folded names (semantics 8.9); of several that were sent, the first of a list goes first. */
const spellings = {
  caller: ["callerid", "cid", "caller", "callernumber", "ani", "phone", "phonenumber", "from"],
  zip: ["zipcode", "zip", "callerzip", "postalcode"],
  state: ["state", "callerstate"],
} as const;
const system: ReadonlySet<string> = new Set(Object.values(spellings).flat());

/** As tags are bounded on calls. */
const maxTags = 100;
const maxNameLength = 64;
const maxValueLength = 1024;
/** As a call's own ZIP and state are (`shortText` in ingest/primitives.ts): a longer one would cost the whole call. */
const maxPlaceLength = 255;

const foldName = (name: string): string => name.toLowerCase().replace(/[_\-\s.]/g, "");

/**
 * The parameters of a ping, whatever their spelling. The body's win over the query's, also where they are spelled in
 * another way, and what is empty was not sent. A tag has the key that the organization gave one that folds to the same,
 * else its own name.
 */
export function foldParameters(query: Sent, body: Sent, customKeys: readonly string[]): PingParameters {
  const [inBody, inQuery] = [foldNames(body), foldNames(query)];
  const sent = new Map([...inBody, ...[...inQuery].filter(([folded]) => !inBody.has(folded))]);
  const first = (names: readonly string[]) =>
    [inBody, inQuery].flatMap((from) => names.map((name) => from.get(name)?.value)).find(Boolean) ?? null;
  const placed = (names: readonly string[]) => first(names)?.slice(0, maxPlaceLength).toWellFormed() ?? null;
  const keys = new Map(customKeys.map((key) => [foldName(key), key]));
  const tags = [...sent]
    .filter(([folded, { name }]) => !system.has(folded) && name.length <= maxNameLength)
    .map(([folded, { name, value }]) => [keys.get(folded) ?? name, value] as const);
  return {
    caller: first(spellings.caller),
    zip: placed(spellings.zip),
    state: placed(spellings.state),
    tags: Object.fromEntries(tags.slice(0, maxTags)),
  };
}

/** By folded name, the first that is not empty. */
function foldNames(all: Sent): ReadonlyMap<string, { readonly name: string; readonly value: string }> {
  const sent = new Map<string, { readonly name: string; readonly value: string }>();
  for (const [name, given] of all) {
    const value = clean(given.slice(0, maxValueLength));
    const folded = foldName(name);
    if (folded !== "" && value !== "" && !sent.has(folded)) sent.set(folded, { name: clean(name), value });
  }
  return sent;
}

/** Text that every store can hold: no NUL, no half of a surrogate pair. */
const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed().trim();

/** A name that no record of the ping could keep, or null. */
export const reservedIn = (sent: Sent): string | null =>
  sent.map(([name]) => clean(name)).find((name) => isReserved(name)) ?? null;

/** The fields of a JSON body as they would stand in a form; what is nested, as its JSON. */
export const sentIn = (body: object): Sent =>
  Object.entries(body).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) return [];
    return [[name, typeof value === "object" ? JSON.stringify(value) : String(value)]];
  });

/** The same for pings that ask the same, however they spell it. */
export const toAskedKey = ({ caller, zip, state, tags }: PingParameters): string =>
  JSON.stringify([
    caller,
    zip,
    state,
    Object.entries(tags)
      .map(([name, value]) => [foldName(name), value])
      .sort(),
  ]);
