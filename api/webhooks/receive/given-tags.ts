import { toDecimal } from "../../../ingest/parse.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import { type CallDataBody, toTruth } from "./bodies.ts";

/** The tags of a request: those that a call gets, and the names of those that fit no tag. */
export interface GivenTags {
  readonly tags: Readonly<Record<string, string>>;
  readonly ignored: readonly string[];
}
type CustomTags = ReadonlyMap<string, Resource<"custom_tag">>;

/** The limits of calls' tags (`tags` in ingest/primitives.ts). */
const maxTags = 100;
const maxValueLength = 1024;

/** Active custom tags by their keys in lower case. */
const customTagsOf = (config: Pick<OrgConfig, "all">): CustomTags =>
  new Map(config.all("custom_tag").flatMap((tag) => (tag.is_active ? [[tag.key.toLowerCase(), tag]] : [])));

/**
 * Returns the fields of a call-data body that are custom tags, in any case: its own, and those of its `custom_data` that it
 * does not have itself. Only a text, a number or a truth value can be a tag; all other fields are returned as ignored.
 */
export function tagsOfCallData(body: CallDataBody, config: Pick<OrgConfig, "all">): GivenTags {
  const { caller_id: _caller, transaction_id: _transaction, custom_data, ...extras } = body;
  const custom = customTagsOf(config);
  const nested = typeof custom_data === "object" && custom_data !== null ? Object.entries(custom_data) : [];
  // The later of a name wins.
  const all = [...nested, ...Object.entries(extras)];
  const isKnown = ([name]: readonly [string, unknown]): boolean => custom.has(name.toLowerCase());
  const { tags, ignored } = toGiven(all.filter(isKnown), custom);
  const unknown = all.filter((field) => !isKnown(field)).map(([name]) => name);
  const unread = custom_data === undefined || nested.length > 0 || isEmptyObject(custom_data) ? [] : ["custom_data"];
  return { tags, ignored: [...new Set([...ignored, ...unknown, ...unread])] };
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Returns tags that were sent as such: custom tags by their key and type, others as they are. */
export const tagsAsNamed = (all: Readonly<Record<string, string>>, config: Pick<OrgConfig, "all">): GivenTags =>
  toGiven(Object.entries(all), customTagsOf(config));

/** Returns the name of a tag in calls. */
export const tagNameOf = (name: string, config: Pick<OrgConfig, "all">): string =>
  customTagsOf(config).get(name.toLowerCase())?.key ?? name;

function toGiven(all: readonly (readonly [string, unknown])[], custom: CustomTags): GivenTags {
  const tags = new Map<string, string>();
  const ignored = new Set<string>();
  for (const [name, given] of all) {
    const tag = custom.get(name.toLowerCase());
    const value = toValue(given, tag?.data_type ?? "string");
    if (value === null || (tags.size >= maxTags && !tags.has(name))) ignored.add(name);
    else tags.set(tag?.key ?? name, value);
  }
  return { tags: Object.fromEntries(tags), ignored: [...ignored] };
}

/** Null for a value that is not of the tag's type. */
function toValue(given: unknown, type: Resource<"custom_tag">["data_type"]): string | null {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean") return null;
  const text = String(given).trim();
  switch (type) {
    case "string":
      return String(given).slice(0, maxValueLength).toWellFormed();
    case "number":
      return Number.isNaN(toDecimal(text)) ? null : String(toDecimal(text));
    case "boolean": {
      const truth = toTruth(text);
      return truth === undefined ? null : String(truth);
    }
  }
}
