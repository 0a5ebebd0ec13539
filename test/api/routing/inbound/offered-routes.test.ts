import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import { type PricedQuote, toOfferedRoutes } from "../../../../api/routing/inbound/offered-routes.ts";
import type { Quote } from "../../../../api/routing/quotes/quote.ts";
import { payoutConditions } from "../../../../ingest/terms.ts";
import { orgOne, secondsIn } from "../../../make.ts";
import { aQuote } from "./allocator.ts";

type Given = Partial<ResourceInput<"inbound_rtb">>;
const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const anEndpoint = (given: Given = {}) =>
  toDocument("inbound_rtb", { ...about, id: "5", campaign_id: "cmp-1", publisher_id: "pub-1", ...given });

const priced = (quote: Quote, given: Partial<PricedQuote> = {}): PricedQuote => ({
  quote,
  payable: true,
  receivable: true,
  ...given,
});
const owing = (id: string, revenue: number, terms: Partial<Quote["buyer_terms"]> = {}): Quote => {
  const quote = aQuote(id, revenue, null);
  return { ...quote, buyer_terms: { ...quote.buyer_terms, ...terms } };
};
const offeredOf = (quotes: readonly Quote[], given: Given = {}, noLoss = true) =>
  toOfferedRoutes(
    quotes.map((quote) => priced(quote)),
    anEndpoint(given),
    { noLoss },
  );
const firstOf = (quote: Quote, given: Given = {}) => offeredOf([quote], given).offered[0];

describe("a dynamic payout", () => {
  it.each([
    [30, 80, 24],
    [12.99, 100, 12.99],
    [12.99, 33, 4.28],
    [0.29, 100, 0.29],
    [1.15, 10, 0.11],
  ])("of a revenue of %d at %d percent is %d, floored to the cent", (revenue, payout_percentage, payout) => {
    expect(firstOf(owing("a", revenue), { payout_percentage })).toMatchObject({ payout, revenue });
  });

  it("takes the buyer's seconds and those that the endpoint adds, on the buyer's condition", () => {
    expect(firstOf(owing("a", 30), { duration_add_seconds: 15 })).toMatchObject({
      duration: 45,
      payout_condition: "call_length_connected",
      payout_condition_duration: 45,
      quote: { publisher_terms: { payout: 30, percentage: null, condition_seconds: 45 } },
    });
  });

  it("takes no seconds where the buyer pays for the connection alone", () => {
    const connected = owing("a", 30, { condition: "call_successfully_connected", condition_seconds: 30 });
    expect(firstOf(connected)).toMatchObject({
      duration: 0,
      payout_condition: "call_successfully_connected",
      payout_condition_duration: null,
      quote: { publisher_terms: { condition: "call_successfully_connected", condition_seconds: 0 } },
    });
  });

  it.each(["the route's", "the endpoint's"])(
    "counts added seconds as a length where %s condition asks for none",
    (whose) => {
      const [quote, own] =
        whose === "the route's"
          ? [owing("a", 30, { condition: "call_successfully_connected", condition_seconds: 0 }), {}]
          : [owing("a", 30), { payout_condition: "call_successfully_connected" } as const];
      const duration = whose === "the route's" ? 15 : 45;
      expect(firstOf(quote, { ...own, duration_add_seconds: 15 })).toMatchObject({
        duration,
        payout_condition: "call_length_connected",
        payout_condition_duration: duration,
        quote: { publisher_terms: { condition: "call_length_connected", condition_seconds: duration } },
      });
    },
  );

  it("shows the condition and the seconds that the call will be paid on", () => {
    const conditions = fc.constantFrom(...payoutConditions);
    const seconds = fc.nat(600);
    fc.assert(
      fc.property(conditions, seconds, seconds, fc.option(conditions), (theirs, required, added, own) => {
        const quote = owing("a", 30, { condition: theirs, condition_seconds: required });
        const offer = firstOf(quote, {
          duration_add_seconds: added,
          ...(own === null ? {} : { payout_condition: own }),
        });
        const { condition, condition_seconds } = offer?.quote.publisher_terms ?? {};
        expect([offer?.payout_condition, offer?.payout_condition_duration ?? 0]).toEqual([
          condition,
          condition_seconds,
        ]);
        if (added > 0) expect(condition).not.toBe("call_successfully_connected");
        if (condition?.startsWith("call_length")) expect(condition_seconds).toBe(offer?.duration);
      }),
    );
  });

  it("is paid on the endpoint's own condition where it has one", () => {
    const own = { payout_condition: "call_length_incoming", payout_condition_duration: 90 } as const;
    expect(firstOf(owing("a", 30), own)).toMatchObject({
      duration: 30,
      ...own,
      quote: { publisher_terms: { condition: "call_length_incoming", condition_seconds: 90 } },
    });
  });
});

