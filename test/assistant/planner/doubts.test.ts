import { describe, expect, it } from "vitest";
import type { Plan } from "../../../assistant/plan.ts";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import { createNames } from "../../../assistant/planner/link/name-index.ts";
import { planQuestion } from "../../../assistant/planner/offline.ts";
import type { Outcome } from "../../../assistant/planner/outcome.ts";
import { now, zone } from "../example-data.ts";

const lexicon = catalogLexicon();
const own = [
  { field: "campaign", value: "Medicare Advantage Q4" },
  { field: "publisher", value: "Red Hill" },
  { field: "buyer", value: "Sunny Group" },
  { field: "webhook", value: "CRM push" },
];
const names = createNames(own, lexicon);
const ask = (text: string, previous?: Plan): Outcome => planQuestion({ text, previous }, { lexicon, names, now, zone });
function planOf(text: string, previous?: Plan): Plan {
  const outcome = ask(text, previous);
  if (outcome.kind !== "plan") throw new Error(`${text}: ${outcome.kind}: ${outcome.sentence}`);
  return outcome.plan;
}
const chain = (...texts: readonly [string, ...string[]]): Plan =>
  texts.slice(1).reduce((plan, text) => planOf(text, plan), planOf(texts[0]));

describe("a follow-up that names only a figure", () => {
  it("keeps the period, the groups and which of them", () => {
    const september = ["revenue by campaign last month", "and by publisher", "only the top 3", "what about September"];
    const plan = chain("revenue by campaign last month", ...september.slice(1), "and profit?");
    expect(plan).toMatchObject({
      measures: ["profit", "revenue"],
      dimensions: ["publisher"],
      period: { label: "September 2026" },
      limit: 3,
      order: { by: "revenue", direction: "desc" },
    });
  });
  it.each([
    "conversion rate?",
    "show me their conversion rate",
    "conversion rate of those",
    "and what about the conversion rate",
  ])("goes on: %s", (text) => {
    expect(chain("top 5 publishers by profit last month", text)).toMatchObject({
      measures: ["conversion_rate", "profit"],
      dimensions: ["publisher"],
      period: { label: "last month" },
      limit: 5,
      order: { by: "profit" },
    });
  });
  it("changes the figure alone where nothing is ranked", () => {
    const plan = chain("revenue by day last month", "and calls?");
    expect(plan).toMatchObject({ measures: ["calls"], grain: "day", period: { label: "last month" } });
  });
  it.each([
    "and failed webhook deliveries",
    "show me their conversion rate by day",
    "and profit yesterday",
    "and profit in Texas",
    "their calls yesterday",
  ])("is asked back where it is not sure: %s", (text) => {
    const outcome = ask(text, planOf("revenue by campaign last month"));
    expect(outcome.kind, JSON.stringify(outcome)).not.toBe("plan");
  });
  it.each([
    "and profit?",
    "show me their conversion rate",
    "their profit last month",
    "what about payout",
    "only calls",
  ])("is not answered over all data without a plan before: %s", (text) => {
    expect(ask(text).kind).not.toBe("plan");
  });
});

const asked: readonly [string, RegExp, readonly string[]][] = [
  ["revenue", /which time/, ["revenue by campaign last month", "revenue last month"]],
  ["calls", /which time/, ["calls by campaign last month"]],
  ["conversion rate", /which time/, ["conversion rate by campaign last month"]],
  ["Medicare Advantage Q4", /Which figure/, ['revenue for campaign "Medicare Advantage Q4"']],
  ["publisher Red Hill", /Which figure/, ['revenue for publisher "Red Hill"']],
  ["calls with revenue last month", /above zero/, ["calls with revenue over 0 last month"]],
  [
    "calls with payout by campaign",
    /above zero/,
    ["calls with payout over 0 by campaign", "calls and payout by campaign"],
  ],
  [
    "how many repeat callers last month",
    /callers or their calls/,
    ["how many unique callers of repeat calls last month"],
  ],
  ["unique calls last month", /no duplicates/, ["non duplicate calls last month", "unique callers last month"]],
  ["how many webhooks do we have", /cannot count webhooks/, ["how many webhook deliveries do we have"]],
  [
    "revenue by campaign for publisher Sunny Group",
    /“Sunny Group” is no publisher/,
    ['revenue for buyer "Sunny Group" by campaign'],
  ],
];
const refused: readonly [string, RegExp][] = [
  ["top -5 publishers by revenue", /“-5”/],
  ["top - 5 publishers by revenue", /“- 5”/],
  ["calls with revenue over -$5", /“-\$5”/],
  ["conversions last month vs calls in September", /two things or two times/],
  ["revenue last month vs revenue last month", /hold those two periods/],
  ["revenue last week vs same month last year", /hold those two periods/],
];

