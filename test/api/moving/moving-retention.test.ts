import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportInstallation } from "../../../api/moving/export-installation.ts";
import { importInstallation } from "../../../api/moving/import-installation.ts";
import { openLog, openWarehouse } from "../../../api/open-stores.ts";
import { readSettings, type Settings } from "../../../api/settings/settings.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { sql } from "../../../warehouse/statement.ts";
import { newDatabaseName } from "../../chdb.ts";
import { startClickhouse } from "../../clickhouse-server.ts";
import { anAuditRecord, anInboundPing, orgOne } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";

const dayMs = 86_400_000;
const settingsOf = (given: Record<string, string> = {}): Settings =>
  readSettings({ DATA_DIR: temporaryFolder(), PORT: "0", LOG_LEVEL: "silent", ...given });

/** An audit record and a ping of so many days ago each, at this time of the day, which the log has and nothing else yet. */
async function fill(settings: Settings, ages: readonly number[]): Promise<void> {
  const log = await openLog(settings, { clock: systemClock });
  for (const age of ages) {
    const at = new Date(Date.now() - age * dayMs).toISOString();
    const record = anAuditRecord({ id: `${age}`, created_at: at });
    const ping = anInboundPing({ request_id: `${age}`, created_at: at });
    await log.publish([
      { topic: "audit-log", key: orgOne, value: JSON.stringify(record) },
      { topic: "rtb-requests", key: orgOne, value: JSON.stringify(ping) },
    ]);
  }
  await log.close();
}

/** By what was set last at the place. */
async function shownIn(settings: Settings): Promise<unknown[]> {
  const unset = { ...settings, WAREHOUSE_RETENTION_DAYS: undefined };
  const warehouse = await openWarehouse(unset, { clock: systemClock, leavesRetention: true });
  try {
    const { rows } = await warehouse.query(sql`SELECT id FROM audit_logs ORDER BY created_at`);
    return rows.map(({ id }) => id);
  } finally {
    await warehouse.close();
  }
}

describe("an installation that forgets", () => {
  it.each([
    ["DuckDB", async () => ({})],
    ["ClickHouse", async () => ({ CLICKHOUSE_URL: `${(await startClickhouse()).url}/${newDatabaseName()}` })],
  ])("has all that comes in counted, and forgets again when it is there, on %s", async (_engine, place) => {
    const from = settingsOf();
    await fill(from, [41, 1]);
    const folder = join(temporaryFolder(), "export");
    await exportInstallation(from, { folder });
    const there = settingsOf({ ...(await place()), WAREHOUSE_RETENTION_DAYS: "40" });
    const compared = await importInstallation(there, { folder });
    expect(compared.find(({ table }) => table === "audit_logs")).toMatchObject({ exported: 2, imported: 2 });
    expect(await shownIn(there)).toEqual(["1"]);
  });

  it.each([
    ["in one go", false],
    ["and was stopped on the way", true],
  ])("is exported as it was when that began, though days go by meanwhile, %s", async (_how, stops) => {
    const from = settingsOf({ WAREHOUSE_RETENTION_DAYS: "40" });
    await fill(from, [42, 40, 1]);
    const folder = join(temporaryFolder(), "export");
    let passedMs = 0;
    const clock = { ...systemClock, now: () => Date.now() + passedMs };
    const stop = new AbortController();
    const onProgress = () => {
      passedMs = 3 * dayMs;
      if (stops) stop.abort();
    };
    const first = await exportInstallation(from, { folder, clock, onProgress, signal: stop.signal });
    expect(first.complete).toBe(!stops);
    const whole = await exportInstallation(from, { folder, clock });
    expect(whole).toMatchObject({ complete: true, history: { audit_logs: 2, inbound_rtb_requests: 2 } });
  });
});
