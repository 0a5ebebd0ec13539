import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Filters, filters as filtersSchema } from "../../../api/config/resources/shapes.ts";
import {
  ask,
  type Combinator,
  type Condition,
  compileFilters,
  compileGroups,
  createFacts,
  type Subject,
} from "../../../api/routing/filters.ts";

/** Sunday the 1st of November 2026, half past eleven at night in New York: Monday in London. */
const subject: Subject = {
  caller: "+12125550123",
  zip: "10001",
  state: "NY",
  publisher: { id: "pub-1", name: "Blue Lake Media" },
  campaign: { id: "cmp-1", name: "Solar East" },
  number: "+18005550100",
  tags: { lead_type: "Solar", age: "42", Empty: "" },
  now: Date.parse("2026-11-02T04:30:00Z"),
  timezone: "America/New_York",
};
const nobody: Subject = {
  caller: null,
  zip: null,
  state: null,
  publisher: null,
  campaign: null,
  number: null,
  tags: {},
  now: subject.now,
  timezone: "UTC",
};

const holdsTogether = (conditions: readonly Condition[], combinator: Combinator, of: Subject): boolean => {
  const [group] = compileGroups([{ conditions, combinator }]);
  return group !== undefined && ask(group, createFacts(of)) === "passes";
};
const holds = (field: string, operator: string, values: string[], of = subject) =>
  holdsTogether([{ field, operator, values }], "and", of);
const yes = { field: "state", operator: "equals", values: ["NY"] };
const no = { field: "state", operator: "equals", values: ["TX"] };
/** Reading an hour of no zone throws. */
const throws = { field: "hour", operator: "equals", values: ["1"] };
const nowhere = { ...subject, timezone: "Nowhere/None" };

describe("a condition on", () => {
  it.each<[field: string, operator: string, values: string[]]>([
    ["caller_id", "equals", ["+12125550123"]],
    ["Caller ID", "equals", ["12125550123"]],
    ["callerId", "in", ["(212) 555-0123"]],
    ["CALLER-ID", "starts_with", ["+1212"]],
    ["caller_id", "starts_with", ["212"]],
    ["caller_id", "regex", ["^\\+1212\\d{7}$"]],
    ["caller_id", "not_equals", ["+13105550123"]],
    ["area_code", "in", ["646", "212"]],
    ["areaCode", "equals", ["212"]],
    ["state", "equals", ["NY"]],
    ["caller_state", "equals", ["new york"]],
    ["State", "starts_with", ["New"]],
    ["zip", "equals", ["10001-9999"]],
    ["zip_code", "starts_with", ["100"]],
    ["CallerZip", "between", ["10000", "10099"]],
    ["publisher_id", "equals", ["pub-1"]],
    ["Publisher Name", "contains", ["lake"]],
    ["campaign_id", "not_in", ["cmp-2"]],
    ["number", "equals", ["8005550100"]],
    ["day_of_week", "equals", ["Sunday"]],
    ["dayOfWeek", "in", ["sat", "sun"]],
    ["day_of_week", "less_than", ["1"]],
    ["hour", "equals", ["23"]],
    ["hour", "between", ["22", "24"]],
    ["lead_type", "equals", ["solar"]],
    ["Lead Type", "equals", ["solar"]],
    ["age", "greater_than_or_equal", ["18"]],
    ["empty", "not_exists", []],
    ["unheard_of", "not_exists", []],
  ])("%s %s %j holds", (field, operator, values) => {
    expect(holds(field, operator, values)).toBe(true);
  });

  it.each([
    ["state", "equals", ["NJ"]],
    ["state", "not_equals", ["New York"]],
    ["zip", "equals", ["10002"]],
    ["caller_id", "not_starts_with", ["+1212"]],
    ["hour", "equals", ["4"]],
    ["unheard_of", "equals", ["a"]],
    ["constructor", "exists", []],
    ["lead_type", "sounds_like", ["solar"]],
  ])("%s %s %j does not hold", (field, operator, values) => {
    expect(holds(field, operator, values)).toBe(false);
  });

  it("a day and an hour is asked in the route's time zone", () => {
    const london = { ...subject, timezone: "Europe/London" };
    expect([holds("day_of_week", "equals", ["monday"], london), holds("hour", "equals", ["04"], london)]).toEqual([
      true,
      true,
    ]);
  });

  it("what nobody knows makes a positive operator false and a negative one true", () => {
    const fields = "caller_id area_code state zip publisher_id publisher_name campaign_id number some_tag".split(" ");
    for (const field of fields) {
      expect(holds(field, "equals", [""], nobody), field).toBe(false);
      expect(holds(field, "not_equals", ["a"], nobody), field).toBe(true);
      expect(holds(field, "exists", [], nobody), field).toBe(false);
    }
  });

  it("without values is one without any", () => {
    const [is, isNot] = ["equals", "not_equals"].map((operator) => [{ field: "state", operator }]);
    expect([holdsTogether(is ?? [], "and", subject), holdsTogether(isNot ?? [], "and", subject)]).toEqual([
      false,
      true,
    ]);
  });
});

