import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EarlierCall } from "../../../api/routing/call-stats.ts";
import {
  type CampaignDuplicateRules,
  type DuplicateQuestion,
  type DuplicateRules,
  findDuplicate,
  findPreconverted,
  isOff,
  judgeDuplicate,
  toShared,
} from "../../../api/routing/duplicates.ts";

const now = Date.parse("2026-11-02T15:00:00Z");
const dayMs = 86_400_000;

const anEarlierCall = (given: Partial<EarlierCall> = {}): EarlierCall => ({
  call_id: "earlier",
  at: now - dayMs,
  status: "completed",
  campaign_id: "c",
  publisher_id: "p",
  target_id: "t",
  rtb_id: null,
  buyer_id: "b",
  whole_seconds: 70,
  connected_seconds: 60,
  converted: true,
  ...given,
});

const rules: DuplicateRules = {
  consider_duplicate: true,
  consider_duplicate_interval: 30,
  conversion_scope: 3,
  duplicate_conversion_action: "decline",
};
const campaign: CampaignDuplicateRules = {
  conversion_scope: 0,
  preconverted_caller: false,
  preconverted_destination: false,
  preconverted_publisher: false,
  preconverted_campaign: false,
};
const asking = (earlier: readonly EarlierCall[], more: Partial<DuplicateQuestion> = {}): DuplicateQuestion => ({
  call_id: "this",
  destination: { kind: "target", id: "t" },
  buyer_id: "b",
  publisher_id: "p",
  campaign_id: "c",
  earlier,
  now,
  ...more,
});

/** Whether one earlier call, changed so, makes a duplicate under rules changed so. */
const found = (
  call: Partial<EarlierCall>,
  more: Partial<DuplicateRules> = {},
  about: Partial<DuplicateQuestion> = {},
) => findDuplicate({ ...rules, ...more }, asking([anEarlierCall(call)], about)) !== null;

describe("an earlier call makes a duplicate", () => {
  it.each([
    ["30 days less a millisecond ago", now - 30 * dayMs + 1, true],
    ["exactly 30 days ago", now - 30 * dayMs, true],
    ["30 days and a millisecond ago", now - 30 * dayMs - 1, false],
    ["a millisecond ago", now - 1, true],
    ["at this very instant", now, false],
    ["afterwards", now + 1, false],
  ])("%s, or not", (_when, at, duplicate) => {
    expect(found({ at })).toBe(duplicate);
  });

  it("within as many days as the rules say", () => {
    expect([found({ at: now - dayMs }, { consider_duplicate_interval: 1 })]).toEqual([true]);
    expect([found({ at: now - dayMs - 1 }, { consider_duplicate_interval: 1 })]).toEqual([false]);
  });

  it("unless the rules do not consider any", () => {
    expect(found({}, { consider_duplicate: false })).toBe(false);
  });

  it("unless it is this call itself", () => {
    expect(found({ call_id: "this" })).toBe(false);
    expect(found({ call_id: "this" }, {}, { call_id: undefined })).toBe(true);
  });

  it("the newest of several", () => {
    const calls = [3, 1, 2].map((days) => anEarlierCall({ call_id: `${days}`, at: now - days * dayMs }));
    expect(findDuplicate(rules, asking(calls))?.call_id).toBe("1");
  });

  const notAnswered = { status: "failed", connected_seconds: null, converted: false } as const;
  const ringing = { status: "incoming", connected_seconds: null, whole_seconds: null, converted: false } as const;
  const talking = { ...ringing, status: "connected" } as const;

  it.each<[on: string | undefined, Partial<EarlierCall>, boolean]>([
    ["incoming", notAnswered, true],
    ["incoming", ringing, true],
    [" Incoming ", notAnswered, true],
    ["connected", {}, true],
    ["connected", notAnswered, false],
    ["connected", talking, true],
    ["connected", ringing, true],
    ["call_successfully_connected", notAnswered, false],
    [undefined, {}, true],
    [undefined, notAnswered, false],
    ["whatever", {}, true],
    ["whatever", notAnswered, false],
    ["call_length_connected", { connected_seconds: 45 }, true],
    ["call_length_connected", { connected_seconds: 44 }, false],
    ["length", { connected_seconds: 45 }, true],
    ["call_length_connected", talking, false],
    ["call_length_connected", notAnswered, false],
    ["call_length_incoming", { ...notAnswered, whole_seconds: 45 }, true],
    ["call_length_incoming", { whole_seconds: 44 }, false],
    ["call_length_incoming", talking, false],
    ["converted", { converted: true }, true],
    ["call_converted", { converted: false }, false],
  ])("considered on %j, being %j: %s", (on, call, duplicate) => {
    const how = { ...(on === undefined ? {} : { consider_duplicate_on: on }), consider_duplicate_length: 45 };
    expect(found(call, how)).toBe(duplicate);
  });

  it.each<[scope: number, Partial<EarlierCall>, boolean]>([
    [3, {}, true],
    [3, { target_id: "other" }, false],
    [3, { campaign_id: "other", publisher_id: "other", buyer_id: "other" }, true],
    [0, { target_id: "other" }, false],
    [1, { target_id: "other" }, false],
    [32, { target_id: "other" }, false],
    [2 ** 40 + 2, { target_id: "other" }, false],
    [10, { publisher_id: "other" }, true],
    [10, { campaign_id: "other" }, false],
    [10, { target_id: "other" }, false],
    [24, { target_id: "other" }, true],
    [24, { buyer_id: "other" }, false],
    [4, { target_id: "other" }, true],
    [4, { publisher_id: "other" }, false],
    [4, { publisher_id: null }, false],
    [31, {}, true],
  ])("of scope %d, when it differs in %j: %s", (conversion_scope, call, duplicate) => {
    expect(found(call, { conversion_scope })).toBe(duplicate);
  });

  it("at a formula by the formula, not by a target of the same id", () => {
    const destination = { kind: "rtb_formula", id: "t" } as const;
    expect([found({}, {}, { destination }), found({ rtb_id: "t" }, {}, { destination })]).toEqual([false, true]);
  });

  it("not by a publisher that neither of them has", () => {
    expect(found({ publisher_id: null }, { conversion_scope: 4 }, { publisher_id: null })).toBe(false);
  });

  it("of a wider scope whenever it does of a narrower one", () => {
    const id = fc.constantFrom("a", "b", null);
    const call = fc.record({ target_id: id, publisher_id: id, campaign_id: id, buyer_id: id });
    const scope = fc.integer({ min: 2, max: 31 });
    fc.assert(
      fc.property(call, call, scope, scope, (earlier, { target_id: _of, ...about }, one, other) => {
        const both = { conversion_scope: one | other | 2 };
        if (found(earlier, both, about)) expect(found(earlier, { conversion_scope: one | 2 }, about)).toBe(true);
      }),
    );
  });
});

