import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase, openLog, openWarehouse } from "../../../api/adapters.ts";
import { startPlatform } from "../../../api/compose.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { exportedTables, skippedTables } from "../../../api/export-import/config-tables.ts";
import { exportAll, exportInstallation } from "../../../api/export-import/export.ts";
import { importAll } from "../../../api/export-import/import.ts";
import { readSettings, type Settings } from "../../../api/settings/settings.ts";
import { systemClock } from "../../../ingest/clock.ts";

import { newClickhouseUrl } from "../../clickhouse-server.ts";
import { anInboundPing, anOutboundPing, orgOne } from "../../make.ts";
import { createClient, exampleConfig, openTestReceiver, trackingNumber } from "../../platform.ts";
import { createDatabase, testDatabaseUrl } from "../../postgres-server.ts";
import { temporaryFolder } from "../../temporary.ts";

const settingsIn = (dataDir: string, more: Record<string, string> = {}): Settings =>
  readSettings({ DATA_DIR: dataDir, PORT: "0", ALLOW_PRIVATE_DESTINATIONS: "true", LOG_LEVEL: "silent", ...more });

async function openPlatform(settings: Settings) {
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  onTestFinished(() => platform.stop());
  return { platform, ...createClient(await platform.listen()) };
}

const target = `${orgOne}-first`;
const at = new Date();

/** An installation that has taken a call, has a paused target and has been stopped. */
async function fillInstallation() {
  const settings = settingsIn(temporaryFolder());
  const { platform, post, get } = await openPlatform(settings);
  const receiver = await openTestReceiver();
  await platform.config.saveOrganization({ id: orgOne, name: "First", timezone: "UTC" });
  await platform.config.save(orgOne, exampleConfig(receiver.url, ["call.incoming", "call.completed"], orgOne));
  const { key } = await platform.apiKeys.issue(orgOne, "test", { isAdmin: true });
  await platform.settled();
  const placed = await post("/telephony/simulator/calls", key, {
    from: "+12125550123",
    to: trackingNumber,
    tags: { utm_source: "radio" },
  });
  const step = (type: string) => post(`/telephony/simulator/calls/${placed.body.call_id}/events`, key, { type });
  await step("answer");
  await step("hangup");
  expect((await post(`/api/v1/targets/${target}/pause`, key, { reason: "holiday" })).status).toBe(200);
  await platform.log.publish(
    [anInboundPing(), anOutboundPing()].map((record) => ({
      ...({ topic: "rtb-requests", key: orgOne } as const),
      value: JSON.stringify(record),
    })),
  );
  const reads = {
    calls: "/api/v1/reports/calls?limit=50",
    outgoing: "/api/v1/webhooks/outgoing-requests?limit=50",
    timeline: `/api/v1/reports/calls/${placed.body.call_id}/timeline`,
    target: `/api/v1/targets/${target}`,
    audit: "/api/v1/audit-logs?limit=50",
  };
  const read = async (ask: typeof get) => {
    const answers: Record<string, unknown> = {};
    for (const [name, path] of Object.entries(reads)) answers[name] = (await ask(path, key)).body;
    return answers;
  };
  await vi.waitFor(async () => {
    expect((await get(reads.outgoing, key)).body.data).toHaveLength(2);
    expect((await get(reads.calls, key)).body.data).toMatchObject([{ status: "completed" }]);
    expect((await get(reads.audit, key)).body.data).toHaveLength(1);
    for (const [topic, ends] of [["call-traces", await platform.log.ends("call-traces")]] as const)
      expect(await platform.warehouse.position(topic, 0)).toBe(ends[0]);
  });
  const before = await read(get);
  await platform.stop();
  return { settings, before, read };
}

async function withStores<T>(settings: Settings, work: (stores: Awaited<ReturnType<typeof openStores>>) => Promise<T>) {
  const stores = await openStores(settings);
  try {
    return await work(stores);
  } finally {
    await stores.log.close();
    await stores.warehouse.close();
    await stores.database.close();
  }
}
const openStores = async (settings: Settings) => ({
  log: await openLog(settings, { clock: systemClock }),
  warehouse: await openWarehouse(settings, { clock: systemClock }),
  database: await openDatabase(settings, { clock: systemClock }),
});

