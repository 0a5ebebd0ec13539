import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { TraceEvent, TraceLine } from "../../ingest/trace.ts";

/** Where routing tells of its way: lines of a call's timeline or a ping's life-log, and the record of each buyer asked. */
export interface Journal {
  /** Returns the line, with the time that it bears. */
  note(event: TraceEvent, detail?: TraceLine["detail"]): TraceLine;
  asked(request: OutboundRtbRequest): void;
  /** What is known of a buyer's record only later; false when the record is no longer here. */
  amend(requestId: string, change: (request: OutboundRtbRequest) => OutboundRtbRequest): boolean;
}

export interface KeptJournal extends Journal {
  readonly lines: readonly TraceLine[];
  readonly requests: readonly OutboundRtbRequest[];
  /** A journal that begins with what is in this one, and leaves it as it is. */
  fork(): KeptJournal;
}

/** A journal in memory; what is in it is published by whoever answers the call or the ping. */
export const createJournal = (clock: Pick<Clock, "now">): KeptJournal => keep(clock, [], []);

function keep(clock: Pick<Clock, "now">, lines: TraceLine[], requests: OutboundRtbRequest[]): KeptJournal {
  return {
    fork: () => keep(clock, [...lines], [...requests]),
    note(event: TraceEvent, detail: TraceLine["detail"] = {}): TraceLine {
      const line = { occurred_at: isoTime(clock.now()), event, detail };
      lines.push(line);
      return line;
    },
    asked(request: OutboundRtbRequest): void {
      requests.push(request);
    },
    amend(requestId: string, change: (request: OutboundRtbRequest) => OutboundRtbRequest): boolean {
      const index = requests.findIndex(({ id }) => id === requestId);
      const found = requests[index];
      if (found !== undefined) requests[index] = change(found);
      return found !== undefined;
    },
    lines,
    requests,
  };
}
