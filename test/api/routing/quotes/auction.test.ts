import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FormulaLink } from "../../../../api/config/resources/rtb-group.ts";
import { type Bidder, boundsOf, rank, scoreOf } from "../../../../api/routing/quotes/auction.ts";
import { refusalByBounds } from "../../../../api/routing/quotes/bid-request.ts";

const aLink = (more: Partial<FormulaLink> = {}): FormulaLink => ({
  rtb_formula_id: "rtb-1",
  routing_modifier: 0,
  ...more,
});
const aBidder = (bid: number, link: Partial<FormulaLink> = {}, measured?: Bidder["measured"]): Bidder => ({
  bid,
  link: aLink(link),
  measured,
});
const unmeasured = { measured: false, conversionRate: 0, earningsPerCall: 0 };
const measured = (conversionRate: number) => ({ measured: true, conversionRate, earningsPerCall: 0 });

describe("the score of a bid", () => {
  it.each<[score: number, why: string, Bidder]>([
    [10, "is the bid where nothing predicts, whatever modifies it", aBidder(10, { routing_modifier: 5 })],
    [10, "is the whole bid of one that has not been tried often enough", aBidder(10, {}, unmeasured)],
    [2.5, "is what is to be expected of one that converts a quarter of its calls", aBidder(10, {}, measured(0.25))],
    [0, "is nothing for one that never converts", aBidder(10, {}, measured(0))],
    [
      12,
      "grows by percents",
      aBidder(10, { routing_modifier_type: "percentage", routing_modifier_value: 20 }, unmeasured),
    ],
    [
      3,
      "grows by dollars",
      aBidder(10, { routing_modifier_type: "amount", routing_modifier_value: 0.5 }, measured(0.25)),
    ],
    [
      10.5,
      "grows by the legacy modifier's percents where no type is given",
      aBidder(10, { routing_modifier: 5 }, unmeasured),
    ],
    [
      10,
      "is not changed by the legacy one beside a type",
      aBidder(10, { routing_modifier: 5, routing_modifier_type: "percentage" }, unmeasured),
    ],
    [9, "falls by percents", aBidder(10, { routing_modifier: -10 }, unmeasured)],
  ])("%d %s", (score, _why, bidder) => {
    expect(scoreOf(bidder)).toBeCloseTo(score, 10);
  });
});

const anyBidder = fc.record({
  bid: fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100),
  link: fc.record({
    rtb_formula_id: fc.uuid(),
    routing_modifier: fc.integer({ min: -10, max: 10 }),
    routing_modifier_type: fc.constantFrom("percentage" as const, "amount" as const),
    routing_modifier_value: fc.double({ min: -100, max: 100, noNaN: true }),
  }),
  measured: fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map(measured), { nil: undefined }),
});

describe("a ranking", () => {
  it("puts the highest bid first, and equals in the order of the group", () => {
    const bidders = [
      aBidder(8, { id: "a" }),
      aBidder(12, { id: "b" }),
      aBidder(12, { id: "c" }),
      aBidder(9, { id: "d" }),
    ];
    expect(rank(bidders).map(({ link }) => link.id)).toEqual(["b", "c", "d", "a"]);
  });

  it("puts the higher bid first among equal scores", () => {
    expect(rank([aBidder(5, {}, measured(1)), aBidder(10, {}, measured(0.5))]).map(({ bid }) => bid)).toEqual([10, 5]);
  });

  it("loses nobody, falls from score to score, and changes no bid, whatever modifies them", () => {
    fc.assert(
      fc.property(fc.array(anyBidder, { maxLength: 20 }), (bidders) => {
        const ranked = rank(bidders);
        const scores = ranked.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
        const bidOf = new Map(bidders.map(({ link, bid }) => [link.rtb_formula_id, bid]));
        expect(ranked).toHaveLength(bidders.length);
        for (const { link, bid } of ranked) expect(bid).toBe(bidOf.get(link.rtb_formula_id));
      }),
    );
  });
});

describe("a bid", () => {
  it.each([
    [5, 0, {}, null],
    [4.99, 5, {}, "bid_below_minimum"],
    [5, 5, {}, null],
    [6, 5, { minimum_bid_per_target: 7 }, "bid_below_minimum"],
    [6, 7, { minimum_bid_per_target: 5 }, "bid_below_minimum"],
    [80, 0, { maximum_bid_per_target: 80 }, null],
    [80.01, 0, { maximum_bid_per_target: 80 }, "bid_above_maximum"],
    [500, 0, { maximum_bid_per_target: 0 }, null],
  ])("of %d dollars in a group from %d on, by the link %j, is %s", (bid, minimum_bid, link, refusal) => {
    expect(refusalByBounds(bid, boundsOf({ minimum_bid }, aLink(link)))).toBe(refusal);
  });
});
