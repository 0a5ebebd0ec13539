import { describe, expect, it } from "vitest";
import { usePlatform } from "../use-platform.ts";

const { join } = usePlatform();

const condition = (given: object = {}) => ({ field: "note", operator: "equals", values: ["x"], ...given });
const filtersOf = (...groups: object[][]) => ({ enabled: true, groups: groups.map((conditions) => ({ conditions })) });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const patterns = (count: number, make = (index: number) => `^p${index}`) =>
  many(count, (index) => condition({ operator: "Not Regex", values: [make(index)] }));

async function openMember() {
  const member = await join();
  const buyer = (await member.post("/api/v1/buyers", { name: "Sunny" })).body.id;
  const line = { buyer_id: buyer, type: "number", number: "+18885550101" };
  const steps = [{ url: "https://bids.example", method: "GET", api_response: {} }];
  return {
    ...member,
    target: (given: object = {}) => member.post("/api/v1/targets", { name: "Desk", ...line, ...given }),
    formula: (given: object = {}) =>
      member.post("/api/v1/rtbs", { rtb_name: "Bids", buyer_id: buyer, steps, ...given }),
    group: (formulas: readonly string[]) =>
      member.post("/api/v1/rtb-groups", {
        name: "Bidders",
        rtb_formulas: formulas.map((rtb_formula_id) => ({ rtb_formula_id })),
      }),
    plan: (routes: readonly object[]) => member.post("/api/v1/routing-plans", { name: "East", routes }),
    steps,
  };
}
const toTarget = (target_id: string) => ({ action: "route-to-target", target_id });
const toGroup = (rtb_group_id: string) => ({ action: "route-to-rtb-group", rtb_group_id });

describe("filters beyond their bounds", () => {
  it.each([
    [
      "conditions",
      filtersOf(...many(10, () => many(100, () => condition())), [condition()]),
      [10, 0],
      /1000 conditions/,
    ],
    ["values", filtersOf(many(21, () => condition({ values: many(1000, String) }))), [0, 20], /20000 values/],
    [
      "characters",
      filtersOf(many(27, () => condition({ values: many(10, () => "x".repeat(1000)) }))),
      [0, 26],
      /262144 characters/,
    ],
    ["regular expressions", filtersOf(patterns(100), patterns(1)), [1, 0], /100 regular expressions/],
    [
      "larger programs than fit",
      filtersOf(patterns(30, (index) => `[a-z]{400}${index}`)),
      [0, expect.any(Number)],
      /more than 10000 instructions/,
    ],
  ])("by their %s are refused where the bound is passed, in words", async (_what, filters, [group, index], words) => {
    const member = await openMember();
    const place = ["groups", group, "conditions", index];
    for (const make of [member.target, member.formula]) {
      const { status, body } = await make({ filters });
      expect(status).toBe(422);
      expect(body.detail).toEqual([
        expect.objectContaining({ loc: ["body", "filters", ...place], msg: expect.stringMatching(words) }),
      ]);
    }
  });

  it("are taken up to them", async () => {
    const member = await openMember();
    const filters = filtersOf(
      patterns(100),
      ...many(9, () => many(100, () => condition({ values: many(20, String) }))),
    );
    expect((await member.target({ filters })).status).toBe(201);
  });

  it("of a campaign's payout rules are refused together", async () => {
    const member = await openMember();
    const rule = { payout: 9, filters: patterns(60).map(({ values: [value], ...row }) => ({ ...row, value })) };
    const { status, body } = await member.post("/api/v1/campaigns", { name: "East", ivr_payout_rules: [rule, rule] });
    expect([status, body.detail[0].loc]).toEqual([422, ["body", "ivr_payout_rules", 1, "filters", 40]]);
  });

  it("of the criteria of a formula's steps are refused together, at any depth", async () => {
    const member = await openMember();
    const rows = patterns(60).map(({ field, ...row }) => ({ ...row, path: `$.${field}` }));
    const [step] = member.steps;
    const criteria = { target_selection_criteria: { conditions: [{ conditions: rows }] } };
    const { status, body } = await member.formula({ steps: many(2, () => ({ ...step, ...criteria })) });
    const place = ["target_selection_criteria", "conditions", 0, "conditions", 40];
    expect([status, body.detail[0].loc]).toEqual([422, ["body", "steps", 1, ...place]]);
  });
});

describe("the filters of all that a plan leads to", () => {
  /** Five hundred patterns are a plan's; each target has a hundred. */
  async function openPlanned() {
    const member = await openMember();
    const filters = (index: number) => filtersOf(patterns(100, (pattern) => `^t${index} ${pattern}`));
    const ids = await Promise.all(many(5, async (index) => (await member.target({ filters: filters(index) })).body.id));
    const plan = (await member.plan(ids.map(toTarget))).body;
    return { ...member, ids: ids as string[], plan, one: filtersOf(patterns(1, () => "^one more$")) };
  }

  it("are refused with the plan that has too many, at the route that brings them", async () => {
    const { plan, ids, target, one, ...member } = await openPlanned();
    const more = (await target({ filters: one })).body.id;
    const routes = [...ids, more].map(toTarget);
    for (const { status, body } of [
      await member.post("/api/v1/routing-plans", { name: "Another", routes }),
      await member.patch(`/api/v1/routing-plans/${plan.id}`, { routes }),
    ]) {
      expect([status, body.detail[0].loc]).toEqual([422, ["body", "routes", 5]]);
      expect(body.detail[0].msg).toMatch(/more than 500 regular expressions together/);
    }
  });

  it("are refused with the target that has too many for it, which may have fewer", async () => {
    const { plan, ids, target, one, ...member } = await openPlanned();
    const plain = (await target()).body.id;
    const routes = [...ids, plain].map(toTarget);
    expect((await member.patch(`/api/v1/routing-plans/${plan.id}`, { routes })).status).toBe(200);
    const { status, body } = await member.patch(`/api/v1/targets/${plain}`, { filters: one });
    expect([status, body.detail[0].loc]).toEqual([422, ["body", "filters"]]);
    expect(body.detail[0].msg).toContain('routing plan "East"');
    expect((await member.patch(`/api/v1/targets/${ids[0]}`, { filters: one })).status).toBe(200);
    expect((await member.patch(`/api/v1/targets/${plain}`, { filters: one })).status).toBe(200);
  });

  it("count a group's members, whether these, the group or the plan are written last", async () => {
    const { plan, ids, one, ...member } = await openPlanned();
    const formula = (await member.formula({ filters: one })).body.id;
    const [empty, full] = [(await member.group([])).body.id, (await member.group([formula])).body.id];
    const withGroup = (id: string) =>
      member.patch(`/api/v1/routing-plans/${plan.id}`, { routes: [...ids.map(toTarget), toGroup(id)] });
    expect((await withGroup(full)).body.detail[0].loc).toEqual(["body", "routes", 5]);
    expect((await withGroup(empty)).status).toBe(200);
    const filled = await member.patch(`/api/v1/rtb-groups/${empty}`, { rtb_formulas: [{ rtb_formula_id: formula }] });
    expect([filled.status, filled.body.detail[0].loc]).toEqual([422, ["body", "rtb_formulas"]]);
    const plain = (await member.formula()).body.id;
    expect(
      (await member.patch(`/api/v1/rtb-groups/${empty}`, { rtb_formulas: [{ rtb_formula_id: plain }] })).status,
    ).toBe(200);
    const grown = await member.patch(`/api/v1/rtbs/${plain}`, { filters: one });
    expect([grown.status, grown.body.detail[0].loc]).toEqual([422, ["body", "filters"]]);
  });
});
