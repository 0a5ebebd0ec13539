import { RE2JS } from "re2js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { storedDocumentFault } from "../../../api/config/registry.ts";
import type { Filters } from "../../../api/config/resources/shapes.ts";
import { createFilterBudget } from "../../../api/routing/filters.ts";
import { compileConditions } from "../../../api/routing/open-routing.ts";
import { publisherTerms } from "../../../api/routing/payout.ts";
import { accepts } from "../../../api/routing/rtb/criteria.ts";
import { type AskedRoute, aCampaign, aRoute, aTarget, judgeTogether, someStats } from "./make-route.ts";

/** Steps that one decision may take. */
const decisionSteps = 1_000_000;

/** Counts what the library is made to do, which does it all the same. */
function countPatterns() {
  const compiled = vi.spyOn(RE2JS, "compile");
  const matched = vi.spyOn(RE2JS.prototype, "matcher");
  onTestFinished(() => void vi.restoreAllMocks());
  return {
    compiled: () => compiled.mock.calls.length,
    matched: () => matched.mock.calls.length,
    /** Characters that patterns were matched against. */
    characters: () => matched.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0),
  };
}

let made = 0;
/** A pattern that no other test has, which matches nothing, and finds that out only at the end of the text. */
const aPattern = () => `a[ab]{20}[cd]${made++}`;
const notRegex = (count: number, field = "note") =>
  Array.from({ length: count }, () => ({ field, operator: "not_regex", values: [aPattern()] }));
const inGroups = (...groups: object[][]): Filters =>
  ({ enabled: true, combinator: "and", groups: groups.map((conditions) => ({ conditions })) }) as Filters;

/** As they may be stored from before there were bounds. */
const aStoredTarget = (id: string, filters: Filters) => ({ ...aTarget({ id }), filters });

/** Targets as routes of one decision, of a call with this note. */
function routesTo(all: readonly Filters[], note: string): AskedRoute[] {
  const docs = all.map((filters, index) => aStoredTarget(`tgt-${index}`, filters));
  for (const doc of docs) compileConditions({ type: "target", doc });
  const shared = { filterBudget: createFilterBudget(), call: { ...aRoute().call, tags: { note } } };
  return docs.map((doc) => aRoute({ ...shared, destination: { kind: "target", doc } }));
}
const judge = (routes: readonly AskedRoute[]) =>
  judgeTogether(routes, someStats()).refused.map(({ refusal }) => refusal.detail ?? refusal.reason);

describe("filters that were stored with ten thousand patterns each", () => {
  it("are read, compiled up to a hundred of each and once, matched not at all, and told as too costly", () => {
    const count = countPatterns();
    const filters = Array.from({ length: 10 }, () => inGroups(...Array.from({ length: 100 }, () => notRegex(100))));
    expect(storedDocumentFault("target", aStoredTarget("tgt", filters[0] ?? {}))).toBeNull();
    const routes = routesTo(filters, "ab".repeat(500));
    for (let ping = 0; ping < 100; ping += 1) expect(new Set(judge(routes))).toEqual(new Set(["filters_too_costly"]));
    expect([count.compiled(), count.matched()]).toEqual([1000, 0]);
  });
});

