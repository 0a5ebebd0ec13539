import { type Details, detailsSchema } from "../../../../assistant/web/calls/call.ts";

const condition = { condition: "call_length_connected", condition_seconds: 90 };
const call = {
  call_id: "call-1",
  status: "completed",
  started_at: "2026-11-23T17:00:00.000Z",
  connected_at: "2026-11-23T17:00:02.000Z",
  ended_at: "2026-11-23T17:00:13.000Z",
  campaign_id: "cmp-1",
  campaign_name: "Solar East",
  publisher_id: "pub-1",
  publisher_name: "Blue Lake Media",
  buyer_id: "buy-1",
  buyer_name: "Sunny Group",
  target_id: "tgt-1",
  target_name: "Sunny Roofs",
  rtb_name: null,
  rtb_group_name: null,
  number: "+18005550100",
  caller_id: "+12125550123",
  caller_state: "NY",
  caller_zip: null,
  duration: 13,
  connect_duration: 11,
  ivr_duration: null,
  termination_by: "target",
  failure_reason: null,
  attempts: 1,
  revenue: 0,
  payout: 0,
  profit: 0,
  revenue_overridden: false,
  converted: false,
  duplicate_of: null,
  is_duplicate: false,
  repeat_caller: false,
  tcpa_result: null,
  recording_url: null,
  tags: {},
};
const rule = { ...condition, met: false, allowed: true };

/** The details of a call that was connected for 11 s and earned nothing, with what is given of it. */
export const someDetails = ({
  call: given,
  ...rest
}: { readonly call?: Partial<Details["call"]> } & Omit<Partial<Details>, "call"> = {}): Details =>
  detailsSchema.parse({
    call: { ...call, ...given },
    terms: {
      buyer: { ...condition, revenue: 27.5 },
      publisher: { ...condition, payout: 16.5, percentage: null },
    },
    rules: { receivable: rule, payable: rule },
    routes: [],
    bids: [],
    ping: null,
    webhooks: [],
    received: [],
    timeline: [],
    truncated: false,
    may_adjust: true,
    may_redeliver: true,
    ...rest,
  });

export const aRoute = (given: Partial<Details["routes"][number]> = {}): Details["routes"][number] => ({
  at: "2026-11-23T17:00:00.000Z",
  considered_by: "call",
  destination_type: "target",
  destination_id: "tgt-1",
  destination_name: "Sunny Roofs",
  buyer_name: "Sunny Group",
  outcome: "refused",
  reason: "closed",
  detail: null,
  bid: null,
  dial: null,
  rang: false,
  ...given,
});
