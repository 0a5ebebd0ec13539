import type { OutboundRtbRequest } from "../../../ingest/rtb.ts";
import type { ControlRefusal } from "./controls.ts";
import type { PingRefusal } from "./judge.ts";

/** What statistics count an execution as, by why it came to nothing (semantics 7.5); null is a bid. */
export const outcomeOf = (reason: PingRefusal | ControlRefusal | null): OutboundRtbRequest["outcome"] =>
  reason === null ? "bid" : outcomes[reason];

const outcomes: Readonly<Record<PingRefusal | ControlRefusal, OutboundRtbRequest["outcome"]>> = {
  no_bid: "no_bid",
  not_accepted: "no_bid",
  ping_timeout: "timeout",
  ping_http_error: "http_error",
  ping_unreachable: "http_error",
  ping_parse_error: "parse_error",
  // There was a bid; it could not be used.
  no_destination_number: "bid",
  ping_backoff: "skipped",
  ping_rate_limited: "skipped",
  ping_inflight_limited: "skipped",
};