/** Aborts at the first progress. */
function stopSoon() {
  const stop = new AbortController();
  return { signal: stop.signal, onProgress: () => stop.abort() };
}

/** Where to: another folder, with PostgreSQL where there is one. */
async function emptyInstallation(more: Record<string, string> = {}): Promise<Settings> {
  if (testDatabaseUrl === undefined) return settingsIn(temporaryFolder(), more);
  const { url, remove } = await createDatabase();
  onTestFinished(remove);
  return settingsIn(temporaryFolder(), { DATABASE_URL: url, ...more });
}

describe("export and import of an installation", () => {
  describe("has all it had, counted on both sides, though export and import were stopped on the way", () => {
    it("on DuckDB", { tags: ["slow"] }, () => checkImport({}));
    it("on ClickHouse", { tags: ["clickhouse"] }, async () =>
      checkImport({ CLICKHOUSE_URL: await newClickhouseUrl() }),
    );

    async function checkImport(more: Record<string, string>): Promise<void> {
      const { settings, before, read } = await fillInstallation();
      const folder = join(temporaryFolder(), "export");
      await withStores(settings, async (stores) => {
        expect((await exportAll({ ...stores, at, folder, ...stopSoon() })).complete).toBe(false);
        expect((await exportAll({ ...stores, at, folder })).complete).toBe(true);
        // Once more changes nothing.
        expect((await exportAll({ ...stores, at, folder })).complete).toBe(true);
      });
      expect(statSync(folder).mode & 0o077).toBe(0);
      expect(existsSync(join(folder, "call_events.ndjson.gz"))).toBe(true);

      const there = await emptyInstallation(more);
      await withStores(there, async (stores) => {
        await expect(importAll({ ...stores, folder, ...stopSoon() })).rejects.toThrow(/abort/i);
        for (let run = 0; run < 2; run += 1) {
          const compared = await importAll({ ...stores, folder });
          expect(compared.filter(({ exported, imported }) => exported !== imported)).toEqual([]);
          const count = new Map(compared.map(({ table, imported }) => [table, imported]));
          expect(count.get("calls")).toBe(1);
          for (const table of ["documents", "document_references", "api_keys", "call_events", "inbound_rtb_requests"])
            expect(count.get(table), table).toBeGreaterThan(0);
        }
      });
      const { get } = await openPlatform(there);
      const after = await read(get);
      expect(after).toEqual(before);
      expect(after["target"]).toMatchObject({ is_paused: true });
    }
  });

  it("is refused by an installation that has another organization", { tags: ["slow"] }, async () => {
    const { settings } = await fillInstallation();
    const folder = join(temporaryFolder(), "export");
    await withStores(settings, (stores) => exportAll({ ...stores, at, folder }));
    const there = await emptyInstallation();
    const { platform } = await openPlatform(there);
    await platform.config.saveOrganization({
      id: "org_elsewhere" as typeof orgOne,
      name: "Elsewhere",
      timezone: "UTC",
    });
    await platform.stop();
    await withStores(there, (stores) =>
      expect(importAll({ ...stores, folder })).rejects.toThrow(/has an organization already, Elsewhere/),
    );
  });

  it("does not go on with an export when something has happened in between, nor leaves out what waits in the log", async () => {
    const { settings } = await fillInstallation();
    const folder = join(temporaryFolder(), "export");
    await withStores(settings, async (stores) => {
      await exportAll({ ...stores, at, folder, ...stopSoon() });
      const topic = "rtb-requests";
      const value = JSON.stringify(anInboundPing({ request_id: "late" }));
      const [position] = await stores.log.publish([{ topic, key: orgOne, value }]);
      await expect(exportAll({ ...stores, at, folder })).rejects.toThrow(/^1 messages of the log are not stored yet/);
      const firstOffset = position?.offset ?? 0;
      const nextOffset = firstOffset + 1;
      await stores.warehouse.store({ topic, partition: 0, firstOffset, nextOffset, values: [value] });
      await expect(exportAll({ ...stores, at, folder })).rejects.toThrow(/choose an empty folder/);
      await expect(importAll({ ...stores, folder })).rejects.toThrow(/holds no complete export/);
    });
  });
});

