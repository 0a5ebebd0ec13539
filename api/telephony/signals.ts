import type { EventLog } from "../../ingest/log/log.ts";
import type { SignalInput } from "../../ingest/signal.ts";

/** Makes signals durable in the log, in their order. */
export const signalPublisher =
  (log: Pick<EventLog, "publish">) =>
  async (signals: readonly SignalInput[]): Promise<void> => {
    await log.publish(
      signals.map((signal) => ({ topic: "call-signals", key: signal.call_id, value: JSON.stringify(signal) })),
    );
  };