describe("filters", () => {
  const pass = (filters: Filters | undefined, of = subject) =>
    filters === undefined || ask(compileFilters(filters), createFacts(of)) === "passes";
  const grouped = (...groups: (typeof yes)[][]): Filters => ({
    enabled: true,
    groups: groups.map((conditions) => ({ conditions })),
  });

  it.each<[string, Filters | undefined]>([
    ["nothing", undefined],
    ["no groups", { enabled: true }],
    ["empty groups", { enabled: true, groups: [{ conditions: [] }] }],
    ["what is not enabled", { groups: [{ conditions: [no] }] }],
    ["what is switched off", { enabled: false, groups: [{ conditions: [no] }] }],
  ])("of %s let every call through", (_what, filters) => {
    expect(pass(filters)).toBe(true);
  });

  it.each<[boolean, Filters]>([
    [true, grouped([yes, yes])],
    [false, grouped([yes, no])],
    [true, grouped([no], [yes])],
    [false, grouped([no], [no])],
    [false, grouped([no], [])],
    [true, { enabled: true, groups: [{ combinator: "or", conditions: [no, yes] }] }],
    [false, { enabled: true, groups: [{ combinator: "or", conditions: [no, no] }] }],
    [false, { enabled: true, combinator: "and", groups: [{ conditions: [yes] }, { conditions: [no] }] }],
    [true, { enabled: true, combinator: "and", groups: [{ conditions: [yes] }, { conditions: [] }] }],
  ])("join a group's conditions by and, groups by or, unless they say otherwise: %s for %j", (passes, filters) => {
    expect(pass(filters)).toBe(passes);
  });

  it("are asked from left to right, and no further than the answer needs", () => {
    expect(pass(grouped([no, throws], [yes], [throws]), nowhere)).toBe(true);
    expect(() => pass(grouped([yes, throws]), nowhere)).toThrow(RangeError);
  });

  it("with every condition denied answer the opposite with and and or exchanged", () => {
    const condition = fc.record({
      field: fc.constantFrom("state", "zip", "caller_id", "lead_type", "nothing"),
      operator: fc.constantFrom("equals", "contains", "starts_with", "ends_with", "in"),
      values: fc.array(fc.constantFrom("NY", "1", "solar", "+1212", ""), { maxLength: 3 }),
    });
    const groups = fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(groups, (all) => {
        const filters = grouped(...all);
        const denied: Filters = {
          enabled: true,
          combinator: "and",
          groups: all.map((conditions) => ({
            combinator: "or",
            conditions: conditions.map((each) => ({ ...each, operator: `not_${each.operator}` })),
          })),
        };
        for (const each of [filters, denied]) filtersSchema.parse(each);
        expect(pass(denied)).toBe(!pass(filters));
      }),
    );
  });
});
