// @module-tag clickhouse
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { OrgId } from "../../ingest/primitives.ts";
import { sql, text } from "../../warehouse/statement.ts";
import type { WarehouseError } from "../../warehouse/warehouse.ts";
import { openClickhouseProxy } from "../clickhouse-proxy.ts";
import { newClickhouseUrl } from "../clickhouse-server.ts";
import { exampleConfig, openPlatform, trackingNumber } from "../platform.ts";
import { openWarehouseAt } from "../warehouse/warehouse-at.ts";

describe("the platform on ClickHouse, over HTTP", () => {
  it("stores calls there, answers from there, and fences each organization's", async () => {
    const settings = { CLICKHOUSE_URL: await newClickhouseUrl() };
    const platform = await openPlatform({ settings, documents: (org) => exampleConfig("http://127.0.0.1:1", [], org) });
    const { one, two } = platform;
    const placed = await platform.post("/telephony/simulator/calls", one.key, {
      from: "+12125550123",
      to: trackingNumber,
    });
    expect(placed.status).toBe(201);
    const { call_id } = placed.body;
    await platform.post(`/telephony/simulator/calls/${call_id}/events`, one.key, { type: "answer" });
    await platform.post(`/telephony/simulator/calls/${call_id}/events`, one.key, { type: "hangup" });
    await vi.waitFor(async () => {
      const { body } = await platform.get("/api/v1/reports/calls", one.key);
      expect(body.data).toMatchObject([{ call_id, status: "completed" }]);
      expect(body.meta.total).toBe(1);
    });
    const asked = await platform.ask("how many calls today", one.token);
    expect(asked.body.data.rows).toEqual([{ calls: 1 }]);
    // Not every table is filled at once, and the trace of a call is loaded apart from its events.
    await vi.waitFor(async () => {
      const { body: overview } = await platform.get("/api/v1/reports/overview", one.key);
      expect([overview.reports.today.calls, overview.first_steps.call]).toEqual([1, { call_id, status: "completed" }]);
    });
    expect((await platform.get(`/api/v1/reports/calls/${call_id}/timeline`, one.key)).status).toBe(200);
    expect((await platform.get(`/api/v1/reports/calls/${call_id}/timeline`, two.key)).status).toBe(404);
    const details = `/api/v1/reports/calls/${call_id}/details`;
    await vi.waitFor(async () =>
      expect((await platform.get(details, one.key)).body).toMatchObject({
        call: { call_id, status: "completed" },
        routes: [{ outcome: "connected", dial: 1 }],
      }),
    );
    expect((await platform.get(details, two.key)).status).toBe(404);
    expect((await platform.get("/api/v1/reports/calls", two.key)).body.meta.total).toBe(0);
  });

  it("answers 503 while ClickHouse is away, takes calls all the same, and stores them when it is back", async () => {
    const clickhouse = await openClickhouseProxy();
    const settings = { CLICKHOUSE_URL: await newClickhouseUrl(clickhouse.url) };
    const platform = await openPlatform({ settings, documents: (org) => exampleConfig("http://127.0.0.1:1", [], org) });
    const { one } = platform;
    clickhouse.goAway();
    const { status, body } = await platform.get("/api/v1/reports/calls", one.key);
    expect([status, body.detail.code]).toEqual([503, "analytics_unavailable"]);
    expect((await platform.get("/api/v1/campaigns", one.key)).status).toBe(200);
    const placed = await platform.post("/telephony/simulator/calls", one.key, {
      from: "+12125550123",
      to: trackingNumber,
    });
    expect(placed.status).toBe(201);
    clickhouse.comeBack();
    await vi.waitFor(async () => {
      const { body } = await platform.get("/api/v1/reports/calls", one.key);
      expect(body.data).toMatchObject([{ call_id: placed.body.call_id }]);
    });
  });

  it("starts while ClickHouse is away, routes and configures, and has what is stored once it comes", async () => {
    const clickhouse = await openClickhouseProxy();
    const settings = { CLICKHOUSE_URL: await newClickhouseUrl(clickhouse.url) };
    const documents = (org: OrgId) => exampleConfig("http://127.0.0.1:1", [], org);
    clickhouse.goAway();
    const { get, post, call, url, one } = await openPlatform({ settings, documents });
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready", checks: { log: "ok" } }]);
    const placed = await post("/telephony/simulator/calls", one.key, { from: "+12125550123", to: trackingNumber });
    expect([placed.status, placed.body.action]).toEqual([201, "dial"]);
    expect((await post("/api/v1/publishers", one.key, { name: "New" })).status).toBe(201);
    expect((await call("GET", "/inbound_rtb/none", {})).status).toBe(404);
    const { status, body } = await get("/api/v1/reports/calls", one.key);
    expect([status, body.detail.code]).toEqual([503, "analytics_unavailable"]);
    clickhouse.comeBack();
    await vi.waitFor(async () => {
      const { body } = await get("/api/v1/reports/calls", one.key);
      expect(body.data).toMatchObject([{ call_id: placed.body.call_id }]);
    });
  });
});

/** The first question makes the tables, too. */
const patient = { timeoutMs: 100_000 };

describe("a ClickHouse warehouse", () => {
  const failing = async (password?: string) => {
    const url = new URL(await newClickhouseUrl());
    if (password !== undefined) url.password = password;
    const warehouse = await openWarehouseAt(url.href);
    const outcome = await warehouse.query(sql`SELECT 1 AS one`, patient).then(
      ({ rows }) => rows,
      (error: WarehouseError) => error.code,
    );
    await warehouse.close();
    return outcome;
  };

  it("is unavailable to whoever signs in with the wrong password", async () => {
    expect(await failing("wrong")).toBe("unavailable");
    expect(await failing()).toEqual([{ one: 1 }]);
  });

  it("is asked with values that no address would hold", async () => {
    const warehouse = await openWarehouseAt(await newClickhouseUrl());
    onTestFinished(() => warehouse.close());
    const long = "it's\ta \\ line\n".repeat(2000);
    const { rows } = await warehouse.query(sql`SELECT ${text(long)} AS told, ${text("short")} AS other`, patient);
    expect(rows).toEqual([{ told: long, other: "short" }]);
  });
});
