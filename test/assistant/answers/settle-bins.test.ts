import { describe, expect, it } from "vitest";
import { settleBins } from "../../../assistant/answers/answer-plan.ts";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import type { Plan } from "../../../assistant/plan.ts";

const aPlan = (dimensions: readonly string[]): Plan => {
  const plan = parsePlan({
    subject: "calls",
    measures: ["revenue"],
    dimensions,
    grain: null,
    having: [],
    period: null,
    zone: "UTC",
    compare: null,
    order: null,
    limit: 3,
    columns: [],
    filters: [{ field: "campaign", op: "is", values: ["Solar"] }],
  });
  if (plan === null) throw new Error("That is no plan.");
  return plan;
};

describe("steps of an open width", () => {
  it("get a round one by the range of nearly all values, among the rows that count", async () => {
    const asked: Plan[] = [];
    const settled = await settleBins(aPlan(["bin:duration"]), async (range) => {
      asked.push(range);
      return { p1_duration: 20, p99_duration: 620 };
    });
    expect(settled.dimensions).toEqual(["bin:duration:30"]);
    expect(asked).toMatchObject([{ measures: ["p1_duration", "p99_duration"], dimensions: [], limit: null }]);
    expect(asked[0]?.filters).toEqual(settled.filters);
    expect(asked.map(parsePlan)).toEqual(asked);
  });
  it("get the usual one where there are no values", async () => {
    const settled = await settleBins(aPlan(["bin:duration"]), async () => ({ p1_duration: null, p99_duration: null }));
    expect(settled.dimensions).toEqual(["bin:duration:30"]);
  });
  it("are left alone where the width was said, and cost no query", async () => {
    const plan = aPlan(["bin:duration:45", "campaign"]);
    const settled = await settleBins(plan, () => Promise.reject(new Error("Nothing needs to be asked.")));
    expect(settled).toBe(plan);
  });
});
