import type { Topic } from "../../ingest/log/log.ts";
import {
  aCallTrace,
  anAuditRecord,
  anInboundPing,
  anIncomingRequest,
  anOutboundPing,
  anOutgoingRequest,
  orgOne,
  orgTwo,
  secondsIn,
  signalsOfCall,
} from "../make.ts";
import { aCallOf, eventsOf } from "./rtb/store.ts";

const indexes = Array.from({ length: 60 }, (_, index) => index);
const oneOf = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;
/** From seconds to months apart. */
const times = [0, 1, 61, 3_600, 86_399, 86_400, 9_000_000, -9_000_000].map(secondsIn);
const texts = ["plain", "Zoë", 'a "quoted" \\ line\nbreak', "100% (NET)", "", "tab\t'", null];
const routes = [
  { route_id: "r1", destination_type: "target", destination_id: "tgt-1", buyer_id: "buy-1", payout: 0.1, revenue: 20 },
  {
    route_id: "r2",
    destination_type: "rtb_formula",
    destination_id: "rtb-1",
    buyer_id: null,
    payout: 12.3457,
    revenue: 1,
  },
] as const;

/** Messages of every topic, whose fields take each of their forms. */
export const messages: Partial<Record<Topic, readonly object[]>> = {
  "call-events": [
    ...eventsOf(signalsOfCall(16, { tags: { lead_type: "hot", "a'b": "é\n" } })),
    ...indexes.map((index) =>
      aCallOf(`call-${index + 2}`, {
        org_id: oneOf([orgOne, orgOne, orgTwo], index),
        started_at: oneOf(times, index),
        revenue: oneOf([12.5, null, 0.0001, 99_999.9999], index),
        converted: index % 3 === 0,
        inbound_request_id: `ping-${index % 7}`,
        rtb_id: oneOf(["rtb-1", null], index),
        campaign_name: oneOf(texts, index),
        tags: oneOf([{}, { a: "1" }, { a: "", b: "x" }], index),
      }),
    ),
  ],
  "call-traces": [
    aCallTrace(),
    aCallTrace({ id: "trace-2", detail: { reason: 'closed } ] "', ids: [1, null, { a: [] }] } }),
  ],
  "webhook-deliveries": indexes.flatMap((index) => [
    anOutgoingRequest({
      id: `out-${index}`,
      org_id: oneOf([orgOne, orgOne, orgTwo], index),
      created_at: oneOf(times, index * 5),
      body: oneOf(texts, index),
      outcome: oneOf(["delivered", "timeout", "refused"] as const, index),
      response_status_code: oneOf([200, 404, 503, null], index),
      delivery_id: oneOf([`d-${index % 9}`, null], index),
    }),
    anIncomingRequest({
      id: `in-${index}`,
      created_at: oneOf(times, index),
      body: oneOf(texts, index),
      transaction_id: oneOf(["t-1", null], index),
      headers: oneOf([{}, { "X-A": "b" }], index),
    }),
  ]),
  "rtb-requests": indexes.flatMap((index) => [
    anInboundPing({
      request_id: `ping-${index % 50}`,
      created_at: oneOf(times, index),
      outcome: oneOf(["routes", "cached", "no_routes"] as const, index),
      eligible_routes: [...routes.slice(0, index % 3)],
      total_routes: index % 3,
      allocated_count: index % 2,
      processing_ms: index * 1.5,
      best_payout: oneOf([null, 10.25], index),
      params: oneOf([{}, { zip: "1" }], index),
    }),
    anOutboundPing({
      id: `bid-${index}`,
      created_at: oneOf(times, index),
      outcome: oneOf(["bid", "no_bid", "timeout", "skipped"] as const, index),
      bid: oneOf([10.5, null], index),
      call_id: oneOf([`call-${index}`, null], index),
      inbound_request_id: `ping-${index % 7}`,
      won: index % 5 === 0,
      total_ms: index * 2.25,
      rtb_id: oneOf(["rtb-1", "rtb-2"], index),
    }),
  ]),
  "audit-log": indexes.map((index) =>
    anAuditRecord({
      id: `audit-${index}`,
      created_at: oneOf(times, index),
      entity_type: oneOf(["campaign", "target"], index),
      changes: oneOf([[{ field: "name", old: null, new: 'é \\ "' }], []], index),
    }),
  ),
};
