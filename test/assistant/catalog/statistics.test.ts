import { describe, expect, it } from "vitest";
import { callsSubject } from "../../../assistant/catalog/calls.ts";
import { findMeasure } from "../../../assistant/catalog/catalog.ts";

describe("a statistic", () => {
  it.each([
    ["median_revenue", { kind: "quantile", column: "revenue", level: 0.5 }],
    ["p90_duration", { kind: "quantile", column: "duration", level: 0.9 }],
    ["max_payout", { kind: "highest", column: "payout" }],
    ["min_connect_duration", { kind: "lowest", column: "connect_duration", where: "connected_at IS NOT NULL" }],
    ["distinct_state", { kind: "distinct", column: "caller_state" }],
  ])("%s needs no entry of its own", (name, aggregate) => {
    expect(findMeasure(callsSubject, name)).toMatchObject({ name, aggregate });
  });
  it.each(["median_campaign", "p0_duration", "p100_duration", "distinct_revenue", "average_duration", "median_"])(
    "is not made of %s",
    (name) => {
      expect(findMeasure(callsSubject, name)).toBeUndefined();
    },
  );
  it("gives way to a measure of that name", () => {
    expect(findMeasure(callsSubject, "avg_duration")?.words).toContain("average call length");
  });
});
