import { describe, expect, it } from "vitest";
import { filterFields, formatAmount, parseAmount } from "../../../../assistant/web/chips/conditions.ts";
import type { CatalogSubject } from "../../../../assistant/web/wire.ts";
import { aPlan, catalog } from "./a-plan.ts";

describe("an amount as it is typed", () => {
  it.each([
    ["90", "seconds", 90],
    ["5m", "seconds", 300],
    ["5 min 30 sec", "seconds", 330],
    ["1h 2m 3s", "seconds", 3723],
    ["1:30", "seconds", 90],
    ["1.5h", "seconds", 5400],
    ["250", "ms", 250],
    ["250 ms", "ms", 250],
    ["2s", "ms", 2000],
    ["$1,250.50", "money", 1250.5],
    ["-$5", "money", -5],
    ["25 %", "percent", 25],
    ["10", "count", 10],
    ["0", null, 0],
  ] as const)("%s of %s is %d", (text, unit, amount) => {
    expect(parseAmount(text, unit)).toBe(amount);
  });

  it.each([
    ["", "count"],
    ["$", "money"],
    ["many", "count"],
    ["5m", "money"],
    ["5x", "seconds"],
    ["1:75", "seconds"],
    ["9e99", "count"],
    ["Infinity", null],
  ] as const)("%s of %s is none", (text, unit) => {
    expect(parseAmount(text, unit)).toBeNull();
  });

  it.each([
    [90, "seconds", "1 min 30 s"],
    [300, "seconds", "5 min"],
    [7200, "seconds", "2 h"],
    [0, "seconds", "0 s"],
    [90_000, "seconds", "25 h"],
    [90_001, "seconds", "90001"],
    [3_601_200, "seconds", "1,000 h 20 min"],
    [1.25, "seconds", "1.25"],
    [-5, "money", "-$5"],
    [25, "percent", "25%"],
    [250, "ms", "250 ms"],
    [10, null, "10"],
  ] as const)("%d of %s is said so that it is read back: %s", (amount, unit, said) => {
    expect(formatAmount(amount, unit)).toBe(said);
    expect(parseAmount(said, unit)).toBe(amount);
  });
});

const [calls] = catalog.subjects;
const said = (change: object, subject: CatalogSubject | undefined = calls) =>
  subject && filterFields(aPlan(change), subject, catalog).map(({ section, label }) => `${section}: ${label}`);

describe("what a plan can be filtered by", () => {
  it("is names, tags, facts, numbers, and the figures of its groups", () => {
    expect(said({ grain: "day", limit: null })).toEqual([
      "Name: campaign",
      "Name: tag",
      "Yes or no: converted",
      "Number: duration",
      "Figure of each day and campaign: revenue",
      "Figure of each day and campaign: answered calls",
    ]);
  });

  it("is no figure of groups where there are none, or where two periods stand side by side", () => {
    const alone = ["Name: campaign", "Name: tag", "Yes or no: converted", "Number: duration"];
    expect(said({ dimensions: [], limit: null })).toEqual(alone);
    expect(said({ compare: { label: "the period before" } })).toEqual(alone);
  });

  it("has what is both a name and a number once, as a number", () => {
    const status = { name: "status_code", label: "status code" };
    const requests = {
      name: "outgoing_webhook_requests",
      label: "webhook deliveries",
      measures: [],
      flags: [],
      listing: [],
      has_tags: false,
      dimensions: [{ ...status, values: [] }],
      quantities: [{ ...status, unit: null }],
    };
    expect(said({}, requests)).toEqual(["Number: status code"]);
  });
});