describe("an installation that was stopped with work in hand", () => {
  it("is exported with all that it had acknowledged: calls, webhooks and their history", {
    tags: ["slow"],
  }, async () => {
    const settings = settingsIn(temporaryFolder());
    // Takes calls and does nothing more with them, as if the rest had been killed at that moment.
    const { platform, post } = await openPlatform({ ...settings, ROLES: ["api"] });
    const receiver = await openTestReceiver();
    await platform.config.saveOrganization({ id: orgOne, name: "First", timezone: "UTC" });
    await platform.config.save(orgOne, exampleConfig(receiver.url, ["call.incoming", "call.completed"], orgOne));
    const { key } = await platform.apiKeys.issue(orgOne, "test", { isAdmin: true });
    await platform.settled();
    const place = async () =>
      (await post("/telephony/simulator/calls", key, { from: "+12125550123", to: trackingNumber })).body.call_id;
    const step = (id: string, type: string) => post(`/telephony/simulator/calls/${id}/events`, key, { type });
    const [ended, ringing] = [await place(), await place()];
    await step(ended, "answer");
    expect((await step(ended, "hangup")).status).toBe(200);
    await platform.stop();
    expect(receiver.received).toEqual([]);

    const folder = join(temporaryFolder(), "export");
    const stopped = exportInstallation(settings, { folder, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow(/abort/i);
    expect(existsSync(folder)).toBe(false);
    expect(await exportInstallation(settings, { folder })).toMatchObject({ complete: true, callsInProgress: 1 });
    expect(receiver.received.map(({ body }) => JSON.parse(body).event).sort()).toEqual([
      "call.completed",
      "call.incoming",
      "call.incoming",
    ]);
    // What is there already is gone on with: nothing is finished, so that its state stays the same.
    expect(await exportInstallation(settings, { folder })).toMatchObject({ complete: true });

    const there = await emptyInstallation();
    await withStores(there, (stores) => importAll({ ...stores, folder }));
    const { get } = await openPlatform(there);
    const calls = (await get("/api/v1/reports/calls?limit=50", key)).body.data;
    expect(new Map(calls.map((call: { call_id: string; status: string }) => [call.call_id, call.status]))).toEqual(
      new Map([
        [ended, "completed"],
        [ringing, "incoming"],
      ]),
    );
    expect((await get("/api/v1/webhooks/outgoing-requests", key)).body.meta.total).toBe(3);
    expect((await get(`/api/v1/reports/calls/${ended}/timeline`, key)).status).toBe(200);
  });

  it("is not exported while events of a call are in the database alone", async () => {
    const settings = settingsIn(temporaryFolder());
    await withStores(settings, async (stores) => {
      await stores.database.query(
        `INSERT INTO open_calls (call_id, org_id, version, doc, untold, updated_at) VALUES ('c', 'o', 1, '{}', '[]', '2026')`,
      );
      const folder = join(temporaryFolder(), "export");
      await expect(exportAll({ ...stores, at, folder })).rejects.toThrow(
        /^Events of 1 calls are not published to the log yet/,
      );
    });
  });
});

describe("the tables of config", () => {
  it("are each exported or skipped for a reason", async () => {
    const database = await openSqliteDatabase({ path: ":memory:" });
    onTestFinished(() => database.close());
    const found = await database.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations' ORDER BY name",
    );
    const known = [...Object.keys(exportedTables), ...skippedTables].sort();
    expect(found.map(({ name }) => name)).toEqual(known);
  });
});
