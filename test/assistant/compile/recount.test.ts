import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bucketLabel, toLocal } from "../../../assistant/calendar.ts";
import { compilePlan } from "../../../assistant/compile/compile.ts";
import { duckdbDialect } from "../../../assistant/compile/dialect-duckdb.ts";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { alternatives, type Filter, type Plan, planSchema } from "../../../assistant/plan.ts";
import { faultOf } from "../../../assistant/plan-faults.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import type { Row, Warehouse } from "../../../warehouse/warehouse.ts";
import { orgOne, orgTwo } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";
import { aCall, zone } from "../example-data.ts";

const one = <T>(all: readonly T[]) => fc.constantFrom(...all);
const nameless = { weight: 1, arbitrary: fc.constant(null) };
const named = (all: readonly string[]) => fc.oneof({ weight: 5, arbitrary: one(all) }, nameless);

/** Calls of the last weeks before and after the clocks change, in any combination of names and facts. */
const someCall = fc
  .record({
    at: fc.integer({ min: Date.parse("2026-10-20T00:00:00Z"), max: Date.parse("2026-11-12T00:00:00Z") }),
    campaign_name: named(["Solar East", "Solar West"]),
    publisher_name: named(["Acme Media", "Red Hill", "Blue Lake"]),
    caller_state: named(["TX", "FL", "NY"]),
    revenue: fc.option(fc.integer({ min: 0, max: 900_000 }).map((units) => units / 10_000)),
    duration: fc.option(fc.integer({ min: 0, max: 900 })),
    converted: fc.boolean(),
  })
  .map(({ at, ...given }) => ({ ...given, started_at: new Date(at).toISOString() }));

let warehouse: Warehouse;
let calls: readonly CallEvent[];
beforeAll(async () => {
  const base = aCall(0, orgOne);
  calls = fc
    .sample(someCall, 400)
    .map((given, index) => ({ ...base, ...given, call_id: `c-${index}` as CallEvent["call_id"] }));
  const others = calls.slice(0, 50).map((call) => ({ ...call, org_id: orgTwo, call_id: `x-${call.call_id}` }));
  warehouse = await openEmptyWarehouse();
  const values = [...calls, ...others].map((call, index) => JSON.stringify({ ...call, id: `e-${index}` }));
  await warehouse.store({ topic: "call-events", partition: 0, firstOffset: 0, nextOffset: values.length, values });
});
afterAll(() => warehouse.close());

const columns = { campaign: "campaign_name", publisher: "publisher_name", state: "caller_state" } as const;
type Dimension = keyof typeof columns;

const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    field: one(["campaign", "publisher", "state"]),
    op: one(["is", "is_not"] as const),
    values: fc.uniqueArray(one(["TX", "FL", "Red Hill", "Solar East"]), { minLength: 1 }),
  }),
  fc.record({
    field: one(["campaign", "publisher", "state"]),
    op: one(["contains", "not_contains"] as const),
    values: fc.tuple(one(["solar", "E", "x", "Hill"])),
  }),
  fc.record({
    field: one(["campaign", "state"]),
    op: one(["empty", "not_empty"] as const),
    values: fc.constant<string[]>([]),
  }),
  fc.record({ field: fc.constant("converted"), op: fc.constant("is" as const), values: fc.tuple(fc.boolean()) }),
  fc.record({
    field: one(["duration", "revenue"]),
    op: one(["more_than", "at_least", "less_than", "at_most"] as const),
    values: fc.tuple(fc.integer({ min: 0, max: 900 })),
  }),
);

const filter: fc.Arbitrary<Filter> = fc
  .tuple(condition, fc.array(condition, { maxLength: 2 }))
  .map(([first, or]) => (or.length === 0 ? first : { ...first, or }));

