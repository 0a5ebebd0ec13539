import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePlan } from "../../assistant/parse-plan.ts";
import { orgOne } from "../make.ts";
import { aPlan } from "./a-plan.ts";
import { type Example, openExample } from "./example-assistant.ts";
import { zone } from "./example-data.ts";
import { golds } from "./gold-questions.ts";

let example: Example;
beforeAll(async () => {
  example = await openExample();
});
afterAll(() => example.close());

const aListing = (given: object = {}): object => aPlan({ measures: [], columns: ["started_at", "call_id"], ...given });
const aFilter = (field: string, op: string, ...values: unknown[]) => ({ filters: [{ field, op, values }] });
const aPeriod = (from: string | null, to: string) => ({ from, to, label: "then" });
const year = aPeriod("2026-01-01T00:00:00Z", "2026-11-21T00:00:00Z");

const accepted: readonly [string, object][] = [
  ["one without the newest field", { ...aPlan(), share: undefined }],
  ["a tag", aPlan({ dimensions: ["tag:utm source"] })],
  ["steps of a number", aPlan({ dimensions: ["bin:duration:30", "bin:revenue:0.25"] })],
  ["steps whose width is open", aPlan({ dimensions: ["bin:duration"] })],
  ["weekdays across hours", aPlan({ grain: "hour_of_day", dimensions: ["day_of_week"] })],
  ["a year of days", aPlan({ grain: "day", period: year })],
  ["a ranking of the hours of a year", aPlan({ grain: "hour", period: year, limit: 3 })],
  [
    "a status code",
    { ...aPlan(aFilter("status_code", "is", 500)), subject: "outgoing_webhook_requests", measures: ["deliveries"] },
  ],
  ["several names", aPlan(aFilter("campaign", "is_not", "Solar East", "O'Brien"))],
  ["a listing by a number", aListing({ order: { by: "duration", direction: "asc" } })],
];

const refused: readonly [string, unknown][] = [
  ["nothing", null],
  ["a text", "calls"],
  ["no measure", aPlan({ measures: [] })],
  ["a measure that there is not", aPlan({ measures: ["nope"] })],
  ["a measure twice", aPlan({ measures: ["calls", "calls"] })],
  ["a measure of another subject", aPlan({ measures: ["pings"] })],
  ["a dimension that there is not", aPlan({ dimensions: ["org_id"] })],
  ["steps of nothing", aPlan({ dimensions: ["bin:duration:0"] })],
  ["steps finer than cents", aPlan({ dimensions: ["bin:revenue:0.001"] })],
  ["steps of a name", aPlan({ dimensions: ["bin:campaign:5"] })],
  ["steps that are SQL", aPlan({ dimensions: ["bin:duration:1)--"] })],
  ["steps of one number twice", aPlan({ dimensions: ["bin:duration:5", "bin:duration:10"] })],
  ["a condition on steps", aPlan(aFilter("bin:duration:30", "is", 30))],
  ["a condition that steps are known", aPlan(aFilter("bin:duration:30", "not_empty"))],
  ["a dimension twice", aPlan({ dimensions: ["campaign", "campaign"] })],
  ["a tag with an unreadable name", aPlan({ dimensions: ["tag:a\u0000b"] })],
  ["a zone that there is not", aPlan({ grain: "day", zone: "Mars/X" })],
  ["an order that is SQL", aPlan({ dimensions: ["campaign"], order: { by: "1; DROP TABLE calls", direction: "asc" } })],
  ["an order by what is not shown", aPlan({ dimensions: ["campaign"], order: { by: "revenue", direction: "asc" } })],
  ["a column that is not listed", aListing({ columns: ["call_id", "org_id"] })],
  ["a listing with measures", aListing({ measures: ["calls"] })],
  ["a listing ordered by a name", aListing({ order: { by: "x); drop table calls; --", direction: "asc" } })],
  ["a text against a number", aPlan(aFilter("duration", "more_than", "abc"))],
  ["a number against a name", aPlan(aFilter("campaign", "is", 5))],
  ["a name compared", aPlan(aFilter("campaign", "more_than", "A"))],
  ["a number beyond measure", aPlan(aFilter("duration", "is", 1e300))],
  ["two bounds in one", aPlan(aFilter("duration", "more_than", 1, 2))],
  ["a fact that is no yes or no", aPlan(aFilter("converted", "is", "yes"))],
  ["a fact that is empty", aPlan(aFilter("converted", "empty"))],
  ["a day that is none", aPlan(aFilter("day_of_week", "is", "Someday"))],
  ["half a character", aPlan(aFilter("campaign", "is", "\ud800"))],
  ["a field that there is not", aPlan(aFilter("password", "is", "x"))],
  [
    "a limit on a measure that there is not",
    aPlan({ dimensions: ["campaign"], having: [{ field: "x", op: "at_least", values: [1] }] }),
  ],
  [
    "hours of two thousand years",
    aPlan({ grain: "hour", period: aPeriod("0001-01-01T00:00:00Z", "2026-11-21T00:00:00Z") }),
  ],
  ["hours of a year", aPlan({ grain: "hour", period: year })],
  ["hours until the end of time", aPlan({ grain: "hour", period: aPeriod(null, "9999-12-31T00:00:00Z") })],
  ["a period that ends before it starts", aPlan({ period: aPeriod("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z") })],
  ["a comparison with nothing", aPlan({ compare: year })],
  ["shares of a rate", aPlan({ measures: ["conversion_rate"], dimensions: ["campaign"], share: true })],
  ["a million rows", aPlan({ dimensions: ["campaign"], limit: 1_000_000 })],
];

describe("a plan from outside", () => {
  it.each(accepted)("is taken: %s", (_, plan) => {
    expect(parsePlan(plan)).not.toBeNull();
  });
  it.each(refused)("is not taken: %s", (_, plan) => {
    expect(parsePlan(plan)).toBeNull();
  });
  it("is taken as it is when an answer bore it", async () => {
    for (const [question] of golds) {
      const { plan } = await example.ask(question);
      expect(parsePlan(JSON.parse(JSON.stringify(plan))), question).toEqual(plan);
    }
  });
  it("is read in the organization's zone, whatever its own", async () => {
    const previousPlan = parsePlan(aPlan({ zone: "Asia/Tokyo", grain: "day" })) ?? undefined;
    const answer = await example.assistant.ask({
      orgId: orgOne,
      timeZone: zone,
      question: "only yesterday",
      previousPlan,
    });
    expect(answer.plan?.zone).toBe(zone);
  });
});
