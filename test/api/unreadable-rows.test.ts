import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDatabase, openLog } from "../../api/adapters.ts";
import { startPlatform } from "../../api/compose.ts";
import type { DatabaseRow } from "../../api/database/database.ts";
import { readSettings, type Settings } from "../../api/settings/settings.ts";
import { isoTime, systemClock } from "../../ingest/clock.ts";
import { sql } from "../../warehouse/statement.ts";
import { orgOne, orgTwo } from "../make.ts";
import { copyMigrated } from "../migrated-files.ts";
import { createClient, exampleConfig, openTestReceiver, trackingNumber } from "../platform.ts";
import { temporaryFolder } from "../temporary.ts";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly table?: string;
  readonly id?: string;
  readonly why?: string;
}

async function open(settings: Settings) {
  const lines: Line[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const platform = await startPlatform(settings, { logger });
  onTestFinished(() => platform.stop());
  const url = await platform.listen();
  const { get, post } = createClient(url);
  const ring = async (key: string) => {
    const { status, body } = await post("/telephony/simulator/calls", key, {
      from: "+12125550123",
      to: trackingNumber,
    });
    expect([status, body.action], JSON.stringify(body)).toEqual([201, "dial"]);
    return String(body.call_id);
  };
  return { platform, url, lines, get, ring };
}

const ago = isoTime(Date.now() - 3_600_000);
const secret = "what nobody may see";

/** A row of each table, in which nothing is as it should be that the database takes. */
const oddRows: readonly (readonly [table: string, id: string, row: DatabaseRow])[] = [
  ["documents", "campaign odd", document("campaign", { version: -5 })],
  ["documents", "target of-text", document("target", { id: "of-text", org_id: orgOne, name: 7 })],
  ["documents", "spaceship odd", document("spaceship", { id: "odd", org_id: orgOne })],
  ["organizations", "org_odd", { id: "org_odd", name: "Odd", timezone: "Mars/Olympus", created_at: ago }],
  ["api_keys", "odd-key", { ...aKey(), expires_at: "some day" }],
  ["api_keys", "odd-scopes", { ...aKey(), id: "odd-scopes", hash: "odd2", scopes: '{"password":7}' }],
  ["audit_outbox", "odd-record", { id: "odd-record", record: '{"password":7}' }],
  ["open_calls", "odd-call", { ...anOpenCall("odd-call"), untold: '{"status":"unknown"}' }],
  ["total_resets", `target ${orgOne} odd`, { org_id: orgOne, kind: "target", id: "odd", reset_at: "once" }],
  ["webhook_receipts", `${orgOne} odd-receipt`, aReceipt()],
  ["adjustment_receipts", `${orgOne} odd-receipt`, aReceipt()],
  ["webhook_redeliveries", "odd-redelivery", aRedelivery()],
  ["pending_deliveries", "odd-delivery", aPendingDelivery()],
];

function document(type: string, doc: { id?: string; [field: string]: unknown }): DatabaseRow {
  const whole = JSON.stringify({ ...doc, auth: secret });
  const about = { version: 1, external_id: null, unique_key: null, created_at: ago, created_ms: Date.parse(ago) };
  return { type, id: doc.id ?? "odd", org_id: orgOne, ...about, doc: whole };
}
function aKey(): DatabaseRow {
  return {
    id: "odd-key",
    org_id: orgOne,
    name: "Odd",
    prefix: "tl_",
    hash: "odd",
    is_admin: true,
    created_at: ago,
    revoked_at: null,
  };
}
function anOpenCall(id: string): DatabaseRow {
  return { call_id: id, org_id: orgOne, campaign_id: null, version: -5, doc: '{"status":"unknown"}', updated_at: ago };
}
function aReceipt(): DatabaseRow {
  const doc = JSON.stringify({ plan: secret });
  return { org_id: orgOne, transaction_id: "odd-receipt", accepted_at: isoTime(Date.now()), leased_until: ago, doc };
}
function aRedelivery(): DatabaseRow {
  return {
    id: "odd-redelivery",
    org_id: orgOne,
    filter: "none",
    state: "running",
    count: 1,
    queued: 0,
    delivered: 0,
    failed: 0,
    place: null,
    created_at: ago,
    updated_at: ago,
    leased_until: "",
  };
}
function aPendingDelivery(): DatabaseRow {
  return {
    id: "odd-delivery",
    delivery_id: "odd",
    org_id: orgOne,
    webhook_id: "none",
    call_id: "odd",
    version: 1,
    endpoint: "https://crm.example",
    manual: false,
    redelivery_id: null,
    event: '{"v":99}',
    attempt: 0,
    queued_at: ago,
    due_at: ago,
    leased_until: "",
    held: false,
    ended: false,
    untold: null,
  };
}

/** Returns where the messages stand that it publishes. */
async function spoil(settings: Settings): Promise<string[]> {
  const database = await openDatabase(settings, { clock: systemClock });
  for (const [table, , row] of oddRows) {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`).join(", ");
    await database.query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`, Object.values(row));
  }
  await database.close();
  const log = await openLog(settings, { clock: systemClock });
  const positions = await log.publish([
    { topic: "call-events", key: "odd", value: "no JSON" },
    { topic: "call-events", key: "odd", value: '{"version":-5}' },
  ]);
  await log.close();
  return positions.map(({ topic, partition, offset }) => `${topic},${partition}:${offset}`);
}

