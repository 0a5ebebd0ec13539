import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AllocatedRequest, toBinding } from "../../../../api/routing/inbound/binding.ts";
import type { Quote } from "../../../../api/routing/quotes/quote.ts";
import { startOfTime } from "../../../make.ts";
import { anAllocatedRequest, aQuote } from "./allocator.ts";

const minuteMs = 60_000;
const bound = { number: "+18005550001", place: 0, noLoss: true, takenAt: startOfTime };

/** A formula's quote that bid `bid` and was offered for `payout` dollars. */
function aBid(id: string, bid: number, payout: number): Quote {
  const won = { bid, duration: 30, phone_number: "+12125550100", captured: {}, tags: {} };
  return { ...aQuote(id, bid, payout), kind: "rtb_formula", won, usable_until: startOfTime + minuteMs };
}

const aRequest = (quotes: Quote[], given: Partial<AllocatedRequest> = {}): AllocatedRequest => ({
  ...anAllocatedRequest({ quotes, ...given }),
  expires_at: startOfTime + 30_000,
});

describe("who may take a route's place when it fails", () => {
  const idsOf = (given: Partial<typeof bound> = {}) => {
    const quotes = [aBid("a", 10, 8), aBid("b", 8.01, 6), aBid("c", 8, 6), aBid("d", 7.99, 6)];
    return toBinding(aRequest(quotes), { ...bound, ...given }).quotes.map(({ id }) => id);
  };

  it("is whoever owes as much as the publisher was promised, and where losses are allowed anybody", () => {
    expect(idsOf()).toEqual(["a", "b", "c"]);
    expect(idsOf({ noLoss: false })).toEqual(["a", "b", "c", "d"]);
  });
});

describe("the least that a winner may confirm", () => {
  const leastOf = (request: AllocatedRequest, given: Partial<typeof bound> = {}) =>
    toBinding(request, { ...bound, ...given }).quotes.map(({ minimum_bid }) => minimum_bid);

  it("is what the publisher was promised by the number, for each route that may take its place", () => {
    const quotes = [aBid("a", 10, 8), aBid("b", 9, 7)];
    expect(leastOf(aRequest(quotes))).toEqual([8, 8]);
    expect(leastOf(aRequest(quotes), { place: 1 })).toEqual([7, 7]);
  });

  it("is each route's own promise on a receive number", () => {
    const quotes = [aBid("a", 10, 8), aBid("b", 9, 7)];
    expect(leastOf(aRequest(quotes, { receive_mode: "static_multi_bid" }))).toEqual([8, 7]);
  });

  it("is never less than the group's", () => {
    expect(leastOf(aRequest([{ ...aBid("a", 10, 8), minimum_bid: 9 }]))).toEqual([9]);
  });

  it("is the group's where losses are allowed", () => {
    expect(leastOf(aRequest([{ ...aBid("a", 10, 8), minimum_bid: 1 }]), { noLoss: false })).toEqual([1]);
  });

  it("covers the payout of every quote of every binding", () => {
    const cents = fc.integer({ min: 1, max: 10_000 }).map((units) => units / 100);
    const mode = fc.constantFrom("dynamic" as const, "static_multi_bid" as const);
    const offered = fc.tuple(cents, cents).map(([one, other]) => [Math.max(one, other), Math.min(one, other)] as const);
    fc.assert(
      fc.property(fc.array(offered, { minLength: 1, maxLength: 5 }), mode, fc.nat(4), (all, receive_mode, place) => {
        const quotes = all.map(([bid, payout], index) => aBid(String(index), bid, payout));
        for (const quote of toBinding(aRequest(quotes, { receive_mode }), { ...bound, place }).quotes) {
          expect(quote.minimum_bid).toBeGreaterThanOrEqual(quote.publisher_terms?.payout ?? Number.NaN);
          expect(quote.minimum_bid).toBeLessThanOrEqual(quote.buyer_terms.revenue);
        }
      }),
    );
  });
});

describe("the bids of a call that came", () => {
  const untilOf = (quote: Quote, takenAt: number) =>
    toBinding(aRequest([quote]), { ...bound, takenAt }).quotes.map(({ usable_until }) => usable_until);

  it("stand while ten destinations ring for a minute each, however late in its allocation the call came", () => {
    const takenAt = startOfTime + 59_999;
    const [until] = untilOf(aBid("a", 10, 8), takenAt);
    expect(until).toBeGreaterThan(takenAt + 10 * minuteMs);
    expect(until).toBeLessThanOrEqual(takenAt + 15 * minuteMs);
  });

  it("stand no shorter than they did without it", () => {
    const long = { ...aBid("a", 10, 8), usable_until: startOfTime + 60 * minuteMs };
    expect(untilOf(long, startOfTime)).toEqual([startOfTime + 60 * minuteMs]);
  });

  it("of targets stand as long as their terms", () => {
    expect(untilOf(aQuote("a", 10, 8), startOfTime)).toEqual([null]);
  });
});