const plan: fc.Arbitrary<Plan> = fc
  .record({
    dimensions: fc.uniqueArray(one(["campaign", "publisher", "state"]), { maxLength: 3 }),
    grain: fc.option(
      one(["hour", "day", "week", "month", "hour_of_day", "day_of_week", "kind_of_day", "part_of_day"] as const),
    ),
    filters: fc.array(filter, { maxLength: 2 }),
    days: fc.option(fc.tuple(fc.integer({ min: 18, max: 30 }), fc.integer({ min: 1, max: 12 }))),
    zone: one(["UTC", zone, "Asia/Kolkata"]),
  })
  .map(({ days, ...given }) =>
    planSchema.parse({
      subject: "calls",
      measures: ["calls", "revenue", "converted_calls"],
      having: [],
      compare: null,
      order: null,
      limit: null,
      columns: [],
      ...given,
      period: days && {
        from: `2026-10-${days[0]}T05:00:00Z`,
        to: `2026-11-${String(days[1]).padStart(2, "0")}T13:30:00Z`,
        label: "a while",
      },
    }),
  )
  .filter((each) => faultOf(each) === undefined && parsePlan(each) !== null);

/** Of the calls' days, about half lie more than two years before it. */
const now = Date.parse("2028-11-01T00:00:00Z");

describe("a compiled plan", () => {
  it("counts and adds up, group by group, what a plain recount does", async () => {
    const property = fc.asyncProperty(plan, async (each) => {
      const { rows } = await warehouse.query(compilePlan(each, orgOne, { dialect: duckdbDialect, now }), {
        maxRows: 100_000,
      });
      const counted = rows.filter((row) => Number(row["calls"]) > 0);
      expect(toLines(counted, each)).toEqual(recount(each));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

const toLines = (rows: readonly Row[], { grain, dimensions }: Plan): readonly string[] =>
  rows
    .map((row) => {
      const key = [...(grain === null ? [] : [grain]), ...dimensions].map((name) => row[name]);
      return JSON.stringify([...key, row["calls"], Number(row["revenue"]).toFixed(4), row["converted_calls"]]);
    })
    .sort();

function recount(each: Plan): readonly string[] {
  const groups = new Map<string, CallEvent[]>();
  for (const call of calls.filter(
    (given) => isWithin(given, each) && each.filters.every((one) => alternatives(one).some((any) => holds(given, any))),
  )) {
    const bucket =
      each.grain === null ? [] : [bucketLabel(each.grain, toLocal(Date.parse(call.started_at), each.zone))];
    const key = JSON.stringify([...bucket, ...each.dimensions.map((name) => call[columns[name as Dimension]])]);
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups]
    .map(([key, all]) => {
      const revenue = all.reduce((sum, call) => sum + (call.revenue ?? 0), 0).toFixed(4);
      return JSON.stringify([
        ...(JSON.parse(key) as unknown[]),
        all.length,
        revenue,
        all.filter(({ converted }) => converted).length,
      ]);
    })
    .sort();
}

const isWithin = ({ started_at }: CallEvent, { period }: Plan): boolean =>
  period === null ||
  (started_at >= new Date(period.from ?? 0).toISOString() && started_at < new Date(period.to).toISOString());

function holds(call: CallEvent, { field, op, values }: Filter): boolean {
  if (field === "converted") return call.converted === values[0];
  if (field === "duration" || field === "revenue") return comparesTo(call[field], op, Number(values[0]));
  const name = call[columns[field as Dimension]];
  const contains = name !== null && values.some((value) => name.toLowerCase().includes(String(value).toLowerCase()));
  const outcomes: Partial<Record<Filter["op"], boolean>> = {
    is: name !== null && values.includes(name),
    is_not: name === null || !values.includes(name),
    contains,
    not_contains: !contains,
    empty: name === null,
    not_empty: name !== null,
  };
  return outcomes[op] === true;
}

function comparesTo(figure: number | null, op: Filter["op"], limit: number): boolean {
  if (figure === null) return false;
  if (op === "more_than") return figure > limit;
  if (op === "at_least") return figure >= limit;
  return op === "less_than" ? figure < limit : figure <= limit;
}
