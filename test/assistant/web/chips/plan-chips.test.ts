import { describe, expect, it } from "vitest";
import {
  type Chip,
  type EditablePlan,
  sayPlan,
  toChips,
  toEditablePlan,
  withGroup,
  withMeasure,
  withNewFilter,
  withoutChip,
} from "../../../../assistant/web/chips/plan-chips.ts";
import type { Catalog } from "../../../../assistant/web/wire.ts";

const catalog: Catalog = {
  subjects: [
    {
      ...{ name: "calls", label: "calls" },
      measures: [
        { name: "revenue", label: "revenue" },
        { name: "connected_calls", label: "answered calls" },
      ],
      dimensions: [{ name: "campaign", label: "campaign", values: [] }],
      flags: [],
    },
  ],
  grains: [
    { name: "day", label: "day" },
    { name: "month", label: "month" },
  ],
};
const period = { from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z", label: "last month" };
const aPlan = (change: object = {}): EditablePlan => {
  const plan = toEditablePlan({
    ...{ subject: "calls", measures: ["revenue"], dimensions: ["campaign"], grain: null, columns: [], period },
    filters: [{ field: "state", op: "is", values: ["TX"] }],
    ...{ having: [], order: { by: "revenue", direction: "desc" }, limit: 5, compare: null, share: false, zone: "UTC" },
    ...change,
  });
  if (plan === null) throw new Error("no plan");
  return plan;
};
const wordless = { filters: [], grouping: [] };
const chipOf = (plan: EditablePlan, kind: Chip["kind"]): Chip => {
  const chip = toChips(plan, catalog, wordless).find((each) => each.kind === kind);
  if (chip === undefined) throw new Error(`no ${kind}`);
  return chip;
};

describe("a plan's chips", () => {
  it("say its figures, groups, conditions and period, and offer one more group", () => {
    const chips = toChips(aPlan({ grain: "day" }), catalog, { filters: ["state is TX"], grouping: [] });
    expect(chips.map(({ kind, label }) => [kind, label])).toEqual([
      ["measure", "revenue"],
      ["grain", "by day"],
      ["group", "by campaign"],
      ["new_group", "Group by…"],
      ["filter", "state is TX"],
      ["new_filter", "Filter…"],
      ["period", "last month"],
    ]);
  });

  it("call steps of a number as the server does, or by the number", () => {
    const plan = aPlan({ grain: "day", dimensions: ["bin:call_duration:30"] });
    const labels = (grouping: readonly string[]) =>
      toChips(plan, catalog, { filters: [], grouping }).flatMap(({ kind, label }) => (kind === "group" ? [label] : []));
    expect(labels(["day", "duration in steps of 30 s"])).toEqual(["by duration in steps of 30 s"]);
    expect(labels([])).toEqual(["by call duration"]);
  });

  it("are none for an answer without a plan, or one that the page does not know", () => {
    expect([toEditablePlan(null), toEditablePlan({ subject: "calls", measures: "all" })]).toEqual([null, null]);
  });

  it("leave what they do not change as it came, exact dates too", () => {
    const plan = aPlan({ newer: { kept: true } });
    expect(withMeasure(plan, 0, "connected_calls")).toEqual({
      ...plan,
      ...{ measures: ["connected_calls"], order: { by: "connected_calls", direction: "desc" } },
    });
    expect(plan.period).toEqual(period);
  });

  it("put a unit of time in the place of the one there is, and end a ranking of other groups", () => {
    const plan = aPlan({ grain: "day", dimensions: [] });
    const monthly = withGroup(plan, chipOf(plan, "grain"), { name: "month", catalog });
    expect(monthly).toMatchObject({ grain: "month", dimensions: [], order: null, limit: null });
    const named = withGroup(plan, chipOf(plan, "grain"), { name: "campaign", catalog });
    expect(named).toMatchObject({ grain: null, dimensions: ["campaign"] });
  });

  it("take a condition more, which joins the one on the same thing", () => {
    const texas = { field: "state", op: "is", values: ["TX"] };
    const florida = { field: "state", op: "is", values: ["FL"] };
    const converted = { field: "converted", op: "is", values: [true] };
    expect(withNewFilter(aPlan(), converted).filters).toEqual([texas, converted]);
    expect(withNewFilter(aPlan(), florida).filters).toEqual([{ ...texas, values: ["TX", "FL"] }]);
    expect(withNewFilter(aPlan(), texas).filters).toEqual([texas]);
    const full = aPlan({ filters: Array.from({ length: 20 }, () => texas) });
    expect(toChips(full, catalog, wordless).map(({ kind }) => kind)).not.toContain("new_filter");
  });

  it("are taken away with what they say", () => {
    const plan = aPlan();
    expect(withoutChip(plan, chipOf(plan, "filter")).filters).toEqual([]);
    expect(withoutChip(plan, chipOf(plan, "group"))).toMatchObject({ dimensions: [], order: null, limit: null });
  });

  it("make a sentence, also before the server has said the conditions", () => {
    const said = "Revenue by campaign, state is TX, last month";
    expect(sayPlan(aPlan(), catalog, { filters: ["state is TX"], grouping: [] })).toBe(said);
    expect(sayPlan(aPlan(), catalog, wordless)).toBe(said);
  });
});
