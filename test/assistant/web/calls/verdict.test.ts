import { describe, expect, it } from "vitest";
import { dialsOf, earningsOf, hearingOf, outcomeOf, sidesOf } from "../../../../assistant/web/calls/verdict.ts";
import { aRoute, someDetails } from "./a-call.ts";

const refused = { status: "failed", connected_at: null, connect_duration: 0, attempts: 0 } as const;

describe("what became of a call", () => {
  it("is told of one that was connected, with who ended it", () => {
    expect(outcomeOf(someDetails())).toEqual({
      words: "Connected to Sunny Roofs (Sunny Group) for 11 s; the destination hung up.",
      advice: null,
    });
    expect(
      outcomeOf(someDetails({ call: { connect_duration: null, termination_by: null, failure_reason: "lost" } })).words,
    ).toBe(
      "Connected to Sunny Roofs (Sunny Group) for an unknown time. The switch never reported the end of the call.",
    );
  });

  it("is told of one in progress", () => {
    const live = { ended_at: null, status: "connected" };
    expect(outcomeOf(someDetails({ call: live })).words).toBe("The caller is talking to Sunny Roofs (Sunny Group).");
    const ringing = { ...live, status: "incoming", connected_at: null };
    expect(outcomeOf(someDetails({ call: ringing })).words).toContain("is being put through to Sunny Roofs");
    const routed = { ...ringing, attempts: 0, target_name: null, buyer_name: null };
    expect(outcomeOf(someDetails({ call: routed })).words).toBe("The call is being routed.");
    const routes = [aRoute(), aRoute({ outcome: "dialing", reason: null, dial: 2, destination_name: "Night desk" })];
    const dialed = someDetails({ call: routed, routes, terms: { buyer: null, publisher: null } });
    expect(outcomeOf(dialed).words).toBe("The call is being put through to Night desk.");
    expect([dialsOf(dialed), sidesOf(dialed)[0].agreed]).toEqual([2, "not known yet"]);
  });

  it("is told of one that was refused at once, with what can be done", () => {
    expect(outcomeOf(someDetails({ call: { ...refused, failure_reason: "caller_blocked" } }))).toEqual({
      words: "The caller was not connected: the caller is on your block list.",
      advice: "Take the caller off the block list if that is a mistake.",
    });
  });

  it("counts why no destination took it, and says where that is not on record", () => {
    const call = { ...refused, failure_reason: "no_eligible_route" };
    const some = [aRoute({ reason: "cap_reached", detail: "buyer" }), aRoute({ destination_name: null, reason: null })];
    expect(outcomeOf(someDetails({ call, routes: some })).words).toBe(
      "The caller was not connected: no destination could take the call. " +
        "Sunny Roofs: a cap was reached (of its buyer); a deleted destination: for an unknown reason.",
    );
    const routes = [
      aRoute(),
      aRoute({ reason: "no_bid" }),
      aRoute(),
      aRoute(),
      aRoute({ considered_by: "ping", reason: "paused" }),
    ];
    expect(outcomeOf(someDetails({ call, routes })).words).toBe(
      "The caller was not connected: no destination could take the call. " +
        "4 destinations considered: 3 × it was closed at that time; 1 × the buyer did not bid.",
    );
    const busy = aRoute({ outcome: "dial_failed", reason: "busy" });
    const allBusy = { ...call, failure_reason: "busy", attempts: 2 };
    expect(outcomeOf(someDetails({ call: allBusy, routes: [busy, busy] })).words).toBe(
      "The caller was not connected: the line was busy. 2 destinations tried, all with this result.",
    );
    expect(outcomeOf(someDetails({ call: { ...allBusy, attempts: 1 }, routes: [busy] })).words).toBe(
      "The caller was not connected: the line was busy.",
    );
    expect(
      outcomeOf(someDetails({ call, routes: [aRoute({ outcome: "offered", considered_by: "ping" })] })).words,
    ).toContain("Which destinations were considered is not on record.");
  });
});