/** One that is stored gets a status that nobody knows. */
async function spoilStored(folder: string, callId: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, "warehouse.duckdb"));
  const connection = await instance.connect();
  await connection.run("UPDATE stored_calls SET status = 'unknown' WHERE call_id = $1", [callId]);
  connection.closeSync();
  instance.closeSync();
}

it("a row of each table that cannot be read stops neither a start nor anything else, is named once, counted, and stays", {
  tags: ["slow"],
}, async () => {
  const DATA_DIR = temporaryFolder();
  const settings = readSettings({ DATA_DIR, PORT: "0", ALLOW_PRIVATE_DESTINATIONS: "true" });
  await copyMigrated(DATA_DIR, {});
  const receiver = await openTestReceiver();
  const before = await open(settings);
  for (const id of [orgOne, orgTwo]) await before.platform.config.saveOrganization({ id, name: id, timezone: "UTC" });
  await before.platform.config.save(orgOne, exampleConfig(receiver.url, ["call.incoming"]));
  const { key } = await before.platform.apiKeys.issue(orgOne, "test");
  await before.platform.settled();
  const first = await before.ring(key);
  await vi.waitFor(async () => {
    const { rows } = await before.platform.warehouse.query(sql`SELECT call_id FROM calls`);
    expect(rows).toHaveLength(1);
  });
  await before.platform.stop();
  const messages = await spoil(settings);
  await spoilStored(DATA_DIR, first);

  const { platform, url, lines, ring, get } = await open(settings);
  const second = await ring(key);
  await vi.waitFor(() => expect(receiver.received.map(({ path }) => path)).toContain(`/${second}`));
  const targets = await get("/api/v1/targets", key);
  expect([targets.status, targets.body.data?.length], JSON.stringify(targets.body)).toEqual([200, 2]);
  expect((await get("/readyz", key)).status).toBe(200);

  const expected = [...oddRows.map(([table, id]) => [table, id]), ["calls", first], ...messages].map(String).sort();
  const named = () => lines.flatMap(({ table, id }) => (table === undefined ? [] : [String([table, id])])).sort();
  await vi.waitFor(() => expect(named()).toEqual(expected));
  expect(lines.filter(({ table }) => table !== undefined).every(({ level, why }) => level === 40 && why)).toBe(true);
  expect(lines.filter(({ level }) => level > 40)).toEqual([]);
  expect(JSON.stringify(lines)).not.toContain(secret);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('trunkline_unreadable_rows_total{table="documents"} 3');

  await platform.stop();
  const database = await openDatabase(settings, { clock: systemClock });
  for (const [table] of oddRows) {
    const [left] = await database.query(`SELECT count(*) AS rows FROM ${table}`);
    expect([table, Number(left?.["rows"])]).toEqual([table, expect.toSatisfy((rows: number) => rows >= 1)]);
  }
  await database.close();
});
