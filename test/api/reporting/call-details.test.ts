import { describe, expect, it } from "vitest";
import { toConsideredRoutes } from "../../../api/reporting/call-routes.ts";
import { toCallWebhooks } from "../../../api/reporting/call-webhooks.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { CallStory } from "../../../warehouse/calls/call-timeline.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import {
  aCallTrace,
  anInboundPing,
  anIncoming,
  anIncomingRequest,
  anOutboundPing,
  anOutgoingRequest,
  orgTwo,
  secondsIn,
  signalsOfCall,
  startOfTime,
} from "../../make.ts";
import { aCallOf, eventsOf } from "../../warehouse/rtb/store.ts";
import { openReports } from "./report-server.ts";

const details = "/reports/calls/{call_id}/details";
const path = "/reports/calls/call-1/details";

describe("the details of a call", () => {
  it("are all that is known of it, and nothing of another call", async () => {
    const { calls, requests, store, shown } = await openReports();
    const [, ...signals] = signalsOfCall(12);
    const events = eventsOf([anIncoming({ inbound_request_id: "ping-1" }), ...signals]);
    await calls([...events, aCallOf("call-2", { call_id: "call-2" as CallId })]);
    await store("call-traces", [
      aCallTrace({ id: "1", event: "route.skipped", detail: { kind: "rtb_formula", id: "rtb-1", reason: "closed" } }),
      aCallTrace({ id: "2", event: "dial.started", detail: { dial: 1, kind: "target", id: "tgt-1" } }),
      aCallTrace({ id: "3", call_id: "call-2" as CallId, event: "dial.started", detail: { dial: 1 } }),
    ]);
    await store("webhook-deliveries", [
      anOutgoingRequest({ created_at: secondsIn(13) }),
      anOutgoingRequest({ id: "out-2", created_at: secondsIn(13), call_id: "call-2" }),
      anIncomingRequest({ created_at: secondsIn(6), call_id: "call-1" }),
    ]);
    await requests([
      anInboundPing({ created_at: secondsIn(-20) }),
      anOutboundPing({ id: "bid-of-ping", created_at: secondsIn(-20), inbound_request_id: "ping-1" }),
      anOutboundPing({ id: "bid-of-call", call_id: "call-1", outcome: "no_bid", reason: "no_bid", bid: null }),
      anOutboundPing({ id: "bid-of-another", call_id: "call-2" }),
    ]);
    const found = await shown(path, details);
    expect(found.call).toMatchObject({ call_id: "call-1", revenue: 30, rtb_name: null, rtb_group_name: null });
    expect(found.terms).toMatchObject({ buyer: { revenue: 30 }, publisher: { payout: 20 }, adjusted: null });
    expect(found.rules).toMatchObject({ receivable: { met: true }, payable: { met: true, condition_seconds: 10 } });
    expect(found.routes).toMatchObject([
      { outcome: "refused", reason: "closed", destination_name: "Bidder of today", dial: null },
      { outcome: "connected", destination_id: "tgt-1", dial: 1 },
    ]);
    expect(found.bids).toMatchObject([
      { id: "bid-of-ping", call_id: "call-1", rtb_name: "Bidder of today", bid: 20 },
      { id: "bid-of-call", outcome: "no_bid", bid: null },
    ]);
    expect(found.ping).toEqual({
      request_id: "ping-1",
      outcome: "routes",
      reason: null,
      total_routes: 2,
      best_payout: 12.5,
    });
    expect(found.webhooks).toMatchObject([{ webhook_id: "hook-1", state: "delivered", attempts: [{ id: "out-1" }] }]);
    expect(found.received).toMatchObject([{ id: "in-1", webhook_name: "Leads", transaction_id: "t-1" }]);
    expect(found.timeline.map(({ event }: { event: string }) => event)).toContain("call.converted");
    expect([found.truncated, found.may_adjust]).toEqual([false, true]);
  });

  it("have no verdict on the money while the call is in progress", async () => {
    const { calls, shown } = await openReports();
    await calls(eventsOf(signalsOfCall(12).slice(0, 3)));
    const found = await shown(path, details);
    expect([found.call.ended_at, found.rules]).toEqual([null, null]);
    expect(found.terms.buyer.revenue).toBe(30);
  });

  it("of another organization, or none, are not found", async () => {
    const { calls, get } = await openReports();
    await calls(eventsOf(signalsOfCall(12)));
    expect((await get(path, orgTwo)).status).toBe(404);
    expect((await get("/reports/calls/none/details")).body.detail.code).toBe("not_found");
  });
});

/** What a warehouse holds of a call's signals, and what else is given. */
function storyOf(signals: Parameters<typeof eventsOf>[0], given: Partial<CallStory> = {}): CallStory {
  const events = eventsOf(signals) as unknown as readonly Row[];
  return { call: events.at(-1) ?? {}, events, traces: [], outgoing: [], incoming: [], truncated: false, ...given };
}
const trace = (event: string, detail: object): Row => ({ ...aCallTrace(), event, detail }) as unknown as Row;
const dial = (number: number, id = "tgt-1") => trace("dial.started", { dial: number, kind: "target", id });
const routesOf = (story: CallStory, ping: Row | null = null) => toConsideredRoutes({ story, ping, config: undefined });

