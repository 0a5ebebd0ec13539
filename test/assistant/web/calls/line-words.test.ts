import { describe, expect, it } from "vitest";
import { actorWords, lineWords, namesOf } from "../../../../assistant/web/calls/line-words.ts";
import { aRoute, someDetails } from "./a-call.ts";

const names = namesOf(someDetails({ routes: [aRoute({ destination_id: "tgt-2", destination_name: "Night desk" })] }));
const wordsOf = (event: string, detail: Record<string, unknown> = {}) =>
  lineWords({ seq: 1, at: "2026-11-23T17:00:00.000Z", offset_ms: 0, source: "call", event, detail }, names);

describe("a line of a timeline", () => {
  it.each([
    ["call.incoming", { caller_id: null, number: "+1800" }, "Call from an anonymous caller to +1800"],
    ["call.on_5_secs_mark", { seconds: 5 }, "5 s connected"],
    ["route.skipped", { id: "tgt-2", reason: "closed" }, "Night desk skipped: it was closed at that time"],
    ["route.skipped", { id: "gone" }, "a destination skipped: for an unknown reason"],
    ["ping.result", { rtb_id: "r", outcome: "bid", bid: 12.5 }, "A buyer bid $12.50"],
    ["ping.result", { rtb_id: "r", outcome: "no_bid", bid: null }, "A buyer: the buyer did not bid"],
    ["dial.failed", { dial: 1, status: "busy" }, "The dial failed: the line was busy"],
    ["call.connected", { target_id: "tgt-1" }, "Connected to Sunny Roofs"],
    ["call.completed", { revenue: 0, payout: null }, "Completed: revenue $0.00, payout an unknown amount"],
    [
      "payout.adjusted",
      { revenue: { before: 0, after: 25 }, converted: { before: false, after: true } },
      "Corrected: revenue $0.00 → $25.00, converted no → yes",
    ],
    [
      "webhook.sent",
      { webhook_id: "w", event: "call.completed", status: null },
      "Webhook sent (call.completed): no answer",
    ],
    ["something.new", {}, "Something new"],
  ])("says of %s what it was", (event, detail, words) => {
    expect(wordsOf(event, detail)).toBe(words);
  });

  it("names who corrected the money", () => {
    expect([actorWords("user:anna"), actorWords("api_key:k1")]).toEqual(["anna", "API key k1"]);
  });
});
