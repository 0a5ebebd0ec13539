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
      const plan = planSchema.parse({
        subject: "calls",
        measures: ["calls"],
        dimensions: [],
        grain: "hour",
        filters: [],
        having: [],
        period: null,
        zone,
        compare: null,
        order: null,
        limit: null,
        columns: [],
      });
      const { rows } = await warehouse.query(compilePlan(plan, org, { dialect, now: Date.parse(last) }));
      const told = rows.map(({ hour }) => String(hour).slice(-5));
      expect(told, `${zone} ${last}`).toEqual(hours);
    }
  }
});