describe("the routes considered for a call", () => {
  it("tell of each dial how it ended", () => {
    const traces = [
      dial(1, "busy"),
      trace("dial.ringing", { dial: 1 }),
      trace("dial.failed", { dial: 1, status: "busy" }),
      dial(2, "open"),
    ];
    expect(routesOf(storyOf(signalsOfCall(12), { traces }))).toMatchObject([
      { destination_id: "busy", outcome: "dial_failed", reason: "busy", rang: true, dial: 1 },
      { destination_id: "open", outcome: "connected", reason: null, dial: 2 },
    ]);
  });

  it("say of a dial that it goes on, or that the call ended meanwhile", () => {
    const [incoming, dialing, , hungUp] = signalsOfCall(12);
    if (!incoming || !dialing || !hungUp) throw new Error("A call has these signals.");
    const traces = [dial(1)];
    expect(routesOf(storyOf([incoming, dialing], { traces }))).toMatchObject([{ outcome: "dialing", reason: null }]);
    expect(routesOf(storyOf([incoming, dialing, hungUp], { traces }))).toMatchObject([
      { outcome: "given_up", reason: "caller_hangup" },
    ]);
  });

  it("begin with those of the publisher's ping", () => {
    const ping = anInboundPing({
      eligible_routes: [
        { route_id: "1", destination_type: "target", destination_id: "tgt-1", buyer_id: "b", payout: 5, revenue: 9 },
      ],
      ineligible_routes: [
        {
          route_id: "2",
          destination_type: "target",
          destination_id: "tgt-2",
          reason: "closed",
          detail: null,
          bid: null,
        },
      ],
    }) as unknown as Row;
    expect(routesOf(storyOf(signalsOfCall(12), { traces: [dial(1)] }), ping)).toMatchObject([
      { considered_by: "ping", destination_id: "tgt-1", outcome: "offered", bid: 9 },
      { considered_by: "ping", destination_id: "tgt-2", outcome: "refused", reason: "closed" },
      { considered_by: "call", destination_id: "tgt-1", outcome: "connected" },
    ]);
  });
});

describe("the webhooks of a call", () => {
  const hook = (id: string, event_type_id: string, given: object = {}) => ({
    id,
    name: `Hook ${id}`,
    event_type_id,
    ...given,
  });
  const now = startOfTime + 60_000;
  const webhooksOf = (story: CallStory, hooks: readonly { readonly id: string }[] = []) => {
    const config = { get: (_type: string, id: string) => hooks.find((each) => each.id === id) };
    return toCallWebhooks({ story, config: config as unknown as Parameters<typeof toCallWebhooks>[0]["config"], now });
  };
  const sent = (...attempts: Parameters<typeof anOutgoingRequest>[0][]) =>
    attempts.map((given) => anOutgoingRequest(given) as unknown as Row);
  const withHooks = (signals = signalsOfCall(12)) => {
    return storyOf([anIncoming({ webhook_ids: ["w1"] }), ...signals.slice(1)]);
  };

  it("have come through where any attempt did, are retried where one is to come, and have failed otherwise", () => {
    const refused = { outcome: "refused", response_status_code: 500 } as const;
    const states = (...attempts: Parameters<typeof sent>) =>
      webhooksOf({ ...storyOf(signalsOfCall(12)), outgoing: sent(...attempts) }).map(({ state }) => state);
    expect(states(refused, { ...refused, next_attempt_at: secondsIn(90) })).toEqual(["retrying"]);
    expect(states({ ...refused, next_attempt_at: secondsIn(20) }, refused)).toEqual(["failed"]);
    expect(states({ ...refused, next_attempt_at: secondsIn(20) }, {}, refused)).toEqual(["delivered"]);
  });

  it("are one for each event, with its attempts", () => {
    const outgoing = sent(
      { id: "a", event_id: "1" },
      { id: "b", event_id: "1", attempt: 2 },
      { id: "c", event_id: "2", event_type_id: "call.updated" },
    );
    const found = webhooksOf({ ...storyOf(signalsOfCall(12)), outgoing });
    expect(found.map(({ event_type_id, attempts }) => [event_type_id, attempts.map(({ id }) => id)])).toEqual([
      ["call.completed", ["a", "b"]],
      ["call.updated", ["c"]],
    ]);
  });

  it("that were sent nothing say why", () => {
    const over = withHooks();
    expect(webhooksOf(over)).toMatchObject([{ webhook_id: "w1", state: "not_sent", reason: "webhook_deleted" }]);
    expect(webhooksOf(over, [hook("w1", "call.failure")])).toMatchObject([
      { webhook_name: "Hook w1", state: "not_sent", reason: "no_such_event" },
    ]);
    expect(webhooksOf(over, [hook("w1", "call.completed")])).toMatchObject([
      { state: "waiting", reason: "first_attempt_to_come" },
    ]);
    const pause = { paused_at: secondsIn(0), paused_until: null, paused_by: "user:1" };
    expect(webhooksOf(over, [hook("w1", "call.completed", { pause })])).toMatchObject([
      { state: "waiting", reason: "webhook_paused" },
    ]);
    const live = withHooks(signalsOfCall(12).slice(0, 3));
    expect(webhooksOf(live, [hook("w1", "call.completed")])).toMatchObject([
      { state: "waiting", reason: "event_to_come" },
    ]);
  });
});
