import type { Call } from "../call.ts";
import { callEventSchema } from "../event.ts";
import type { EventLog, PartitionReader } from "../log/log.ts";
import { readJson } from "../parse.ts";
import type { Signal, Update } from "../signal.ts";
import { toCall } from "./due-events.ts";
import type { CallMemory } from "./memory.ts";
import { isUpdate } from "./update.ts";

type Stored = NonNullable<Update["stored"]>;
export type Recalled = ReadonlyMap<string, Call>;

/**
 * Restores calls that are no longer in memory and that updates are for: from a store's copy or the log's later events.
 * The sender of an update read the store a moment ago, and another update may have come between: the copy alone could
 * undo that one, so the few events behind it are read.
 */
export async function recall(
  log: Pick<EventLog, "ends" | "read">,
  { partition, signal: stop }: Pick<PartitionReader, "partition" | "signal">,
  { calls, signals }: { readonly calls: Pick<CallMemory, "get">; readonly signals: readonly Signal[] },
): Promise<Recalled> {
  const forgotten = findForgotten(calls, signals);
  const found = new Map([...forgotten].map(([callId, { call }]) => [callId, { ...call, last_signal: -1 }]));
  if (found.size === 0) return found;
  const end = (await log.ends("call-events"))[partition] ?? 0;
  const offset = Math.min(end, ...[...forgotten.values()].map(({ next_event }) => next_event));
  for await (const { key, value } of log.read({ topic: "call-events", partition, offset })) {
    if (stop.aborted) break;
    const known = found.get(key);
    if (known === undefined) continue;
    const event = callEventSchema.safeParse(readJson(value));
    if (event.success && event.data.version >= known.version) found.set(key, toCall(event.data));
  }
  return found;
}

/** Returns the forgotten calls by id; of several updates for one call, the newest copy counts. */
function findForgotten(calls: Pick<CallMemory, "get">, signals: readonly Signal[]): ReadonlyMap<string, Stored> {
  const forgotten = new Map<string, Stored>();
  for (const signal of signals) {
    const stored = isUpdate(signal) ? signal.update.stored : null;
    if (stored === null || calls.get(signal.call_id) !== undefined) continue;
    if (stored.call.call_id !== signal.call_id || stored.call.org_id !== signal.org_id) continue;
    const known = forgotten.get(signal.call_id);
    if (known === undefined || known.call.version < stored.call.version) forgotten.set(signal.call_id, stored);
  }
  return forgotten;
}