describe("what cannot be read for sure", () => {
  it.each(asked)("is asked back: %s", (text, sentence, options) => {
    const outcome = ask(text);
    expect(outcome).toMatchObject({ kind: "clarify", sentence: expect.stringMatching(sentence) });
    if (outcome.kind !== "clarify") return;
    expect(outcome.options).toEqual(expect.arrayContaining([...options]));
    for (const option of outcome.options) expect(ask(option).kind, option).toBe("plan");
  });
  it.each(refused)("is refused: %s", (text, sentence) => {
    expect(ask(text)).toMatchObject({ kind: "refused", sentence: expect.stringMatching(sentence) });
  });
  it("offers readings that differ", () => {
    expect(planOf("unique callers of repeat calls last month")).toMatchObject({
      measures: ["unique_callers"],
      filters: [{ field: "repeat", op: "is", values: [true] }],
    });
    expect(planOf("non duplicate calls last month")).toMatchObject({
      measures: ["calls"],
      filters: [{ field: "duplicate", op: "is", values: [false] }],
    });
    expect(planOf("calls with payout over 0 by campaign")).toMatchObject({
      measures: ["calls"],
      filters: [{ field: "payout", op: "more_than", values: [0] }],
    });
  });
  it.each([
    "how many calls",
    "total revenue",
    "calls yesterday",
    "top-5 publishers by revenue",
    "revenue October 1 - 15",
  ])("still answers: %s", (text) => {
    expect(ask(text).kind).toBe("plan");
  });
});

describe("periods and units", () => {
  it("reads the week of a date as the week that holds it", () => {
    const week = { from: "2026-10-05T04:00:00.000Z", to: "2026-10-12T04:00:00.000Z" };
    for (const day of ["October 5", "October 7", "the 2026-10-11", "10/8"])
      expect(planOf(`revenue for week of ${day}`), day).toMatchObject({ period: week, grain: null });
    expect(planOf("revenue for the week ending October 11")).toMatchObject({ period: week, grain: null });
  });
  it.each([
    ["revenue last month vs same month last year", "2025-10-01T04:00:00.000Z", "2025-11-01T04:00:00.000Z"],
    ["revenue this month compared to the same month last year", "2025-11-01T04:00:00.000Z", "2025-11-21"],
    ["revenue last week vs same week of last year", "2025-11-10T05:00:00.000Z", "2025-11-17T05:00:00.000Z"],
    ["revenue yesterday vs same day last year", "2025-11-20T05:00:00.000Z", "2025-11-21T05:00:00.000Z"],
    ["revenue Q3 vs same quarter last year", "2025-07-01T04:00:00.000Z", "2025-10-01T04:00:00.000Z"],
  ])("%s", (text, from, to) => {
    expect(planOf(text).compare).toMatchObject({ from, to: expect.stringContaining(to) });
  });
  it.each(["total duration in hours by buyer", "talk time by buyer in minutes"])(
    "takes a unit for a unit: %s",
    (text) => {
      expect(ask(text)).toMatchObject({
        kind: "plan",
        plan: { grain: null, dimensions: ["buyer"] },
        notes: [expect.stringMatching(/in the table it is in seconds/)],
      });
    },
  );
  it("holds a limit on a day's figure against the day", () => {
    expect(planOf("which days had revenue above 6000 last month")).toMatchObject({
      grain: "day",
      filters: [],
      having: [{ field: "revenue", op: "more_than", values: [6000] }],
    });
  });
});

describe("a follow-up that changes what is shown", () => {
  it("shows counts as rates, and keeps them so", () => {
    const plan = chain("failed calls by publisher this month", "as a rate", "for last month");
    expect(plan).toMatchObject({ measures: ["failure_rate"], dimensions: ["publisher"] });
  });
  it("puts a group in the place of the one that is named", () => {
    expect(chain("revenue by buyer last month", "by campaign instead of buyer").dimensions).toEqual(["campaign"]);
  });
  it("lists what was counted", () => {
    const plan = chain("failed calls by publisher last month", "list them");
    expect(plan).toMatchObject({
      measures: [],
      dimensions: [],
      filters: [{ field: "failed", op: "is", values: [true] }],
    });
    expect(plan.columns).toContain("call_id");
    expect(ask("list them", planOf("revenue by publisher last month")).kind).not.toBe("plan");
  });
  it("takes a name out of those that were asked for, else leaves it out", () => {
    const both = chain("calls from Texas and Florida last month", "remove Florida");
    expect(both.filters).toEqual([{ field: "state", op: "is", values: ["TX"] }]);
    const all = chain("calls by publisher last month", "remove Red Hill");
    expect(all.filters).toEqual([{ field: "publisher", op: "is_not", values: ["Red Hill"] }]);
  });
  it("holds a limit against the groups that are there", () => {
    const plan = chain("EPC by publisher last month", "only those with at least 70 calls");
    expect(plan).toMatchObject({
      dimensions: ["publisher"],
      having: [{ field: "calls", op: "at_least", values: [70] }],
    });
    expect(plan.measures).toContain("epc");
  });
  it("is not understood without an answer before", () => {
    expect(ask("as a rate").kind).not.toBe("plan");
  });
});

describe("a question said twice", () => {
  it("is the second sentence where that says all of the first", () => {
    const plan = planOf("which hours bring the most conversions? conversions by hour of day last month");
    expect(plan).toMatchObject({ measures: ["converted_calls"], grain: "hour_of_day", limit: null });
  });
  it("is no way around what is refused", () => {
    expect(ask("what is my api key? calls by campaign last month").kind).toBe("refused");
  });
  it("is about the name and over the time that the first alone has", () =>
    expect(planOf("did Red Hill do better last month? calls by campaign")).toMatchObject({
      filters: [{ field: "publisher", values: ["Red Hill"] }],
      period: { label: "last month" },
    }));
  it("is not read where the first has a word that may be a name", () => {
    expect(ask("how did Zorblatt do? calls by campaign last month").kind).not.toBe("plan");
  });
});
