import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { type EventLog, LogError, type NewMessage } from "../../ingest/log/log.ts";
import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { CallTrace, TraceLine } from "../../ingest/trace.ts";
import type { RecordedTrace } from "../routing/decision-trace.ts";
import type { OpenCall } from "./open-call.ts";

/** A message for the log, stored in the row of its call until the log has it (transactional outbox). */
export type OutboxMessage =
  | { readonly topic: "call-signals"; readonly value: SignalInput }
  | { readonly topic: "call-traces"; readonly value: CallTrace }
  | { readonly topic: "rtb-requests"; readonly value: OutboundRtbRequest };

/** The messages of a row. Only what publishing reads is checked. */
export const outboxSchema = z.array(
  z.object({
    topic: z.enum(["call-signals", "call-traces", "rtb-requests"]),
    value: z.looseObject({ call_id: z.string().nullish(), org_id: z.string() }),
  }),
);

export const signalMessage = (value: SignalInput): OutboxMessage => ({ topic: "call-signals", value });

/** The messages of one step: its decision trace, the pings of buyers, then the signals that followed from them. */
export const toMessages = (
  call: Pick<OpenCall, "call_id" | "org_id">,
  { lines, requests }: Pick<RecordedTrace, "lines" | "requests">,
  signals: readonly SignalInput[],
): OutboxMessage[] => [
  ...lines.map((line): OutboxMessage => ({ topic: "call-traces", value: toTrace(call, line) })),
  ...requests.map((value): OutboxMessage => ({ topic: "rtb-requests", value })),
  ...signals.map(signalMessage),
];

const toTrace = ({ call_id, org_id }: Pick<OpenCall, "call_id" | "org_id">, line: TraceLine): CallTrace => ({
  v: 1,
  id: uuidv7(),
  org_id,
  call_id,
  ...line,
});

/**
 * Returns a function that makes messages durable in the log, in their order. With `onTooLarge`, a message that is too
 * large for the log is reported and left out, so that its call can go on; without it, such a message is an error.
 */
export const publishTo =
  (log: Pick<EventLog, "publish">, onTooLarge?: (error: unknown) => void) =>
  async (outbox: readonly OutboxMessage[]): Promise<void> => {
    if (outbox.length === 0) return;
    const messages = outbox.map(toLogMessage);
    try {
      await log.publish(messages);
    } catch (error) {
      if (onTooLarge === undefined || !isTooLarge(error)) throw error;
      for (const message of messages) {
        await log.publish([message]).catch((cause: unknown) => {
          if (!isTooLarge(cause)) throw cause;
          onTooLarge(cause);
        });
      }
    }
  };

const isTooLarge = (error: unknown): boolean => error instanceof LogError && error.code === "message_too_large";

const toLogMessage = ({ topic, value }: OutboxMessage): NewMessage => ({
  topic,
  key: topic === "rtb-requests" ? value.org_id : value.call_id,
  value: JSON.stringify(value),
});

export interface OutboxDeps {
  /** Makes messages durable in the log. */
  publish(messages: readonly OutboxMessage[]): Promise<void>;
  /** Empties the outbox of a call's row; false where a later step has written the row since that version. */
  clear(callId: string, version: number): Promise<boolean>;
}

/** Publishes the outboxes of calls, those of one call in order of its steps. */
export function createOutbox({ publish, clear }: OutboxDeps) {
  const underWay = new Map<string, Promise<boolean>>();

  return {
    /**
     * Publishes what a row had in its outbox at that version, behind what is being published for the same call. Resolves to
     * false where a later step has written the row meanwhile.
     */
    publish(callId: string, version: number, messages: readonly OutboxMessage[]): Promise<boolean> {
      const before = underWay.get(callId);
      if (messages.length === 0) return before ?? Promise.resolve(true);
      // These messages include those that an earlier attempt failed to publish: the row still has them.
      const work = Promise.resolve(before?.catch(() => undefined)).then(async () => {
        await publish(messages);
        return clear(callId, version);
      });
      const done = () => {
        if (underWay.get(callId) === work) underWay.delete(callId);
      };
      underWay.set(callId, work);
      work.then(done, done);
      return work;
    },
    /** Resolves when what is being published for the call is in the log; undefined when nothing is. */
    publishing: (callId: string): Promise<boolean> | undefined => underWay.get(callId),
  };
}