describe("what a call earned", () => {
  it("is explained where it is nothing", () => {
    expect(earningsOf(someDetails()).words).toBe(
      "Revenue $0.00, payout $0.00. The buyer pays $27.50 for calls connected 1 min 30 s or longer. " +
        "The condition was not met: it was connected 11 s.",
    );
    const waived = { condition: "call_successfully_connected", condition_seconds: 0, met: true, allowed: false };
    expect(earningsOf(someDetails({ rules: { receivable: waived, payable: waived } })).words).toContain(
      "Waived: an earlier call of the same caller counts.",
    );
  });

  it("is said to be open until the call is over, and to be corrected where it was", () => {
    expect(earningsOf(someDetails({ call: { ended_at: null, revenue: null } })).words).toBe(
      "What it earns is settled when it is over.",
    );
    expect(earningsOf(someDetails({ call: { revenue: 25, payout: null, revenue_overridden: true } })).words).toBe(
      "Revenue $25.00, payout unknown. Corrected after the call: see below.",
    );
  });

  it("says of a side that was corrected to nothing that it was, and not that it is due", () => {
    const met = { condition: "call_length_connected", condition_seconds: 90, met: true, allowed: true };
    const corrected = { call: { revenue_overridden: true }, rules: { receivable: met, payable: met } };
    const whyOf = (given: Parameters<typeof someDetails>[0]) => sidesOf(someDetails(given)).map(({ why }) => why);
    const line = { seq: 1, offset_ms: 0, at: "2026-11-23T18:00:00.000Z", source: "api", event: "payout.adjusted" };
    const ofRevenue = { ...line, detail: { revenue: { before: 27.5, after: 0 }, by: "api_key:1" } };
    expect(whyOf({ ...corrected, timeline: [ofRevenue] })).toEqual([
      "Corrected after the call.",
      "The condition was met.",
    ]);
    expect(whyOf(corrected)).toEqual(["Corrected after the call.", "Corrected after the call."]);
    const call = { ...refused, failure_reason: "busy", revenue_overridden: true };
    expect(whyOf({ call, timeline: [ofRevenue] })[0]).toBe("Corrected after the call.");
  });

  it("has the terms of each side, and says of old calls that they are not on record", () => {
    expect(sidesOf(someDetails())).toMatchObject([
      { name: "Revenue", amount: 0, agreed: "$27.50 for calls connected 1 min 30 s or longer" },
      { name: "Payout", amount: 0, agreed: "$16.50 for calls connected 1 min 30 s or longer" },
    ]);
    const publisher = { condition: "call_converted", condition_seconds: 0, payout: 0, percentage: 62 };
    const shared = someDetails({ terms: { buyer: null, publisher }, call: { ...refused, failure_reason: "busy" } });
    expect(sidesOf(shared)).toMatchObject([
      { agreed: "nothing, as the call got to no buyer", why: "Nothing is due: the caller was not connected." },
      { agreed: "62% of the revenue for calls that the buyer pays" },
    ]);
    expect(sidesOf(someDetails({ terms: null, rules: null }))).toMatchObject([
      { agreed: "not on record", why: "" },
      { agreed: "not on record", why: "" },
    ]);
  });
});

describe("who heard of a call", () => {
  const attempt = {
    id: "a",
    at: "2026-11-23T17:00:00.000Z",
    attempt: 1,
    trigger: "automatic",
    outcome: "delivered",
    response_status_code: 200,
    response_time_ms: 12,
    error: null,
    next_attempt_at: null,
  };
  const webhook = {
    webhook_id: "w",
    webhook_name: "CRM",
    event_type_id: "call.completed",
    reason: null,
    attempts: [attempt],
  };

  it("is counted by state, with what to do about failures", () => {
    const webhooks = (["delivered", "delivered", "failed", "not_sent"] as const).map((state) => ({
      ...webhook,
      state,
    }));
    expect(hearingOf(someDetails({ webhooks }))).toEqual({
      words: "2 webhooks delivered, 1 failed.",
      advice: "Look at what failed below, and send it again.",
    });
  });

  it("is nobody where no webhook is attached, or none was sent", () => {
    expect(hearingOf(someDetails()).words).toBe("No webhook is attached to its campaign or destination.");
    const unsent = { ...webhook, state: "not_sent" as const, reason: "no_such_event", attempts: [] };
    expect(hearingOf(someDetails({ webhooks: [unsent] })).words).toBe("No webhook was sent.");
  });
});
