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

/** Spellings of each parameter, in lower case without separators; of several that were sent, the first of a list counts. */
const spellings = {
  caller: ["callerid", "cid", "caller", "callernumber", "ani", "phone", "phonenumber", "from"],
  zip: ["zipcode", "zip", "callerzip", "postalcode"],
  state: ["state", "callerstate"],
} as const;
const system: ReadonlySet<string> = new Set(Object.values(spellings).flat());

/** Most tags of a ping, as of a call. */
const maxTags = 100;
const maxNameLength = 64;
const maxValueLength = 1024;
/** Bound of a call's own ZIP and state (`shortText` in ingest/primitives.ts): a longer one would cost the whole call. */
const maxPlaceLength = 255;

const foldName = (name: string): string => name.toLowerCase().replace(/[_\-\s.]/g, "");

/**
 * The parameters of a ping, whatever their spelling. The body's win over the query's, also where they are spelled in
 * another way, and what is empty was not sent. A tag has the key that the organization gave one that folds to the same,
 * else its own name.
 */
export function foldParameters(query: Sent, body: Sent, customKeys: readonly string[]): PingParameters {
  const [inBody, inQuery] = [foldNames(body), foldNames(query)];
  const keys = new Map(customKeys.map((key) => [foldName(key), key]));
  const tags: [string, string][] = [];
  for (const from of [inBody, inQuery]) {
    for (const [folded, { name, value }] of from) {
      if (system.has(folded) || name.length > maxNameLength || tags.length >= maxTags) continue;
      if (from === inBody || !inBody.has(folded)) tags.push([keys.get(folded) ?? name, value]);
    }
  }
  return {
    caller: firstOf(spellings.caller, inBody, inQuery),
    zip: firstOf(spellings.zip, inBody, inQuery)?.slice(0, maxPlaceLength).toWellFormed() ?? null,
    state: firstOf(spellings.state, inBody, inQuery)?.slice(0, maxPlaceLength).toWellFormed() ?? null,
    tags: Object.fromEntries(tags),
  };
}

type Folded = ReadonlyMap<string, { readonly name: string; readonly value: string }>;

/** The value of the first of these names in the body, else in the query. */
function firstOf(names: readonly string[], ...among: readonly Folded[]): string | null {
  for (const sent of among) {
    if (sent.size === 0) continue;
    for (const name of names) {
      const found = sent.get(name)?.value;
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** Keeps of each folded name the first value that is not empty. */
function foldNames(all: Sent): Folded {
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
