import { describe, expect, it } from "vitest";
import { toEditablePlan } from "../../../../assistant/web/chips/edit-plan.ts";
import { describePlan, toChips } from "../../../../assistant/web/chips/plan-chips.ts";
import { aPlan, catalog, wordless } from "./a-plan.ts";

describe("a plan's chips", () => {
  it("say its figures, groups, conditions and period, and offer one more group", () => {
    const chips = toChips(aPlan({ grain: "day" }), catalog, { filters: ["state is TX"], grouping: [] });
    expect(chips.map(({ kind, label }) => [kind, label])).toEqual([
      ["measure", "revenue"],
      ["grain", "by day"],
      ["group", "by campaign"],
      ["filter", "state is TX"],
      ["period", "last month"],
      ["new_group", "Group by…"],
      ["new_filter", "Filter…"],
    ]);
  });

  it("say days that are named by numbers as dates are written everywhere", () => {
    const labelOf = (label: string) => {
      const chips = toChips(aPlan({ period: { label }, compare: null }), catalog, wordless);
      return chips.find(({ kind }) => kind === "period")?.label;
    };
    expect(labelOf("2026-11-02 to 2026-11-08")).toBe("Nov 2 – 8, 2026");
    expect(labelOf("2026-11-05")).toBe("Nov 5, 2026");
    expect(labelOf("October 2026")).toBe("October 2026");
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

  it("say which period is compared, and offer one where there is none and could be", () => {
    const labels = (change: object) => toChips(aPlan(change), catalog, wordless).map(({ label }) => label);
    const before = { label: "the period before" };
    expect(labels({ limit: null })).toContain("Compare with…");
    expect(labels({ limit: null, compare: before })).toContain("vs the period before");
    expect(labels({ limit: null, compare: before })).not.toContain("Compare with…");
    const ways = [{ period: null }, { grain: "day" }, { columns: ["state"] }, { share: true }, { running: "total" }];
    for (const way of ways) expect(labels({ limit: null, ...way })).not.toContain("Compare with…");
  });

  it("say conditions on the figures of groups, behind those on records and their shares", () => {
    const having = [{ field: "connected_calls", op: "more_than", values: [10] }];
    const portion = [{ field: "state", op: "is", values: ["FL"] }];
    const words = { filters: ["state is TX", "state is FL", "answered calls over 10"], grouping: [] };
    const said = (change: object, given: typeof words) =>
      toChips(aPlan(change), catalog, given).flatMap(({ kind, label }) => (kind === "having" ? [label] : []));
    expect(said({ having, portion }, words)).toEqual(["answered calls over 10"]);
    expect(said({ having }, { filters: [], grouping: [] })).toEqual(["connected calls over 10"]);
  });

  it("offer no condition more where no two have room", () => {
    const texas = { field: "state", op: "is", values: ["TX"] };
    const offers = (count: number) =>
      toChips(aPlan({ filters: Array.from({ length: count }, () => texas) }), catalog, wordless)
        .map(({ kind }) => kind)
        .includes("new_filter");
    expect([offers(18), offers(19)]).toEqual([true, false]);
  });

  it("make a sentence, also before the server has said the conditions", () => {
    const said = "Revenue by campaign, state is TX, last month";
    expect(describePlan(aPlan(), catalog, { filters: ["state is TX"], grouping: [] })).toBe(said);
    expect(describePlan(aPlan(), catalog, wordless)).toBe(said);
  });

  it("make a sentence of numbers, facts and two periods", () => {
    const filters = [
      { field: "duration", op: "at_least", values: [90] },
      { field: "converted", op: "is", values: [false] },
    ];
    const compare = { label: "a year earlier" };
    expect(describePlan(aPlan({ filters, compare }), catalog, wordless)).toBe(
      "Revenue by campaign, duration at least 1 min 30 s, not converted, last month, vs a year earlier",
    );
  });
});
