import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { type EventLog, LogError, type NewMessage } from "../../ingest/log/log.ts";
import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { CallTrace, TraceLine } from "../../ingest/trace.ts";
import type { KeptJournal } from "../routing/journal.ts";
import type { OpenCall } from "./open-call.ts";

/** What a step of a call tells the log. */
export type Told =
  | { readonly topic: "call-signals"; readonly value: SignalInput }
  | { readonly topic: "call-traces"; readonly value: CallTrace }
  | { readonly topic: "rtb-requests"; readonly value: OutboundRtbRequest };

/** As a row keeps it: what the log is given of it, and no more. */
export const toldSchema = z.array(
  z.object({
    topic: z.enum(["call-signals", "call-traces", "rtb-requests"]),
    value: z.looseObject({ call_id: z.string().nullish(), org_id: z.string() }),
  }),
);

export const toSignal = (value: SignalInput): Told => ({ topic: "call-signals", value });

/** A journal's lines and records, then the signals that followed from them. */
export const toTold = (call: Called, { lines, requests }: Kept, signals: readonly SignalInput[]): Told[] => [
  ...lines.map((line): Told => ({ topic: "call-traces", value: toTrace(call, line) })),
  ...requests.map((value): Told => ({ topic: "rtb-requests", value })),
  ...signals.map(toSignal),
];
type Kept = Pick<KeptJournal, "lines" | "requests">;
type Called = Pick<OpenCall, "call_id" | "org_id">;

const toTrace = ({ call_id, org_id }: Called, line: TraceLine): CallTrace => ({
  v: 1,
  id: uuidv7(),
  org_id,
  call_id,
  ...line,
});

/**
 * Makes what was told durable in the log, in its order. What is too large for any log is left out and reported where
 * `onTooLarge` is given: for its sake a call must not hang for ever.
 */
export const tellingTo =
  (log: Pick<EventLog, "publish">, onTooLarge?: (error: unknown) => void) =>
  async (told: readonly Told[]): Promise<void> => {
    if (told.length === 0) return;
    const messages = told.map(toMessage);
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

const toMessage = ({ topic, value }: Told): NewMessage => ({
  topic,
  key: topic === "rtb-requests" ? value.org_id : value.call_id,
  value: JSON.stringify(value),
});