describe("a static payout", () => {
  const fixed = { payout_mode: "static", payout: 12 } as const;

  it("is the endpoint's for every route, with its condition and seconds", () => {
    const terms = { payout_condition: "call_length_connected", payout_condition_duration: 60 } as const;
    const { offered } = offeredOf([owing("a", 30), owing("b", 12)], { ...fixed, ...terms });
    expect(offered).toMatchObject([
      { payout: 12, revenue: 30, duration: 60, ...terms },
      { payout: 12, revenue: 12, duration: 60, ...terms },
    ]);
  });

  it("shows no condition and no seconds where the endpoint has none", () => {
    expect(firstOf(owing("a", 30), fixed)).toMatchObject({
      duration: 0,
      payout_condition: null,
      payout_condition_duration: null,
      quote: { publisher_terms: { payout: 12, condition: "call_successfully_connected", condition_seconds: 0 } },
    });
  });

  it("is not offered where it is more than the route earns, unless losses are allowed", () => {
    const quotes = [owing("a", 11.99), owing("b", 12)];
    const { offered, withheld } = offeredOf(quotes, fixed);
    expect([offered.map(({ quote }) => quote.id), withheld]).toMatchObject([
      ["b"],
      [{ quote: { id: "a" }, reason: "negative_margin" }],
    ]);
    expect(offeredOf(quotes, fixed, false).offered).toHaveLength(2);
  });
});

describe("what is offered", () => {
  it("is ranked by payout, then by seconds, then as the plan has it", () => {
    const quotes = [
      owing("low", 10),
      owing("long", 20, { condition_seconds: 60 }),
      owing("second", 20),
      owing("third", 20),
      owing("high", 30, { condition_seconds: 120 }),
    ];
    const ranked = offeredOf(quotes).offered.map(({ quote }) => quote.id);
    expect(ranked).toEqual(["high", "second", "third", "long", "low"]);
  });

  it("is nothing that pays nothing", () => {
    const zero = (given: Given, quote = owing("a", 30)) => offeredOf([quote], given).withheld[0]?.reason;
    expect(zero({}, owing("a", 0))).toBe("zero_payout");
    expect(zero({ payout_percentage: 0 })).toBe("zero_payout");
    expect(zero({ payout_percentage: 50 }, owing("a", 0.01))).toBe("zero_payout");
    expect(zero({ payout_mode: "static" })).toBe("zero_payout");
    expect(zero({ payout_mode: "static", payout: 0 })).toBe("zero_payout");
  });

  it("is nothing for a caller whose earlier call takes the publisher's side, or the buyer's", () => {
    const reasonOf = (given: Partial<PricedQuote>, endpoint: Given = {}) =>
      toOfferedRoutes([priced(owing("a", 30), given)], anEndpoint(endpoint), { noLoss: true }).withheld[0]?.reason;
    expect(reasonOf({ payable: false })).toBe("zero_payout");
    expect(reasonOf({ receivable: false })).toBe("zero_payout");
    const fixed = { payout_mode: "static", payout: 12 } as const;
    expect(reasonOf({ payable: false }, fixed)).toBe("zero_payout");
    expect(reasonOf({ receivable: false }, fixed)).toBe("negative_margin");
  });

  it("never pays more than it earns, and is complete with what is withheld", () => {
    const cents = fc.integer({ min: 0, max: 10_000 }).map((units) => units / 100);
    const mode = fc.constantFrom("dynamic", "static");
    fc.assert(
      fc.property(
        fc.array(cents),
        mode,
        cents,
        fc.integer({ min: 0, max: 100 }),
        (revenues, payout_mode, payout, share) => {
          const quotes = revenues.map((revenue, index) => owing(String(index), revenue));
          const given = { payout_mode, payout, payout_percentage: share } as Given;
          const { offered, withheld } = offeredOf(quotes, given);
          expect(offered.length + withheld.length).toBe(quotes.length);
          for (const [index, offer] of offered.entries()) {
            expect(offer.payout).toBeGreaterThan(0);
            expect(offer.payout).toBeLessThanOrEqual(offer.revenue);
            expect(offer.payout).toBeLessThanOrEqual(offered[index - 1]?.payout ?? Number.POSITIVE_INFINITY);
            expect(offer.quote.buyer_terms.revenue).toBe(revenues[Number(offer.quote.id)]);
          }
        },
      ),
    );
  });
});
