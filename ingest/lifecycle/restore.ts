import { setImmediate as giveWay } from "node:timers/promises";
import { type CallEvent, callEventSchema, readCallEvent } from "../event.ts";
import type { EventLog, Message, PartitionReader } from "../log/log.ts";
import { createStoredReader } from "../stored-reader.ts";
import { type Place, placeOf, readOr, type UnreadableError } from "../unreadable.ts";
import type { CallMemory } from "./memory.ts";

const topic = "call-events";
/**
 * The fields that decide which of two events is newer. A call has ten events, and those that are skipped need no full
 * parse.
 */
const readHead = createStoredReader(callEventSchema.pick({ call_id: true, version: true }));
/** Events that are checked before others have their turn: some five milliseconds. */
const checkedAtOnce = 100;
type Head = Pick<CallEvent, "call_id" | "version">;
type Read<T> = (text: string, place: Place) => T;

interface RestoreParts {
  readonly calls: Pick<CallMemory, "published">;
  onTrouble(error: UnreadableError): void;
}

/**
 * Restores the calls of a partition from their newest events, from the committed offset of the events on. If that event
 * cannot be read, the newest readable one counts.
 */
export async function restore(
  log: Pick<EventLog, "read">,
  reader: Pick<PartitionReader, "partition" | "signal" | "committed">,
  { calls, onTrouble }: RestoreParts,
): Promise<void> {
  const { partition, signal: stop } = reader;
  const from = { topic, partition, offset: await reader.committed(topic) } as const;
  const unreadable = new Set<number>();

  function parse<T>(read: Read<T>, message: Message): T | null {
    const onUnreadable = (error: UnreadableError) => {
      if (!unreadable.has(message.offset)) onTrouble(error);
      unreadable.add(message.offset);
    };
    return readOr(() => read(message.value, placeOf({ topic, partition }, message)), onUnreadable, null);
  }

  async function findNewest<H extends Head>(read: Read<H>) {
    const newest = new Map<string, { readonly head: H; readonly message: Message }>();
    for await (const message of log.read(from)) {
      if (stop.aborted) break;
      const head = parse(read, message);
      if (head !== null && head.version > (newest.get(head.call_id)?.head.version ?? -1))
        newest.set(head.call_id, { head, message });
    }
    return newest;
  }

  const published = new Map<number, CallEvent>();
  const newest = await findNewest(readHead);
  for (const [index, { message }] of [...newest.values()].entries()) {
    if (index % checkedAtOnce === 0) await giveWay();
    const event = parse(readCallEvent, message);
    if (event !== null) published.set(message.offset, event);
  }
  if (published.size < newest.size)
    for (const { head: event, message } of (await findNewest(readCallEvent)).values())
      published.set(message.offset, event);
  if (stop.aborted) return;
  for (const [offset, event] of [...published].sort(([one], [other]) => one - other)) calls.published(event, offset);
}