describe("a scope", () => {
  it("names what is shared beside the caller", () => {
    expect([toShared(1), toShared(3), toShared(24)]).toEqual([[], ["destination"], ["campaign", "buyer"]]);
  });

  it("is off at 0, and where no bit of it means anything", () => {
    expect([0, 1, 32, 64, 33].map(isOff)).toEqual([true, false, true, true, false]);
  });
});

describe("a caller is preconverted", () => {
  const preconverted = (call: Partial<EarlierCall>, flags: Partial<CampaignDuplicateRules>) =>
    findPreconverted({ ...campaign, ...flags }, asking([anEarlierCall(call)])) !== null;
  const elsewhere = { target_id: "x", publisher_id: "x", campaign_id: "x" };

  it.each<[Partial<CampaignDuplicateRules>, Partial<EarlierCall>, boolean]>([
    [{}, {}, false],
    [{ preconverted_caller: true }, elsewhere, true],
    [{ preconverted_caller: true }, { converted: false }, false],
    [{ preconverted_destination: true }, {}, true],
    [{ preconverted_destination: true }, { target_id: "x" }, false],
    [{ preconverted_publisher: true }, { publisher_id: "x" }, false],
    [{ preconverted_publisher: true }, { campaign_id: "x" }, true],
    [{ preconverted_campaign: true }, { campaign_id: "x" }, false],
    [{ preconverted_caller: true, preconverted_campaign: true }, { campaign_id: "x" }, false],
    [{ preconverted_publisher: true, preconverted_campaign: true }, { target_id: "x" }, true],
    [{ preconverted_caller: true }, { at: now - 30 * dayMs }, true],
    [{ preconverted_caller: true }, { at: now - 30 * dayMs - 1 }, false],
  ])("with %j by an earlier call changed by %j: %s", (flags, call, is) => {
    expect(preconverted(call, flags)).toBe(is);
  });
});

describe("the verdict", () => {
  const earlier = [anEarlierCall()];
  const judged = (action: DuplicateRules["duplicate_conversion_action"], flags: Partial<CampaignDuplicateRules> = {}) =>
    judgeDuplicate({ ...rules, duplicate_conversion_action: action }, { ...campaign, ...flags }, asking(earlier));
  const duplicate_of = "earlier";

  it.each([
    ["decline", { declined: true, payable: true, receivable: true, duplicate_of }],
    ["route_no_pay", { declined: false, payable: false, receivable: true, duplicate_of }],
    ["route_no_revenue", { declined: false, payable: true, receivable: false, duplicate_of }],
    ["route_no_revenue_no_pay", { declined: false, payable: false, receivable: false, duplicate_of }],
  ] as const)("on a duplicate of %s", (action, verdict) => {
    expect(judged(action)).toEqual(verdict);
  });

  it("on no duplicate takes nothing", () => {
    const free = { declined: false, payable: true, receivable: true, duplicate_of: null };
    expect(judgeDuplicate(rules, campaign, asking([]))).toEqual(free);
    expect(judgeDuplicate(rules, undefined, asking([]))).toEqual(free);
    expect(judgeDuplicate({ ...rules, consider_duplicate: false }, campaign, asking(earlier))).toEqual(free);
  });

  it("on a preconverted caller routes the call, for the buyer's money but not the publisher's", () => {
    const off = { ...rules, consider_duplicate: false };
    const flags = { ...campaign, preconverted_caller: true };
    expect(judgeDuplicate(off, flags, asking(earlier))).toEqual({
      declined: false,
      payable: false,
      receivable: true,
      duplicate_of,
    });
  });

  it("on a caller who got through within a campaign's scope is the same", () => {
    const off = { ...rules, consider_duplicate: false };
    const verdict = (scope: number, call: Partial<EarlierCall>) =>
      judgeDuplicate(off, { ...campaign, conversion_scope: scope }, asking([anEarlierCall(call)])).payable;
    expect([
      verdict(0, {}),
      verdict(8, {}),
      verdict(8, { campaign_id: "x" }),
      verdict(1, { campaign_id: "x" }),
    ]).toEqual([true, false, true, false]);
    expect(verdict(8, { status: "failed" })).toBe(true);
  });

  it("takes what either rule takes, and names the newest call that any of them found", () => {
    const calls = [anEarlierCall(), anEarlierCall({ call_id: "newer", at: now - 1, target_id: "x" })];
    const action = { ...rules, duplicate_conversion_action: "route_no_revenue" } as const;
    expect(judgeDuplicate(action, { ...campaign, preconverted_caller: true }, asking(calls))).toEqual({
      declined: false,
      payable: false,
      receivable: false,
      duplicate_of: "newer",
    });
  });
});
