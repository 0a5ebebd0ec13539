import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { TraceEvent, TraceLine } from "../../ingest/trace.ts";

/** Log of one routing decision: lines of a call's timeline or a ping's life-log, and the record of each buyer that was asked. */
export interface DecisionTrace {
  /** Adds a line, and returns it with its time. */
  note(event: TraceEvent, detail?: TraceLine["detail"]): TraceLine;
  addPing(request: OutboundRtbRequest): void;
  /** Changes the record of a ping by what is known only later; false when the record is not in this trace. */
  amendPing(requestId: string, change: (request: OutboundRtbRequest) => OutboundRtbRequest): boolean;
}

export interface RecordedTrace extends DecisionTrace {
  readonly lines: readonly TraceLine[];
  readonly requests: readonly OutboundRtbRequest[];
  /** Returns a copy that goes on by itself. */
  fork(): RecordedTrace;
}

/** Creates a trace in memory; whoever answers the call or the ping publishes it. */
export const createDecisionTrace = (clock: Pick<Clock, "now">): RecordedTrace => record(clock, [], []);

function record(clock: Pick<Clock, "now">, lines: TraceLine[], requests: OutboundRtbRequest[]): RecordedTrace {
  return {
    fork: () => record(clock, [...lines], [...requests]),
    note(event: TraceEvent, detail: TraceLine["detail"] = {}): TraceLine {
      const line = { occurred_at: isoTime(clock.now()), event, detail };
      lines.push(line);
      return line;
    },
    addPing(request: OutboundRtbRequest): void {
      requests.push(request);
    },
    amendPing(requestId: string, change: (request: OutboundRtbRequest) => OutboundRtbRequest): boolean {
      const index = requests.findIndex(({ id }) => id === requestId);
      const found = requests[index];
      if (found !== undefined) requests[index] = change(found);
      return found !== undefined;
    },
    lines,
    requests,
  };
}
