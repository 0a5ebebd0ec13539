// @module-tag slow
import fc from "fast-check";
import type { LoggerInterface } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalog } from "../../assistant/catalog/catalog.ts";
import { compilePlan } from "../../assistant/compile/compile.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { parsePlan } from "../../assistant/parse-plan.ts";
import type { Plan } from "../../assistant/plan.ts";
import { orgOne } from "../make.ts";
import { type Example, openExample } from "./example-assistant.ts";
import { zone } from "./example-data.ts";
import { golds } from "./gold-questions.ts";
import { wild } from "./wild-plans.ts";

let example: Example;
beforeAll(async () => {
  example = await openExample();
});
afterAll(() => example.close());

const followUps = [
  "only last month",
  "by publisher instead",
  "top 2",
  "only converted",
  "by hour",
  "what about revenue",
  "as a percentage",
  "as a pie chart",
  "make it a line chart",
  "as a heat map",
  "bar chart",
  "area chart",
  "scatter plot",
];
const names = catalog.flatMap(({ measures, dimensions, flags, quantities, listing }) => [
  ...[...measures, ...dimensions, ...flags, ...quantities].map(({ name }) => name),
  ...listing,
]);
const strange = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  5,
  2.5,
  1e9,
  1e300,
  "",
  "x",
  "a'b",
  'a"b',
  "é\n",
  "\u0000",
  "1; DROP TABLE calls",
  "TX",
  "Monday",
  "2026-01-01T00:00:00Z",
  "1999-01-01T00:00:00Z",
  "UTC",
  "Mars/X",
  "US/Pacific",
  "tag:end",
  "tag:calls",
  'tag:"',
  [],
  {},
  "is",
  "at_least",
  "hour",
  "hour_of_day",
  "day_of_week",
  "asc",
);

/** The same with one value somewhere inside put in place of another. */
function put(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path;
  if (typeof value !== "object" || value === null || step === undefined) return other;
  const keys = Object.keys(value);
  const key = keys[step % keys.length];
  if (key === undefined) return other;
  const inner = put((value as Record<string, unknown>)[key], rest, other);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}
const path = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 });
const mutation = fc.tuple(path, fc.oneof(strange, fc.constantFrom(...names), fc.jsonValue()));
const fail = (...said: readonly unknown[]): never => {
  throw new Error(said.join(" "));
};
/** What the library would only warn of is a fault in a spec of ours. */
const strict: LoggerInterface = {
  level: (() => strict) as LoggerInterface["level"],
  error: fail,
  warn: fail,
  info: () => strict,
  debug: () => strict,
};
/** About one in twenty plans, and one in forty of the changed ones, is taken. */
const drawn = { numRuns: 300 };

describe("whatever plan a client sends", () => {
  const survives = async (plan: Plan, followUp: string) => {
    await example.warehouse.query(compilePlan(plan, orgOne, { dialect: duckdbDialect }), { maxRows: 10 });
    const answer = await example.assistant.ask({
      orgId: orgOne,
      timeZone: zone,
      question: followUp,
      previousPlan: plan,
    });
    if (answer.plan !== null) expect(parsePlan(answer.plan)).toEqual(answer.plan);
    const spec = answer.chart_suggestion?.vega_lite;
    if (spec) expect(() => compile(spec as unknown as TopLevelSpec, { logger: strict })).not.toThrow();
  };
  it("is not taken, or runs and can be followed up", async () => {
    let taken = 0;
    const property = fc.asyncProperty(wild, fc.constantFrom(...followUps), async (given, followUp) => {
      const plan = parsePlan(given);
      if (plan === null) return;
      taken += 1;
      await survives(plan, followUp);
    });
    await fc.assert(property, drawn);
    expect(taken).toBeGreaterThan(4);
  });
  it("is not taken, or runs and can be followed up, when one thing was changed in a good one", async () => {
    const questions = [
      ...golds.map(([question]) => question),
      "last 5 calls",
      "share of calls by campaign",
      "calls by hour of day and weekday",
    ];
    const good = (await Promise.all(questions.map((question) => example.ask(question)))).map(({ plan }) => plan);
    let taken = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...good),
      mutation,
      fc.constantFrom(...followUps),
      async (base, [where, other], followUp) => {
        const plan = parsePlan(put(base, where, other));
        if (plan === null) return;
        taken += 1;
        await survives(plan, followUp);
      },
    );
    await fc.assert(property, drawn);
    expect(taken).toBeGreaterThan(4);
  });
});
