import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openWarehouse, type WarehouseDeps } from "../../api/adapters.ts";
import { type Platform, startPlatform } from "../../api/compose.ts";
import { daysOfHistory } from "../../api/demo/backfill.ts";
import { readSettings } from "../../api/settings/settings.ts";
import { sql } from "../../warehouse/statement.ts";
import { newClickhouseUrl } from "../clickhouse-server.ts";
import { anAuditRecord, orgOne, orgTwo } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { storesOf } from "../platform.ts";
import { temporaryFolder } from "../temporary.ts";
import { storing } from "../warehouse/storing.ts";
import { aTarget } from "./routing/make-route.ts";

const dayMs = 86_400_000;

describe("WAREHOUSE_RETENTION_DAYS", () => {
  it("is how long rows are shown on DuckDB", () => checkShown({ DATA_DIR: temporaryFolder() }));
  it("is how long rows are shown on ClickHouse, over HTTP", { tags: ["clickhouse"] }, async () =>
    checkShown({ CLICKHOUSE_URL: await newClickhouseUrl() }),
  );

  async function checkShown(environment: Record<string, string>): Promise<void> {
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
  }
});

describe("a start with a retention", () => {
  it("warns in the log of an organization that looks further back, and of no other", async () => {
    const dataDir = temporaryFolder();
    const environment = { DATA_DIR: dataDir, PORT: "0", ...(await storesOf(dataDir)).settings };
    const started = async (given: Record<string, string>, fill?: (platform: Platform) => Promise<void>) => {
      const lines: string[] = [];
      const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
      const platform = await startPlatform(readSettings({ ...environment, ...given }), { logger });
      await fill?.(platform).finally(platform.stop);
      await platform.stop();
      return lines.map((line) => String(JSON.parse(line).msg)).filter((line) => line.includes("looks further back"));
    };
    const looksBack = (days: number) => ({ consider_duplicate: true, consider_duplicate_interval: days });
    const fill = async ({ config }: Platform) => {
      for (const [id, days] of [
        [orgOne, 60],
        [orgTwo, 40],
      ] as const) {
        await config.saveOrganization({ id, name: `Organization ${id}`, timezone: "UTC" });
        await config.save(id, [
          { type: "target", doc: aTarget({ id: `${id}-target`, org_id: id, ...looksBack(days) }) },
        ]);
      }
    };
    expect(await started({}, fill)).toEqual([]);
    expect(await started({ WAREHOUSE_RETENTION_DAYS: "40" })).toEqual([
      expect.stringMatching(`^Organization ${orgOne} looks further back .* which is 40 days: the target .* 60 days`),
    ]);
    expect(await started({ WAREHOUSE_RETENTION_DAYS: "60" })).toEqual([]);
  });
});

describe("the demo's history", () => {
  it("is no longer than what is shown, with some days for it to come in", () => {
    expect([undefined, 365, 90, 35].map((kept) => daysOfHistory(kept))).toEqual([90, 90, 83, 28]);
  });
});
