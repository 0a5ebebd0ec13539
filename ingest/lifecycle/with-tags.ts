import type { Call } from "../call.ts";
import type { Signal } from "../signal.ts";

/** As many as a call may have (`tags` in primitives); of more, those that were there first stay. */
const maxTags = 100;

/**
 * The call with the signal's tags, the later value of a name winning; null when it has them all. A signal that is older
 * than what the call has heard since only adds what is missing, so that one which comes again takes nothing back.
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

/** The call after somebody outside has taken tags away and then given others. */
export function retag(call: Call, { tags, remove }: { tags: Call["tags"]; remove: readonly string[] }): Call {
  const kept = new Map(Object.entries(call.tags).filter(([name]) => !remove.includes(name)));
  for (const [name, value] of Object.entries(tags)) {
    if (kept.has(name) || kept.size < maxTags) kept.set(name, value);
  }
  return { ...call, tags: Object.fromEntries(kept) };
}
