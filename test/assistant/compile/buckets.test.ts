import { describe, expect, it, onTestFinished } from "vitest";
import { compilePlan } from "../../../assistant/compile/compile.ts";
import type { Dialect } from "../../../assistant/compile/dialect.ts";
import { clickhouseDialect } from "../../../assistant/compile/dialect-clickhouse.ts";
import { duckdbDialect } from "../../../assistant/compile/dialect-duckdb.ts";
import { planSchema } from "../../../assistant/plan.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../../clickhouse-server.ts";
import { orgOne } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";
import { aCall } from "../example-data.ts";

/** The first call, the last one, and the hours from one to the other on the clocks of the zone. */
const vectors: [zone: string, first: string, last: string, hours: string[]][] = [
  ["UTC", "2026-11-11T21:05:00Z", "2026-11-11T23:40:00Z", ["21:00", "22:00", "23:00"]],
  ["Asia/Kolkata", "2026-11-11T22:05:00Z", "2026-11-11T23:40:00Z", ["03:00", "04:00", "05:00"]],
  ["Asia/Kolkata", "2026-11-11T22:05:00Z", "2026-11-11T23:20:00Z", ["03:00", "04:00"]],
  ["Asia/Kathmandu", "2026-11-11T22:05:00Z", "2026-11-11T23:20:00Z", ["03:00", "04:00", "05:00"]],
];

const aPlan = (given: object) =>
  planSchema.parse({
    subject: "calls",
    measures: ["calls"],
    dimensions: [],
    grain: "hour",
    filters: [],
    having: [],
    period: null,
    zone: "UTC",
    compare: null,
    order: null,
    limit: null,
    columns: [],
    ...given,
  });

describe("the hours of all data go to that of the last call, also where clocks are no whole hours from UTC", () => {
  it("on DuckDB", async () => checkHours(await openEmptyWarehouse(), duckdbDialect));
  it("on ClickHouse", { tags: ["clickhouse"] }, async () =>
    checkHours(openClickhouseWarehouse(await clickhouseDatabase()), clickhouseDialect),
  );

  async function checkHours(warehouse: Warehouse, dialect: Dialect): Promise<void> {
    onTestFinished(() => warehouse.close());
    for (const [index, [zone, ...times]] of vectors.entries()) {
      const org = `${orgOne}-${index}` as typeof orgOne;
      const [first, last, hours] = times;
      const values = [first, last].map((at, call) => ({
        ...aCall(call, org),
        started_at: new Date(at).toISOString(),
        id: `e-${index}-${call}`,
        call_id: `c-${index}-${call}`,
      }));
      const range = { topic: "call-events", partition: index, firstOffset: 0, nextOffset: 2 } as const;
      await warehouse.store({ ...range, values: values.map((value) => JSON.stringify(value)) });
      const plan = aPlan({ zone });
      const { rows } = await warehouse.query(compilePlan(plan, org, { dialect, now: Date.parse(last) }));
      const told = rows.map(({ hour }) => String(hour).slice(-5));
      expect(told, `${zone} ${last}`).toEqual(hours);
    }
  }
});

describe("before the organization's first record there are no figures, after it there are zeros", () => {
  it("on DuckDB", async () => checkMonths(await openEmptyWarehouse(), duckdbDialect));
  it("on ClickHouse", { tags: ["clickhouse"] }, async () =>
    checkMonths(openClickhouseWarehouse(await clickhouseDatabase()), clickhouseDialect),
  );

  async function checkMonths(warehouse: Warehouse, dialect: Dialect): Promise<void> {
    onTestFinished(() => warehouse.close());
    // In New York the first one is of March.
    const times = ["2026-04-01T02:00:00.000Z", "2026-06-10T12:00:00.000Z"];
    const values = times.map((started_at, call) => ({
      ...aCall(call, orgOne),
      started_at,
      id: `e-${call}`,
      call_id: `c-${call}`,
    }));
    const range = { topic: "call-events", partition: 0, firstOffset: 0, nextOffset: values.length } as const;
    await warehouse.store({ ...range, values: values.map((value) => JSON.stringify(value)) });
    const period = { from: "2026-01-01T05:00:00.000Z", to: "2026-07-01T04:00:00.000Z", label: "then" };
    const of = async (given: object) => {
      const plan = aPlan({ grain: "month", period, zone: "America/New_York", ...given });
      return (await warehouse.query(compilePlan(plan, orgOne, { dialect }))).rows;
    };
    expect((await of({})).map(({ calls }) => calls)).toEqual([null, null, 1, 0, 0, 1]);
    // What the conditions leave none of is a zero nevertheless.
    const filters = [{ field: "campaign", op: "is", values: ["nobody's"] }];
    expect((await of({ filters })).map(({ calls }) => calls)).toEqual([null, null, 0, 0, 0, 0]);
    const year = { from: "2025-07-01T04:00:00.000Z", to: "2026-01-01T05:00:00.000Z", label: "before" };
    const compared = await of({ compare: year });
    expect(compared.map(({ calls, calls_before }) => [calls, calls_before])).toEqual([
      [null, null],
      [null, null],
      [1, null],
      [0, null],
      [0, null],
      [1, null],
    ]);
  }
});
