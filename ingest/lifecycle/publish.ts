import type { Clock } from "../clock.ts";
import { toDeadLetter } from "../dead-letter.ts";
import type { CallEvent } from "../event.ts";
import { type EventLog, LogError, type Message, type NewMessage, type PartitionReader } from "../log/log.ts";
import { type Retry, untilDone } from "../log/until-done.ts";
import { unreachable } from "../primitives.ts";
import type { CallMemory } from "./memory.ts";

/** An output of one step of the lifecycle, and the span that brought it. */
export type Output = {
  readonly traceparent?: string | undefined;
} /** `signal`: the message that brought the event; null when time did. */ & (
  | { readonly kind: "event"; readonly event: CallEvent; readonly signal: Message | null }
  /** The signal's message anew, where it belongs. */
  | { readonly kind: "rekeyed"; readonly message: NewMessage; readonly signal: Message }
  | { readonly kind: "letter"; readonly letter: NewMessage }
);

/** Published together: this many at most, and not much more than so many characters. */
const maxSliceMessages = 1000;
const maxSliceLength = 4 * 1024 * 1024;

interface PublisherParts {
  readonly log: Pick<EventLog, "publish">;
  readonly clock: Clock;
  readonly calls: CallMemory;
  readonly reader: PartitionReader;
  readonly retry: Retry;
}

/**
 * Publishes outputs in their order, slice by slice, and tells the memory where events stand; false when the reader was
 * stopped first. A crash between two slices is like one before them: the log then holds a beginning of the outputs, so
 * of each call a beginning of its events, and the rest follows again from the signals, which are not committed yet.
 */
export function createPublisher({ log, clock, calls, reader, retry }: PublisherParts) {
  async function publishSlice(slice: readonly Output[], messages: readonly NewMessage[]): Promise<boolean> {
    if (reader.signal.aborted) return false;
    const outcome = await untilDone(retry, () => publishOrRefuse(log, messages));
    if (outcome === null) return false;
    if (outcome.kind === "published") {
      slice.forEach((output, index) => {
        if (output.kind === "event") calls.published(output.event, outcome.positions[index]?.offset ?? -1);
      });
      return true;
    }
    const [only] = slice;
    if (only === undefined || slice.length === 1) return only === undefined || refuse(only, outcome.error);
    const middle = Math.ceil(slice.length / 2);
    const isLeftDone = await publishSlice(slice.slice(0, middle), messages.slice(0, middle));
    return isLeftDone && publishSlice(slice.slice(middle), messages.slice(middle));
  }

  /** Handles a message that the log can never take: the signal that caused it becomes a dead letter. */
  async function refuse(output: Output, error: LogError): Promise<boolean> {
    if (output.kind === "event") calls.unpublishable(output.event);
    const cause = output.kind === "letter" ? null : output.signal;
    if (cause === null) {
      retry.onTrouble(error);
      return true;
    }
    const { offset: position, key } = cause;
    const place = { source: reader.topic, partition: reader.partition, position, key };
    const fault = { now: clock.now(), reason: "refused_by_log", error: error.message } as const;
    const letter = toDeadLetter(place, cause.value, fault);
    return publishSlice([{ kind: "letter", letter }], [letter]);
  }

  return async (outputs: readonly Output[]): Promise<boolean> => {
    for (const slice of slicesOf(outputs)) {
      if (!(await publishSlice(slice.outputs, slice.messages))) return false;
    }
    return true;
  };
}

async function publishOrRefuse(log: Pick<EventLog, "publish">, messages: readonly NewMessage[]) {
  try {
    return { kind: "published", positions: await log.publish(messages) } as const;
  } catch (error) {
    if (error instanceof LogError && error.code === "message_too_large") return { kind: "too_large", error } as const;
    throw error;
  }
}

/** Messages are made as they are needed: those of a whole batch could be a hundred times as large as its signals. */
function* slicesOf(outputs: readonly Output[]): Generator<{ outputs: readonly Output[]; messages: NewMessage[] }> {
  let first = 0;
  let messages: NewMessage[] = [];
  let length = 0;
  for (const [index, output] of outputs.entries()) {
    const { traceparent } = output;
    const message = traceparent === undefined ? toMessage(output) : { ...toMessage(output), traceparent };
    messages.push(message);
    length += message.value.length;
    if (index + 1 < outputs.length && messages.length < maxSliceMessages && length < maxSliceLength) continue;
    yield { outputs: outputs.slice(first, index + 1), messages };
    first = index + 1;
    messages = [];
    length = 0;
  }
}

function toMessage(output: Output): NewMessage {
  switch (output.kind) {
    case "event":
      return { topic: "call-events", key: output.event.call_id, value: JSON.stringify(output.event) };
    case "rekeyed":
      return output.message;
    case "letter":
      return output.letter;
    default:
      return unreachable(output);
  }
}
