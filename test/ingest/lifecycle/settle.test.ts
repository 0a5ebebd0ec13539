import { describe, expect, it } from "vitest";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import { judgeConversion, settle } from "../../../ingest/lifecycle/settle.ts";
import { percentOf, subtract } from "../../../ingest/money.ts";
import { aDialing, aHungUp, anAnswered, anIncoming, secondsIn } from "../../make.ts";

/** Answered 5 s after it came in, ended 15 s after. */
function ended(terms: { buyer: Parameters<typeof aDialing>[0]; publisher: Parameters<typeof anIncoming>[0] }) {
  const signals = [
    anIncoming(terms.publisher),
    aDialing(terms.buyer),
    anAnswered({ at: secondsIn(5) }),
    aHungUp({ at: secondsIn(15) }),
  ];
  let call: Parameters<typeof applySignal>[0];
  signals.forEach((signal, position) => {
    const applied = applySignal(call, signal, position);
    if (applied.kind === "applied") call = applied.call;
  });
  if (call === undefined) throw new Error("no call");
  return settle(call);
}

describe("settling a call", () => {
  it.each([
    ["call_successfully_connected", 999, true],
    ["call_length_connected", 10, true],
    ["call_length_connected", 11, false],
    ["call_length_incoming", 15, true],
    ["call_length_incoming", 16, false],
    ["call_converted", 999, true],
  ] as const)("pays the publisher on %s of %i s: %s", (condition, condition_seconds, payable) => {
    const publisher_terms = { payout: 7, condition, condition_seconds };
    const call = ended({ buyer: { buyer_terms: { revenue: 10 } }, publisher: { publisher_terms } });
    expect(call).toMatchObject({ payable, payout: payable ? 7 : 0 });
  });

  it("does not count a publisher's call_converted when the buyer did not pay", () => {
    const call = ended({
      buyer: { buyer_terms: { revenue: 10, condition: "call_length_connected", condition_seconds: 60 } },
      publisher: { publisher_terms: { payout: 7, condition: "call_converted" } },
    });
    expect(call).toMatchObject({ receivable: false, payable: false, converted: false });
  });

  it("is converted when either side pays", () => {
    const call = ended({
      buyer: { buyer_terms: { revenue: 10, condition: "call_length_connected", condition_seconds: 60 } },
      publisher: { publisher_terms: { payout: 7 } },
    });
    expect(call).toMatchObject({ converted: true, revenue: 0, payout: 7, profit: -7 });
  });

  it("pays a percentage of the revenue earned, floored to the cent", () => {
    const call = ended({
      buyer: { buyer_terms: { revenue: 19.99 } },
      publisher: { publisher_terms: { payout: 0, percentage: 33 } },
    });
    expect(call).toMatchObject({ payout: 6.59, profit: 13.4 });
  });
});

describe("a side whose money an earlier call has taken", () => {
  const long = { condition: "call_length_connected", condition_seconds: 10 } as const;
  const whenConverted = { condition: "call_converted" } as const;
  const judged = (verdict: { payable?: boolean; receivable?: boolean }, publisher: object = long) =>
    ended({
      buyer: { buyer_terms: { revenue: 10, ...long }, ...verdict },
      publisher: { publisher_terms: { payout: 7, ...publisher } },
    });

  it.each([
    ["route_no_pay", { payable: false }, { revenue: 10, payout: 0, receivable: true, payable: false, converted: true }],
    ["route_no_revenue", { receivable: false }, { revenue: 0, payout: 7, receivable: false, payable: true }],
    ["route_no_revenue_no_pay", { payable: false, receivable: false }, { revenue: 0, payout: 0, converted: false }],
    ["nothing", {}, { revenue: 10, payout: 7, receivable: true, payable: true, converted: true }],
  ])("by %s gets nothing, the other one what it agreed on", (_action, verdict, expected) => {
    expect(judged(verdict)).toMatchObject(expected);
  });

  it("is no side that converted, for a publisher who is paid on that", () => {
    expect(judged({ receivable: false }, whenConverted)).toMatchObject({ payable: false, payout: 0, converted: false });
    expect(judged({}, whenConverted)).toMatchObject({ payable: true, payout: 7 });
  });

  it("leaves no percentage of it", () => {
    const percentage = { payout: 0, percentage: 50, condition: "call_successfully_connected" };
    expect(judged({ receivable: false }, percentage)).toMatchObject({ payable: true, revenue: 0, payout: 0 });
  });

  it("shows in the rules that the call was judged by", () => {
    expect(judgeConversion(judged({ payable: false }))).toEqual({
      receivable: { ...long, met: true, allowed: true },
      payable: { ...long, met: true, allowed: false },
    });
  });
});

describe("the rules of a call", () => {
  it("are those of a side that has terms, and tell which one was not met", () => {
    const call = ended({
      buyer: { buyer_terms: { revenue: 10, condition: "call_length_connected", condition_seconds: 11 } },
      publisher: { publisher_terms: null },
    });
    const receivable = { condition: "call_length_connected", condition_seconds: 11, met: false, allowed: true };
    expect(judgeConversion(call)).toEqual({ receivable, payable: null });
  });
});

describe("money", () => {
  it("is exact where binary fractions are not", () => {
    expect(subtract(0.3, 0.1)).toBe(0.2);
    expect(percentOf(0.1, 30)).toBe(0.03);
    expect(percentOf(1.15, 100)).toBe(1.15);
  });
});
