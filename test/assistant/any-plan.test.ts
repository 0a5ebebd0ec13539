import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalog } from "../../assistant/catalog/catalog.ts";
import type { Subject } from "../../assistant/catalog/field.ts";
import { compilePlan } from "../../assistant/compile/compile.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { parsePlan } from "../../assistant/parse-plan.ts";
import { chartTypes, filterOps, grains, type Plan, recurringGrains, runningGrains } from "../../assistant/plan.ts";
import { orgOne } from "../make.ts";
import { type Example, openExample } from "./example-assistant.ts";
import { zone } from "./example-data.ts";
import { golds } from "./gold-questions.ts";

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
];
const names = catalog.flatMap(({ measures, dimensions, flags, quantities, listing }) => [
  ...[...measures, ...dimensions, ...flags, ...quantities].map(({ name }) => name),
  ...listing,
]);
const strange = fc.constantFrom<unknown>(
  ...[
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
  ],
  ...[
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
  ],
  ...["is", "at_least", "hour", "hour_of_day", "day_of_week", "asc"],
);

const one = <T>(all: readonly T[]) => fc.constantFrom(...all);
const nameOf = (all: readonly { readonly name: string }[]) => one(all.map(({ name }) => name));
const rarely = <T, U>(usual: T, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const moment = fc
  .date({ min: new Date("1999-01-01"), max: new Date("2102-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const period = fc.tuple(fc.option(moment), moment, fc.string({ maxLength: 20 })).map(([start, end, label]) => {
  const [from = null, to = ""] = start === null ? [null, end] : [start, end].toSorted();
  return { from, to, label };
});

/** A filter that fits its field, most of the time. */
const filterIn = ({ dimensions, flags, quantities }: Subject) =>
  fc.oneof(
    fc.record({ field: nameOf(flags), op: one(["is", "is_not"]), values: fc.tuple(fc.boolean()) }),
    fc.record({
      field: quantities.length > 0 ? nameOf(quantities) : one(["hour_of_day"]),
      op: one(filterOps),
      values: fc.tuple(fc.double({ noNaN: true })),
    }),
    fc.record({
      field: one(["tag:end", ...dimensions.map(({ name }) => name)]),
      op: one(["is", "is_not"]),
      values: fc.array(fc.string({ unit: "binary" })),
    }),
    fc.record({ field: nameOf(dimensions), op: one(filterOps), values: fc.array(fc.oneof(fc.integer(), fc.string())) }),
    fc.record({
      field: one(recurringGrains),
      op: one(filterOps),
      values: fc.array(fc.oneof(fc.integer(), one(["Monday"]))),
    }),
  );

/** A plan of known names that may or may not go together. */
const wild = fc
  .constantFrom(...catalog)
  .chain((subject) =>
    fc.uniqueArray(nameOf(subject.measures), { minLength: 1, maxLength: 3 }).chain((measures) =>
      fc.record({
        subject: fc.constant(subject.name),
        measures: fc.constant(measures),
        dimensions: fc.array(
          fc.oneof(nameOf(subject.dimensions), one([...recurringGrains, "tag:end", "tag:End", 'tag:"x', "tag:calls"])),
          { maxLength: 3 },
        ),
        grain: fc.option(one(grains)),
        filters: rarely([], fc.array(filterIn(subject), { maxLength: 3 })),
        having: rarely(
          [],
          fc.array(
            fc.record({
              field: nameOf(subject.measures),
              op: one(filterOps),
              values: fc.tuple(fc.double({ noNaN: true })),
            }),
            { maxLength: 2 },
          ),
        ),
        period: rarely(null, period),
        zone: fc.constantFrom("UTC", zone, "US/Pacific"),
        compare: rarely(null, period),
        order: rarely(
          null,
          fc.record({
            by: one([...measures, ...subject.quantities.map(({ name }) => name)]),
            direction: one(["asc", "desc"]),
          }),
        ),
        limit: rarely(null, fc.integer({ min: 1, max: 20 })),
        columns: rarely([], fc.subarray([...subject.listing])),
        share: rarely(false, fc.constant(true)),
        portion: rarely([], fc.array(filterIn(subject), { maxLength: 2 })),
        running: rarely(null, one(["total", "change"])),
        average_per: rarely(null, one(runningGrains)),
        limit_per: rarely(null, fc.oneof(nameOf(subject.dimensions), one(grains))),
        chart: rarely(null, one(chartTypes)),
      }),
    ),
  )
  .map((plan) => (plan.columns.length > 0 ? { ...plan, measures: [], dimensions: [], grain: null, having: [] } : plan));

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
/** About one in twenty plans, and one in forty of the changed ones, is taken. */
const runs = 600;

describe("whatever plan a client sends", () => {
  const survives = async (plan: Plan, followUp: string) => {
    await example.warehouse.query(compilePlan(plan, orgOne, duckdbDialect), { maxRows: 10 });
    const answer = await example.assistant.ask({
      orgId: orgOne,
      timeZone: zone,
      question: followUp,
      previousPlan: plan,
    });
    if (answer.plan !== null) expect(parsePlan(answer.plan)).toEqual(answer.plan);
  };
  it("is not taken, or runs and can be followed up", async () => {
    let taken = 0;
    const property = fc.asyncProperty(wild, fc.constantFrom(...followUps), async (given, followUp) => {
      const plan = parsePlan(given);
      if (plan === null) return;
      taken += 1;
      await survives(plan, followUp);
    });
    await fc.assert(property, { numRuns: runs });
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
    await fc.assert(property, { numRuns: runs });
    expect(taken).toBeGreaterThan(4);
  });
});
