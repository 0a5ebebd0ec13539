import { describe, expect, it } from "vitest";
import { bidderOf, bidFor } from "../../../api/demo/bidder.ts";

const address = "/bids/Keystone%20Bid%20Desk?usual=40&share=0.6&ms=140";
const keystone = { name: "Keystone Bid Desk", usual: 40, share: 0.6, answerMs: 140 };
const askedBy = (index: number) => JSON.stringify({ caller: `+1212555${1000 + index}` });

describe("a buyer of the demo", () => {
  it("bids as its address says, and nobody bids anywhere else", () => {
    expect(bidderOf(address)).toEqual(keystone);
    for (const other of ["/crm/calls", "/bids/", "/bids/x", "/bids/x?usual=-1&share=1&ms=1"])
      expect(bidderOf(other)).toBeNull();
  });

  it("wants its share of callers, each for the same price as before", () => {
    const bids = Array.from({ length: 500 }, (_, index) => bidFor(keystone, askedBy(index)) as { bid: number });
    expect(bids).toEqual(bids.map((_, index) => bidFor(keystone, askedBy(index))));
    const wanted = bids.filter(({ bid }) => bid > 0);
    expect(wanted.length / bids.length).toBeCloseTo(0.6, 1);
    for (const { bid } of wanted) expect(bid >= 30 && bid <= 50 && Number.isInteger(bid * 4)).toBe(true);
  });
});
