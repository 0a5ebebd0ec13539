import type { Call } from "../call.ts";
import type { Signal } from "../signal.ts";

/** Tags of one call at most (`tags` in primitives); the first ones stay. */
const maxTags = 100;

/**
 * Returns the call with the signal's tags, the later value of a name winning; null if nothing changes. A signal that is
 * older than the call's last one only adds missing tags, so that a repeat undoes nothing.
 */
export function withTags(
  call: Call,
  { at, tags }: Pick<Extract<Signal, { tags: object }>, "at" | "tags">,
): Call | null {
  const isOld = call.last_signal_at !== null && at < call.last_signal_at;
  const merged = new Map(Object.entries(call.tags));
  let isChanged = false;
  for (const [name, value] of Object.entries(tags)) {
    const known = merged.get(name);
    if (known === value || (known === undefined ? merged.size >= maxTags : isOld)) continue;
    merged.set(name, value);
    isChanged = true;
  }
  return isChanged ? { ...call, tags: Object.fromEntries(merged) } : null;
}

/** Returns the call after an external system removed tags and then set others. */
export function retag(call: Call, { tags, remove }: { tags: Call["tags"]; remove: readonly string[] }): Call {
  const kept = new Map(Object.entries(call.tags).filter(([name]) => !remove.includes(name)));
  for (const [name, value] of Object.entries(tags)) {
    if (kept.has(name) || kept.size < maxTags) kept.set(name, value);
  }
  return { ...call, tags: Object.fromEntries(kept) };
}
