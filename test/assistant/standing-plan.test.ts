import { describe, expect, it } from "vitest";
import { readCompareWords, readPeriodWords } from "../../assistant/standing-plan.ts";
import { now, zone } from "./example-data.ts";

const compared = (words: string, label: string) => {
  const period = readPeriodWords(label, { now, zone });
  if (!period) throw new Error(`${label} is no period`);
  const other = readCompareWords(words, { now, zone, period });
  return other && [other.label, other.from?.slice(0, 16), other.to.slice(0, 16)];
};

describe("words for the period to compare with", () => {
  it.each([
    ["the period before", "last month", ["the period before", "2026-09-01T04:00", "2026-10-01T04:00"]],
    ["Previous period", "last 7 days", ["the period before", "2026-11-07T05:00", "2026-11-14T05:00"]],
    ["a year earlier", "last month", ["last month a year earlier", "2025-10-01T04:00", "2025-11-01T04:00"]],
    ["August 2026", "last month", ["August 2026", "2026-08-01T04:00", "2026-09-01T04:00"]],
  ])("%s beside %s", (words, label, other) => {
    expect(compared(words, label)).toEqual(other);
  });

  it("name as much of another period as has passed of one that still runs", () => {
    expect(compared("last month", "this month")).toEqual([
      "last month, same part",
      "2026-10-01T04:00",
      "2026-10-21T14:00",
    ]);
  });

  it.each([
    ["the good old days", "last month"],
    ["all time", "last month"],
    ["the period before", "before October 2026"],
  ])("are none: %s beside %s", (words, label) => {
    expect(compared(words, label)).toBeUndefined();
  });
});
