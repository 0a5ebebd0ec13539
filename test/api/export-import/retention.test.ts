// @module-tag slow
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase, openLog, openWarehouse } from "../../../api/adapters.ts";
import { startPlatform } from "../../../api/compose.ts";
import { exportInstallation } from "../../../api/export-import/export.ts";
import { importInstallation } from "../../../api/export-import/import.ts";
import { readSettings, type Settings } from "../../../api/settings/settings.ts";
import { systemClock } from "../../../ingest/clock.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import { sql } from "../../../warehouse/statement.ts";
import { newClickhouseUrl } from "../../clickhouse-server.ts";
import { aDialing, aHungUp, anAnswered, anAuditRecord, anInboundPing, anIncoming, orgOne } from "../../make.ts";
import { createClient, exampleConfig, lineOf, trackingNumber } from "../../platform.ts";
import { temporaryFolder } from "../../temporary.ts";

const dayMs = 86_400_000;
const settingsOf = (given: Record<string, string> = {}): Settings =>
  readSettings({ DATA_DIR: temporaryFolder(), PORT: "0", LOG_LEVEL: "silent", ...given });

/** An audit record and a ping of so many days ago each, at this time of the day, which the log has and nothing else yet. */
async function fill(settings: Settings, ages: readonly number[]): Promise<void> {
  // Config is there, as wherever something was stored.
  await (await openDatabase(settings, { clock: systemClock })).close();
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
    ["ClickHouse", async () => ({ CLICKHOUSE_URL: await newClickhouseUrl() })],
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

/** Signals of a call to the first target so many days ago, by this caller, that was answered and earned its revenue. */
function pastCall(callId: string, from: string, age: number): Signal[] {
  const began = Date.now() - age * dayMs;
  const about = (seconds: number) => ({
    org_id: orgOne,
    call_id: callId as CallId,
    at: new Date(began + seconds * 1000).toISOString(),
  });
  const named = (name: string) => ({ id: `${orgOne}-${name}`, name });
  return [
    anIncoming({ ...about(0), from, to: trackingNumber, campaign: { id: `${orgOne}-campaign`, name: "Solar East" } }),
    aDialing({ ...about(1), target: { ...named("first"), type: "number" }, buyer: named("buyer") }),
    anAnswered(about(2)),
    aHungUp(about(30)),
  ];
}

/** Its calls are those of the log; the first target takes no caller twice in a year, and so many calls in all. */
async function openFull(settings: Settings, most: number) {
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  onTestFinished(() => platform.stop());
  const caps = [{ type: "connected", period: "total", limit: most }];
  const duplicates = { consider_duplicate: true, consider_duplicate_interval: 365 };
  const documents = exampleConfig("https://nobody.example", [], orgOne);
  await platform.config.saveOrganization({ id: orgOne, name: "First", timezone: "UTC" });
  await platform.config.save(
    orgOne,
    documents.map((each) =>
      each.type === "target" && each.doc.id === `${orgOne}-first`
        ? { type: "target" as const, doc: { ...each.doc, ...duplicates, advanced_caps: caps } }
        : each,
    ),
  );
  const { key } = await platform.apiKeys.issue(orgOne, "test");
  await platform.settled();
  return { platform, key };
}

describe("calls that an installation has hidden", () => {
  const known = "+12125550123";

  it.each([
    ["DuckDB", async () => ({})],
    ["ClickHouse", async () => ({ CLICKHOUSE_URL: await newClickhouseUrl() })],
  ])(
    "count for caps that count since ever when it has moved to %s, and shown ones for duplicates",
    async (_engine, place) => {
      const from = settingsOf({ WAREHOUSE_RETENTION_DAYS: "40" });
      const { platform, key } = await openFull(from, 4);
      const calls = [pastCall("long-ago", "+12125550150", 60), pastCall("before", "+12125550151", 50)];
      for (const signal of [...calls, pastCall("lately", known, 10)].flat()) {
        await platform.log.publish([{ topic: "call-signals", key: signal.call_id, value: JSON.stringify(signal) }]);
      }
      const { get: read } = createClient(await platform.listen());
      // The last one is complete once all are: days that are hidden are added up as their calls stand then.
      const shown = `/api/v1/reports/calls?start_date=${new Date(Date.now() - 30 * dayMs).toISOString()}`;
      await vi.waitFor(
        async () => expect((await read(shown, key)).body.data).toMatchObject([{ status: "completed" }]),
        20_000,
      );
      await platform.stop();
      const folder = join(temporaryFolder(), "export");
      const { history } = await exportInstallation(from, { folder });
      expect(history).toMatchObject({ past_calls: 2, calls: 1 });

      const there = settingsOf(await place());
      for (let run = 0; run < 2; run += 1) {
        const compared = await importInstallation(there, { folder });
        expect(compared.filter(({ exported, imported }) => exported !== imported)).toEqual([]);
        expect(compared.find(({ table }) => table === "past_calls")).toMatchObject({ exported: 2 });
      }
      const moved = await startPlatform(there, { logger: pino({ level: "silent" }) });
      onTestFinished(() => moved.stop());
      const { get, post } = createClient(await moved.listen());
      const used = async () =>
        (await get(`/api/v1/targets/${orgOne}-first/counts`, key)).body.caps.map(({ used }: { used: number }) => used);
      expect(await used()).toEqual([3]);
      const call = async (caller: string) =>
        (await post("/telephony/simulator/calls", key, { from: caller, to: trackingNumber })).body;
      const repeated = await call(known);
      expect(repeated.destination.number).toBe(lineOf("second"));
      const fresh = await call("+12125550199");
      expect(fresh.destination.number).toBe(lineOf("first"));
      await post(`/telephony/simulator/calls/${fresh.call_id}/events`, key, { type: "answer" });
      await vi.waitFor(async () => expect(await used()).toEqual([4]), { timeout: 10_000 });
      expect((await call("+12125550198")).destination.number).toBe(lineOf("second"));
    },
  );
});
