import type { OpenCall } from "../../../api/telephony/open-call.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import { orgOne, secondsIn } from "../../make.ts";

/** A call that is being dialed for the first time. */
export const anOpenCall = (given: Partial<OpenCall> = {}): OpenCall => ({
  call_id: "0199c0de-0000-7000-8000-000000000001" as CallId,
  org_id: orgOne,
  campaign_id: null,
  publisher: null,
  number: "+18005550100",
  number_id: null,
  caller: "+12125550123",
  zip: null,
  state_code: "NY",
  tags: {},
  inbound_request_id: null,
  dial_plan: [],
  tried: [],
  dials: 1,
  state: "dialing",
  round: 2,
  menu: null,
  turns: 0,
  ringing: 0,
  connected_at: null,
  heard: false,
  refused_at: null,
  failure_reason: null,
  skew_ms: null,
  provider: "simulator",
  lease: null,
  dial_heard_at: secondsIn(0),
  started_at: secondsIn(0),
  instruction: { action: "none" },
  ...given,
});
