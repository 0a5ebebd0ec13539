import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { TraceEvent, TraceLine } from "../../ingest/trace.ts";

/** Where routing tells of its way: lines of a call's timeline or a ping's life-log, and the record of each buyer asked. */
export interface Journal {
  note(event: TraceEvent, detail?: TraceLine["detail"]): void;
  asked(request: OutboundRtbRequest): void;
}

/** A journal in memory; what is in it is published by whoever answers the call or the ping. */
export function createJournal(clock: Clock) {
  const lines: TraceLine[] = [];
  const requests: OutboundRtbRequest[] = [];
  return {
    note(event: TraceEvent, detail: TraceLine["detail"] = {}): void {
      lines.push({ occurred_at: isoTime(clock.now()), event, detail });
    },
    asked(request: OutboundRtbRequest): void {
      requests.push(request);
    },
    lines: lines as readonly TraceLine[],
    requests: requests as readonly OutboundRtbRequest[],
  };
}
