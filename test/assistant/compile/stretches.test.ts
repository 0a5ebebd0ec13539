import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dayMs, toLocal } from "../../../assistant/calendar.ts";
import { duckdbDialect } from "../../../assistant/compile/dialect-duckdb.ts";
import { stretchesOf } from "../../../assistant/compile/stretches.ts";
import { raw, sql, time } from "../../../warehouse/statement.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";

/** Whole, half and quarter hours from UTC; clocks that change by half an hour, for a month, at midnight, or never. */
const zones = [
  "America/New_York",
  "Europe/London",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Chatham",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "Asia/Beirut",
  "America/Phoenix",
  "UTC",
];
const span = { from: Date.parse("2024-02-29T11:37:00Z"), to: Date.parse("2027-01-03T05:00:00Z") };

describe("the stretches of a zone", () => {
  it("tell the wall clock of every instant in them", () => {
    const property = fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: span.from, max: span.to - 1 }),
      (zone, at) => {
        const stretch = stretchesOf(span, zone).find(({ from, to }) => from <= at && at < to);
        expect(at + (stretch?.offsetMs ?? Number.NaN)).toBe(toLocal(at, zone));
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
  it("end and begin where the clocks change", () => {
    expect(
      stretchesOf(
        { from: Date.parse("2026-10-31T04:00:00Z"), to: Date.parse("2026-11-02T05:00:00Z") },
        "America/New_York",
      ),
    ).toEqual([
      { from: Date.parse("2026-10-31T04:00:00Z"), to: Date.parse("2026-11-01T06:00:00Z"), offsetMs: -4 * 3_600_000 },
      { from: Date.parse("2026-11-01T06:00:00Z"), to: Date.parse("2026-11-02T05:00:00Z"), offsetMs: -5 * 3_600_000 },
    ]);
  });
  it("are none of a span without an instant, nor of a very long one", () => {
    expect(stretchesOf({ from: span.to, to: span.from }, "UTC")).toEqual([]);
    expect(stretchesOf({ from: span.to, to: span.to }, "UTC")).toEqual([]);
    expect(stretchesOf({ from: span.to, to: span.to + 4000 * dayMs }, "UTC")).toEqual([]);
  });
});

describe("DuckDB's wall clock", () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openEmptyWarehouse();
  });
  afterAll(() => warehouse.close());

  /** Quarter hours of the span that the short way puts elsewhere than the engine's own. */
  async function strays(zone: string, likely: typeof span & { readonly isCertain: boolean }): Promise<unknown> {
    const [from, to] = [time(new Date(span.from)), time(new Date(span.to - 1))];
    const moment = raw("moment");
    const { rows } = await warehouse.query(sql`SELECT count(*) AS strays
FROM (SELECT unnest(generate_series(${from}, ${to}, INTERVAL 15 MINUTE)) AS moment) AS moments
WHERE ${duckdbDialect.local(moment, zone, likely)} IS DISTINCT FROM ${duckdbDialect.local(moment, zone)}`);
    return rows[0]?.["strays"];
  }
  it.each(zones)("is the engine's own in likely times: %s", async (zone) => {
    expect(await strays(zone, { ...span, isCertain: true })).toBe(0);
  });
  it("is the engine's own outside of them too", async () => {
    const few = { from: span.from + 200 * dayMs, to: span.to - 300 * dayMs };
    expect(await strays("America/New_York", { ...few, isCertain: false })).toBe(0);
    expect(await strays("America/New_York", { ...few, isCertain: true })).toBeGreaterThan(1000);
  });
});
