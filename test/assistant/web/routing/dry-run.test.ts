import { describe, expect, it } from "vitest";
import { inShort, inTurns } from "../../../../assistant/web/routing/dry-run.ts";
import type { DryRoute, DryRun } from "../../../../assistant/web/routing/routing.ts";

const aRoute = (name: string, given: Partial<DryRoute> = {}): DryRoute => ({
  route_id: `to ${name}`,
  destination_type: "target",
  destination_id: name,
  destination_name: name,
  buyer_name: null,
  priority: 1,
  weight: 1,
  rtb_group_id: null,
  verdict: "eligible",
  reason: null,
  detail: null,
  bid: null,
  terms: null,
  turn: 1,
  share: 1,
  ...given,
});
const aBidder = (name: string, given: Partial<DryRoute> = {}) =>
  aRoute(name, { destination_type: "rtb_formula", verdict: "would_be_asked", ...given });
const refused = aRoute("Closed", { verdict: "refused", reason: "closed", turn: null, share: null });

const wordsOf = (outcome: DryRun["outcome"], routes: readonly DryRoute[], reason: string | null = null) =>
  inShort({
    outcome,
    reason,
    routes: [...routes],
    at: "2026-01-01T00:00:00.000Z",
    caller_id: null,
    caller_state: null,
    campaign: null,
    publisher: null,
    repeat_caller: false,
    tcpa_result: null,
    inbound_request_id: null,
  });

describe("who would take a call, in short", () => {
  it("is the one that is tried first, or the several that are drawn by weight, each as often as it comes first", () => {
    expect(wordsOf("taken", [refused, aRoute("Roofs"), aRoute("Later", { turn: 2 })]).words).toBe(
      "Roofs takes the call.",
    );
    const drawn = [aRoute("Roofs", { share: 0.625 }), aBidder("A", { share: 0.375 })];
    expect(wordsOf("taken", drawn).words).toBe(
      "One of 2 comes first, drawn by weight: Roofs (62.5%), A (37.5%, asked for a bid).",
    );
    expect(wordsOf("taken", [aRoute("Main", { destination_type: "ivr" })]).words).toBe("The menu Main takes the call.");
  });

  it("depends on buyers that are asked first, and says what comes without a bid", () => {
    const group = { route_id: "group", rtb_group_id: "grp-1" };
    const asked = [aBidder("A", group), aBidder("B", group)];
    expect(wordsOf("taken", [...asked, aRoute("Roofs", { turn: 2 })]).words).toBe(
      "2 buyers would be asked for bids. Without a bid: Roofs takes the call.",
    );
    expect(wordsOf("depends_on_bids", [aBidder("A")]).words).toBe(
      "A would be asked for a bid. Without a bid nobody takes it.",
    );
  });

  it("is the best bid of a group that was asked", () => {
    const group = { route_id: "group", rtb_group_id: "grp-1", verdict: "bid" } as const;
    expect(wordsOf("taken", [aBidder("Best", group), aBidder("Second", group)]).words).toBe("Best takes the call.");
  });

  it("is nobody, for the reason that there is, with what can be done", () => {
    expect(wordsOf("refused", [], "caller_blocked")).toEqual({
      words: "The call would be refused: the caller is on your block list.",
      advice: "Take the caller off the block list if that is a mistake.",
    });
    expect(wordsOf("not_taken", [refused], "no_eligible_route").words).toBe("No destination would take the call.");
  });
});

it("shows the refused apart, behind those that have a turn", () => {
  const [first, second] = [aRoute("One"), aRoute("Two", { turn: 2 })];
  expect(inTurns([refused, second, first])).toEqual({
    turns: [
      { turn: 1, routes: [first] },
      { turn: 2, routes: [second] },
    ],
    refused: [refused],
  });
});
