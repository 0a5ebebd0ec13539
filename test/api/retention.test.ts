import { describe, expect, it } from "vitest";
import { daysOfHistory } from "../../api/demo/backfill.ts";
import { openWarehouse, type WarehouseDeps } from "../../api/open-stores.ts";
import { readSettings } from "../../api/settings/settings.ts";
import { sql } from "../../warehouse/statement.ts";
import { newDatabaseName } from "../chdb.ts";
import { startClickhouse } from "../clickhouse-server.ts";
import { anAuditRecord } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { temporaryFolder } from "../temporary.ts";
import { storing } from "../warehouse/storing.ts";

const dayMs = 86_400_000;

describe("WAREHOUSE_RETENTION_DAYS", () => {
  it.each([
    ["DuckDB", async () => ({ DATA_DIR: temporaryFolder() })],
    [
      "ClickHouse, over HTTP",
      async () => ({ CLICKHOUSE_URL: `${(await startClickhouse()).url}/${newDatabaseName()}` }),
    ],
  ])("is how long rows are shown on %s", async (_engine, place) => {
    const environment = await place();
    const clock = createManualClock(Date.now());
    const open = (given: Record<string, string>, deps: Pick<WarehouseDeps, "leavesRetention">) =>
      openWarehouse(readSettings({ ...environment, ...given }), { clock, ...deps });
    const shown = async (given: Record<string, string>, ages: readonly number[] = [], leavesRetention = false) => {
      const warehouse = await open(given, { leavesRetention });
      try {
        const at = (age: number) => new Date(clock.now() - age * dayMs).toISOString();
        await storing(warehouse, "audit-log")(ages.map((age) => anAuditRecord({ id: `${age}`, created_at: at(age) })));
        const { rows } = await warehouse.query(sql`SELECT id FROM audit_logs ORDER BY created_at`);
        return rows.map(({ id }) => id);
      } finally {
        await warehouse.close();
      }
    };
    expect(await shown({}, [41, 39])).toEqual(["41", "39"]);
    expect(await shown({}, [], true)).toEqual(["41", "39"]);
    expect(await shown({ WAREHOUSE_RETENTION_DAYS: "40" })).toEqual(["39"]);
    expect(await shown({}, [], true)).toEqual(["39"]);
    expect(await shown({ WAREHOUSE_RETENTION_DAYS: "42" }, [], true)).toEqual(["41", "39"]);
    expect(await shown({ WAREHOUSE_RETENTION_DAYS: "40" }, [], true)).toEqual(["39"]);
    expect(await shown({})).toEqual(["41", "39"]);
  });
});

describe("the demo's history", () => {
  it("is no longer than what is shown, with some days for it to come in", () => {
    expect([undefined, 365, 90, 35].map((kept) => daysOfHistory(kept))).toEqual([90, 90, 83, 28]);
  });
});