describe("the filters of a plan at its bounds", () => {
  it("are compiled once when they come into memory, whatever is asked of them later", () => {
    const count = countPatterns();
    const filters = Array.from({ length: 10 }, () => inGroups(notRegex(50)));
    const routes = routesTo(filters, "short");
    expect(count.compiled()).toBe(500);
    for (let ping = 0; ping < 20; ping += 1) {
      const filterBudget = createFilterBudget();
      expect(judge(routes.map((route) => ({ ...route, filterBudget })))).toEqual([]);
      expect(filterBudget.steps()).toBeLessThan(decisionSteps);
    }
    expect(count.compiled()).toBe(500);
    expect(count.matched()).toBe(20 * 500);
  });

  it("take no more steps for one decision than it has, on the longest texts, and the rest is told as too costly", () => {
    const count = countPatterns();
    const filters = Array.from({ length: 10 }, () => inGroups(notRegex(50)));
    const routes = routesTo(filters, "ab".repeat(500));
    const refused = judge(routes);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused)).toEqual(new Set(["filters_too_costly"]));
    // A program of more than twenty instructions took as many steps for each of them.
    expect(count.characters() * 20).toBeLessThan(decisionSteps);
    const { filterBudget } = routes[0] ?? aRoute();
    const overshoot = 50_000;
    expect(filterBudget.steps()).toBeLessThan(decisionSteps + overshoot);
  });

  it("are asked once for a destination that two routes of a decision lead to", () => {
    const count = countPatterns();
    const [route = aRoute()] = routesTo([inGroups(notRegex(3))], "short");
    expect(judge([route, route])).toEqual([]);
    expect(count.matched()).toBe(3);
  });
});

describe("filters of one destination that take too much", () => {
  it("leave the others their share of the work", () => {
    const costly = inGroups(notRegex(100));
    const modest = inGroups(notRegex(1));
    expect(judge(routesTo([costly, modest], "ab".repeat(500)))).toEqual(["filters_too_costly"]);
  });

  it("do not pass, though all that was asked of them so far had them pass", () => {
    const filters = { ...inGroups(notRegex(100), notRegex(1)), combinator: "or" } as Filters;
    expect(judge(routesTo([filters], "ab".repeat(500)))).toEqual(["filters_too_costly"]);
  });

  it.each(["equals", "in", "not_in"])("are none that compare with twenty thousand values (%s)", (operator) => {
    const values = Array.from({ length: 20_000 }, (_, index) => String(index));
    const [few = aRoute()] = routesTo([inGroups([{ field: "zip", operator, values: ["1"] }])], "");
    const [many = aRoute()] = routesTo([inGroups([{ field: "zip", operator, values }])], "");
    for (const route of [few, many]) judge([route]);
    expect(many.filterBudget.steps()).toBe(few.filterBudget.steps());
  });
});

describe("what else has conditions of customers", () => {
  const note = { note: "ab".repeat(500) };

  it("payout rules, are bounded as the filters of one destination are, all of a campaign together", () => {
    const count = countPatterns();
    const filters = () => notRegex(10).map(({ values: [value], ...row }) => ({ ...row, value }));
    const rule = () => ({ combinator: "and" as const, payout: 9, filters: filters() });
    const stored = aCampaign({ payout: 1 });
    const campaign = {
      ...stored,
      ivr_payout_rules: Array.from({ length: 500 }, rule) as unknown as typeof stored.ivr_payout_rules,
    };
    const subject = { ...aRoute().call, tags: note, timezone: "UTC" };
    const item = { id: "", number_id: "", type: "dynamic", is_active: true, publisher_id: "pub" } as const;
    for (let call = 0; call < 20; call += 1)
      expect(publisherTerms({ campaign, item }, undefined, { subject })).toMatchObject({ payout: 1 });
    expect(count.compiled()).toBe(100);
    expect(count.characters() / 20).toBeLessThan(250_000 / 20);
  });

  it("criteria of a buyer's answer, too", () => {
    const count = countPatterns();
    const criteria = { conditions: notRegex(100, "$.note").map(({ field: path, ...row }) => ({ ...row, path })) };
    for (let answer = 0; answer < 20; answer += 1) {
      expect(accepts(criteria, { note: "short" })).toBe(true);
      expect(accepts(criteria, note)).toBe(false);
    }
    expect(count.compiled()).toBe(100);
    const tooMany = { conditions: notRegex(101, "$.note").map(({ field: path, ...row }) => ({ ...row, path })) };
    expect(accepts(tooMany, { note: "short" })).toBe(false);
    expect(count.compiled()).toBe(200);
  });
});
