import { describe, expect, it } from "vitest";
import type { Resource } from "../../../api/config/registry.ts";
import type { Subject } from "../../../api/routing/filters.ts";
import { bidTerms, buyerTerms, type PayoutSources, publisherTerms } from "../../../api/routing/payout.ts";
import { startOfTime } from "../../make.ts";
import { aCampaign, aTarget } from "./make-route.ts";

type Rule = Partial<Resource<"campaign">["ivr_payout_rules"][number]>;

const subject: Subject = {
  caller: "+12125550123",
  zip: null,
  state: "NY",
  publisher: null,
  campaign: null,
  number: null,
  tags: { ivr_choice: "Solar", age: "42" },
  now: startOfTime,
  timezone: "UTC",
};
const own = { id: "n1", number_id: "num-1", publisher_id: "pub-1", type: "static", is_active: true } as const;
const connected = { condition: "call_successfully_connected", condition_seconds: 0 } as const;
const amount = (payout: number, percentage: number | null = null) => ({ payout, percentage });

const termsOf = (item: object, rules: readonly Rule[], more: PayoutSources = {}) =>
  publisherTerms(
    { campaign: aCampaign({ payout: 20, ivr_payout_rules: [...rules] }), item: { ...own, ...item } },
    aTarget({ payout: 15 }),
    { subject, ...more },
  );
const solar = { field: "ivr_choice", operator: "equals", value: "solar" };
const wind = { field: "ivr_choice", operator: "equals", value: "wind" };

describe("the publisher earns", () => {
  const quoted = { payout: 33, percentage: null, condition: "call_length_connected", condition_seconds: 60 } as const;
  const rule = { payout: 25, filters: [solar] };

  it("by the most specific source that names an amount", () => {
    const everything = { quoted, publisher: { payout: 5 } };
    expect(termsOf({ payout: 18 }, [rule], everything)).toEqual(quoted);
    expect(termsOf({ payout: 18 }, [rule])).toEqual({ ...amount(25), ...connected });
    expect(termsOf({ payout: 18 }, [])).toMatchObject(amount(18));
    expect(termsOf({ payout_percentage: 70 }, [])).toMatchObject(amount(0, 70));
    expect(termsOf({}, [])).toMatchObject(amount(15));
    const without = { campaign: aCampaign({ payout: 20 }), item: own };
    expect(publisherTerms(without, aTarget())).toMatchObject(amount(20));
    const bare = { ...without, campaign: aCampaign() };
    expect(publisherTerms(bare, undefined, { publisher: { payout_percentage: 60 } })).toMatchObject(amount(0, 60));
    expect(publisherTerms(bare, undefined, { publisher: {} })).toBeNull();
    expect(publisherTerms(bare, undefined)).toBeNull();
  });

  it("nothing for a number that was handed to nobody, unless a ping was quoted terms", () => {
    const nobody = { publisher_id: undefined, payout: 18 };
    expect(termsOf(nobody, [rule])).toBeNull();
    expect(termsOf(nobody, [rule], { quoted })).toEqual(quoted);
  });

  it("on the number's condition, else the destination's", () => {
    const long = { payout_condition: "call_length_incoming", payout_condition_duration: 90 } as const;
    expect(termsOf(long, [rule])).toMatchObject({ condition: "call_length_incoming", condition_seconds: 90 });
    const owner = { campaign: aCampaign({ payout: 20 }), item: own };
    const ofBid = { payout_condition: "call_length_connected", payout_condition_duration: 45 } as const;
    expect(publisherTerms(owner, ofBid)).toMatchObject({ condition: "call_length_connected", condition_seconds: 45 });
  });
});

describe("a rule for voice menus", () => {
  const earns = (...rules: Rule[]) => termsOf({ payout: 18 }, rules)?.payout;

  it.each<[number, Rule[]]>([
    [25, [{ payout: 25, filters: [solar] }]],
    [18, [{ payout: 25, filters: [wind] }]],
    [
      25,
      [
        { payout: 1, filters: [wind] },
        { payout: 25, filters: [solar] },
        { payout: 2, filters: [solar] },
      ],
    ],
    [0, [{ filters: [solar] }]],
    [18, [{ payout: 25, filters: [solar, wind] }]],
    [25, [{ payout: 25, combinator: "or", filters: [wind, solar] }]],
    [25, [{ payout: 25, filters: [{ field: "ivr_choice", operator: "in", values: ["wind", "solar"] }] }]],
    [25, [{ payout: 25, filters: [{ field: "ivr_choice", operator: "in", value: ["wind", "solar"] }] }]],
    [25, [{ payout: 25, filters: [{ field: "age", operator: ">=", value: 42 }] }]],
    [25, [{ payout: 25, filters: [{ field: "state", operator: "is", value: "New York" }] }]],
    [25, [{ payout: 25, filters: [{ field: "ivr_choice", operator: "exists" }] }]],
    [18, [{ payout: 25, filters: [] }]],
    [18, [{ payout: 25, filters: [{}] }]],
    [18, [{ payout: 25, filters: [{ field: 5, operator: "exists" }] }]],
    [18, [{ payout: 25, filters: [{ field: "age", operator: "sounds_like", value: "42" }] }]],
    [18, [{ payout: 25, filters: [{ field: "age", operator: "equals", value: { is: 42 } }] }]],
  ])("pays %d with %j", (payout, rules) => {
    expect(earns(...rules)).toBe(payout);
  });

  it("is not asked before the menus have been", () => {
    expect(termsOf({ payout: 18 }, [{ payout: 25, filters: [solar] }], { subject: undefined })?.payout).toBe(18);
  });
});

describe("the buyer owes", () => {
  it("a target's revenue on its condition", () => {
    const target = aTarget({ revenue: 30, payout_condition: "call_length_connected", payout_condition_duration: 90 });
    expect(buyerTerms(target)).toEqual({ revenue: 30, condition: "call_length_connected", condition_seconds: 90 });
    expect(buyerTerms(aTarget())).toEqual({ revenue: 0, ...connected });
  });

  it("its bid, from as many connected seconds on as came with it", () => {
    expect(bidTerms(12.5, 60)).toEqual({ revenue: 12.5, condition: "call_length_connected", condition_seconds: 60 });
  });
});
