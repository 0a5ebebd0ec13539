import { describe, expect, it } from "vitest";
import { readTerms } from "../../../../api/routing/rtb/bid-terms.ts";
import { aFormula } from "./formula.ts";

const phone = "+18885550101";
const bidding = (bid: unknown, more: object = {}) => readTerms(aFormula(), [{ bid, duration: 60, phone, ...more }]);

describe("a bid", () => {
  it.each([
    [12.5, 12.5],
    ["12.50", 12.5],
    ["$12.50", 12.5],
    ["$1,234.50", 1234.5],
    [" .5 ", 0.5],
    [0.12345, 0.1235],
    ["1e1", 10],
  ])("of %j is %d dollars", (bid, dollars) => {
    expect(bidding(bid)).toEqual({ kind: "bid", bid: dollars, duration: 60, phone_number: phone });
  });

  it.each([[0], ["0.00"], ["$0"], [""], [" "], [null], [undefined], [0.00001]])("of %j is none", (bid) => {
    expect(bidding(bid)).toMatchObject({ kind: "refused", reason: "no_bid", bid: null });
  });

  it.each([[-1], ["-0.5"], ["abc"], ["12,50"], ["1,23"], ["12.5 EUR"], [true], [[5]], [{ usd: 5 }], ["NaN"], [2e9]])(
    "of %j cannot be read",
    (bid) => {
      expect(bidding(bid)).toMatchObject({ kind: "refused", reason: "ping_parse_error", bid: null });
    },
  );
});

describe("a duration", () => {
  it.each([
    [90, 90],
    ["90", 90],
    ["90.0", 90],
    [undefined, 0],
    [null, 0],
    ["", 0],
  ])("of %j is %d seconds", (duration, seconds) => {
    expect(bidding(5, { duration })).toMatchObject({ kind: "bid", duration: seconds });
  });

  it.each([[-1], [1.5], ["1:30"], ["90s"], [{}]])("of %j cannot be read, and the bid is told", (duration) => {
    expect(bidding(5, { duration })).toMatchObject({ kind: "refused", reason: "ping_parse_error", bid: 5 });
  });
});

describe("a destination", () => {
  it.each([
    ["8885550101", phone],
    ["1 (888) 555-0101", phone],
    [18885550101, phone],
    ["+442079460958", "+442079460958"],
    ["sip:agent@pbx.example;transport=tls", "sip:agent@pbx.example;transport=tls"],
  ])("of %j is %s", (given, phone_number) => {
    expect(bidding(5, { phone: given })).toMatchObject({ kind: "bid", phone_number });
  });

  it.each([[undefined], [""], ["911"], ["call us"], ["sip:a b"], ["1".repeat(5000)]])(
    "of %j is none, and the bid is told",
    (given) => {
      expect(bidding(5, { phone: given })).toMatchObject({ reason: "no_destination_number", bid: 5 });
    },
  );

  it("that is static stands in for the answer's, and must be there", () => {
    const terms = (static_phone_number: string) =>
      readTerms(aFormula({ use_static_phone_number: true, static_phone_number }), [{ bid: 5, phone }]);
    expect(terms("888-555-0199")).toMatchObject({ phone_number: "+18885550199" });
    expect(terms("")).toMatchObject({ reason: "no_destination_number" });
  });
});

describe("the terms of several answers", () => {
  it("are those of the last one with a bid; what it lacks is in an earlier one, never in a later one", () => {
    const first = { bid: 5, duration: 30, phone };
    expect(readTerms(aFormula(), [first, { bid: 7 }, { token: "x" }])).toMatchObject({ bid: 7, duration: 30 });
    const later = [{ bid: 7 }, { duration: 90, phone }];
    expect(readTerms(aFormula(), later)).toMatchObject({ reason: "no_destination_number" });
  });

  it("end with a last word that takes the bid back", () => {
    expect(readTerms(aFormula(), [{ bid: 5, phone }, { bid: 0 }])).toMatchObject({ reason: "no_bid" });
  });

  it("are read by the mapped response, and where that finds nothing by the parsing formula", () => {
    const parsing_formula = { parseInstructions: { payout: "$.payout", duration: "$.secs", phoneNumber: "$.did" } };
    const answers = [{ payout: 9, secs: 45, did: phone }];
    expect(readTerms(aFormula({ parsing_formula }), answers)).toMatchObject({ bid: 9, duration: 45 });
    expect(readTerms(aFormula({ parsing_formula }), [{ bid: 8, ...answers[0] }])).toMatchObject({ bid: 8 });
    const { mapped_response: _none, ...unmapped } = aFormula({ parsing_formula });
    expect(readTerms(unmapped, answers)).toMatchObject({ bid: 9, phone_number: phone });
  });

  it("are none without any path", () => {
    const { mapped_response: _none, ...unmapped } = aFormula();
    expect(readTerms(unmapped, [{ bid: 5 }])).toMatchObject({ reason: "no_bid" });
  });
});
