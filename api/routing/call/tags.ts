type Tags = Readonly<Record<string, string>>;

/** Bounds of a call's tags (`tags` in ingest/primitives.ts). */
const maxTags = 100;
const maxKeyLength = 64;
const maxValueLength = 1024;

/** The tags with more of them, the later value of a name winning; what would be too many or too long is cut. */
export function addTags(tags: Tags, more: Tags): Tags {
  const all = new Map(Object.entries(tags));
  for (const [name, value] of Object.entries(more)) {
    const key = name.slice(0, maxKeyLength).toWellFormed();
    if (key === "" || (!all.has(key) && all.size >= maxTags)) continue;
    all.set(key, value.slice(0, maxValueLength).toWellFormed());
  }
  return Object.fromEntries(all);
}

/** Returns the tags that `known` does not have, or has with another value. */
export const newTags = (tags: Tags, known: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([name, value]) => known[name] !== value));
