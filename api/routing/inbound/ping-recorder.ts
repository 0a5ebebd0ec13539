import type { Clock } from "../../../ingest/clock.ts";
import type { AskedPing } from "./asked-ping.ts";
import type { Answered } from "./ping.ts";
import { type Recorded, toMessages } from "./record.ts";
import { createRecordBuffer, type RecordBufferDeps } from "./record-buffer.ts";

export interface PingRecorderDeps extends RecordBufferDeps {
  readonly clock: Clock;
  /** Told how each ping was answered. */
  onRecorded?(outcome: Recorded["outcome"]): void;
}

/** Records how pings were answered, each after its answer: whoever asked has waited long enough. */
export function createPingRecorder(deps: PingRecorderDeps) {
  const records = createRecordBuffer(deps);

  function record(ping: AskedPing, recorded: Omit<Recorded, "answeredAt">): void {
    const { outcome, reason } = recorded;
    const answeredAt = deps.clock.now();
    deps.onRecorded?.(outcome);
    ping.trace.note("ping.answered", { outcome, reason });
    setImmediate(() => records.add(toMessages(ping, { ...recorded, answeredAt })));
  }

  return {
    record,
    recordAnswered: (ping: AskedPing, answered: Answered): void =>
      record(ping, { outcome: answered.outcome, reason: answered.reason, answered }),

    /** When no ping is running any more: hands the last records to the log. */
    async close(): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve));
      await records.close();
    },
  };
}
