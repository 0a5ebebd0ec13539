import { describe, expect, it } from "vitest";
import {
  type Chip,
  type EditablePlan,
  toCompareWords,
  withConditions,
  withGroup,
  withMeasure,
  withNewCondition,
  withoutChip,
} from "../../../../assistant/web/chips/edit-plan.ts";
import { toChips } from "../../../../assistant/web/chips/plan-chips.ts";
import { aPlan, catalog, period, wordless } from "./a-plan.ts";

const chipOf = (plan: EditablePlan, kind: Chip["kind"]): Chip => {
  const chip = toChips(plan, catalog, wordless).find((each) => each.kind === kind);
  if (chip === undefined) throw new Error(`no ${kind}`);
  return chip;
};

describe("changes of a plan", () => {
  it("leave what they do not change as it came, exact dates too", () => {
    const plan = aPlan({ newer: { kept: true } });
    expect(withMeasure(plan, 0, "connected_calls")).toEqual({
      ...plan,
      measures: ["connected_calls"],
      order: { by: "connected_calls", direction: "desc" },
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

  it("are taken away with what they say", () => {
    const plan = aPlan();
    expect(withoutChip(plan, chipOf(plan, "filter")).filters).toEqual([]);
    expect(withoutChip(plan, chipOf(plan, "group"))).toMatchObject({ dimensions: [], order: null, limit: null });
  });

  it("add a condition, which joins the one on the same thing", () => {
    const texas = { field: "state", op: "is", values: ["TX"] };
    const florida = { field: "state", op: "is", values: ["FL"] };
    const converted = { field: "converted", op: "is", values: [true] };
    expect(withNewCondition(aPlan(), "filters", converted).filters).toEqual([texas, converted]);
    expect(withNewCondition(aPlan(), "filters", florida).filters).toEqual([{ ...texas, values: ["TX", "FL"] }]);
    expect(withNewCondition(aPlan(), "filters", texas).filters).toEqual([texas]);
    const any = { ...texas, or: [converted] };
    expect(withNewCondition(aPlan({ filters: [any] }), "filters", florida).filters).toEqual([any, florida]);
  });

  it("hold a number against one other, and of a group's figures apart from the records'", () => {
    const over = (count: number) => ({ field: "duration", op: "more_than", values: [count] });
    const minute = withNewCondition(aPlan({ filters: [] }), "filters", over(60));
    expect(withNewCondition(minute, "filters", over(300)).filters).toEqual([over(300)]);
    expect(withNewCondition(minute, "having", over(300))).toMatchObject({ filters: [over(60)], having: [over(300)] });
    const between = [
      { field: "duration", op: "at_least", values: [60] },
      { field: "duration", op: "at_most", values: [300] },
    ];
    expect(withConditions(minute, { list: "filters", at: 0 }, between).filters).toEqual(between);
  });

  it("keep the compared period as long as two can stand side by side", () => {
    const compare = { label: "the period before" };
    const plan = aPlan({ compare, dimensions: [], limit: null, order: null });
    const daily = withGroup(plan, chipOf(plan, "new_group"), { name: "day", catalog });
    expect(daily).toMatchObject({ grain: "day", compare });
    expect(withGroup(daily, chipOf(daily, "new_group"), { name: "campaign", catalog }).compare).toBeNull();
    expect(withoutChip(plan, chipOf(plan, "compare"))).toEqual({ ...plan, compare: null });
  });
});

it.each([
  ["the period before", "the period before"],
  ["last month a year earlier", "a year earlier"],
  ["last month, same part", "last month"],
  ["August 2026", "August 2026"],
])("a period compared as “%s” is named anew by “%s”", (label, words) => {
  expect(toCompareWords(label)).toBe(words);
});
