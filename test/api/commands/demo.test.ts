// @module-tag slow
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { demoOrganizations } from "../../../api/demo/documents.ts";
import { createClient } from "../../platform.ts";
import { temporaryFolder } from "../../temporary.ts";
import { done, memberClient } from "../use-platform.ts";
import { startDemo } from "./demo-process.ts";

/** A query of one's own on the file that the demo leaves, with nothing of ours in between. */
async function queryFile(dataDir: string, text: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(join(dataDir, "warehouse.duckdb"), { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(text)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const counts = `SELECT (SELECT count(*) FROM calls)::INTEGER AS calls, (SELECT count(DISTINCT call_id) FROM calls)::INTEGER AS distinct_calls,
  (SELECT count(*) FROM call_events)::INTEGER AS events, (SELECT count(DISTINCT id) FROM call_events)::INTEGER AS distinct_events,
  (SELECT count(*) FROM calls WHERE status NOT IN ('completed', 'failed'))::INTEGER AS open_calls,
  (SELECT count(*) FROM outgoing_webhook_requests)::INTEGER AS deliveries,
  (SELECT count(DISTINCT id) FROM outgoing_webhook_requests)::INTEGER AS distinct_deliveries`;

const stateOf = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, "demo-history.json"), "utf8"));

describe("the demo", () => {
  it("leaves config as its user has changed it, and its webhooks at its receiver, wherever that comes up", async () => {
    const dataDir = temporaryFolder();
    const start = async () => {
      const demo = startDemo(dataDir, { DEMO_CALLS: "50" });
      const { base_url, organizations } = await demo.ready();
      const client = memberClient(base_url, organizations[0]?.api_key ?? "");
      const number = encodeURIComponent(organizations[0]?.tracking_number ?? "");
      // The README's tour calls it.
      expect((await done(client.get(`/api/v1/numbers?number=${number}`))).data).toMatchObject([{ status: "assigned" }]);
      const all = async (kind: string) => (await done(client.get(`/api/v1/${kind}?limit=100`))).data;
      return { client, all, end: async () => expect(await demo.end("SIGTERM")).toBe(0) };
    };
    const first = await start();
    const [campaign] = await first.all("campaigns");
    await done(first.client.patch(`/api/v1/campaigns/${campaign.id}`, { name: "Renamed by its user" }));
    const [tag] = await first.all("custom-tags");
    await done(first.client.delete(`/api/v1/custom-tags/${tag.id}`));
    const { id } = await done(first.client.post("/api/v1/custom-tags", { key: tag.key, name: "Made anew" }));
    await first.end();
    const { receiver_url: receiver } = stateOf(dataDir);
    const taken = createServer().listen(Number(new URL(receiver).port), "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());

    const second = await start();
    expect(await second.all("campaigns")).toContainEqual(
      expect.objectContaining({ id: campaign.id, name: "Renamed by its user" }),
    );
    const tags = await second.all("custom-tags");
    expect(tags.filter(({ key }: { key: string }) => key === tag.key)).toMatchObject([{ id, name: "Made anew" }]);
    const { receiver_url: moved } = stateOf(dataDir);
    expect(moved).not.toBe(receiver);
    for (const { url } of await second.all("outgoing-webhooks")) expect(url).toContain(`${moved}/`);
    const formulas = JSON.stringify(await second.all("rtbs"));
    expect([formulas.includes(`${moved}/`), formulas.includes(`${receiver}/`)]).toEqual([true, false]);
    await second.end();
  });

  it("ends with 1 and says why where its port is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const PORT = String((server.address() as AddressInfo).port);
    const { output, ended } = startDemo(temporaryFolder(), { PORT });
    expect(await ended, output.text).toBe(1);
    expect(output.text).toContain(`Port ${PORT} is in use`);
  });

  it("killed in the middle of its history goes on with it, stores nothing twice, and answers with what a query written by hand does", async () => {
    const dataDir = temporaryFolder();
    const killed = startDemo(dataDir);
    await vi.waitFor(() => expect(stateOf(dataDir).published_chunks).toBeGreaterThan(0), 60_000);
    await killed.end("SIGKILL");
    expect(killed.output.text).not.toContain("is running");

    const again = startDemo(dataDir);
    const { base_url, organizations } = await again.ready();
    const [organization] = organizations;
    const client = createClient(base_url);
    const { body } = await client.ask("revenue by campaign last month", organization?.access_token ?? "");
    expect(await again.end("SIGTERM")).toBe(0);
    const [stored] = await queryFile(dataDir, counts);
    expect(stored).toMatchObject({ calls: 1500, distinct_calls: 1500, open_calls: 0 });
    expect(stored?.events).toBe(stored?.distinct_events);
    expect(stored?.deliveries).toBe(stored?.distinct_deliveries);

    expect(body.chart_suggestion.type).toBe("bar");
    expect(body.chart_suggestion.vega_lite.data.values).toEqual(body.data.rows);
    const byHand = await queryFile(
      dataDir,
      `SELECT campaign_name AS campaign, sum(revenue)::DOUBLE AS revenue FROM calls
       WHERE org_id = '${organization?.org_id}'
         AND date_trunc('month', timezone('America/New_York', timezone('UTC', started_at)))
           = date_trunc('month', timezone('America/New_York', now())) - INTERVAL 1 MONTH
       GROUP BY 1 ORDER BY 2 DESC, 1`,
    );
    expect(byHand.length).toBeGreaterThan(3);
    expect(body.data.rows).toEqual(byHand);
  });

  it("killed while calls come in has every acknowledged one, each signal once, after a restart", async () => {
    const dataDir = temporaryFolder();
    const killed = startDemo(dataDir, { DEMO_CALLS: "50" });
    const { base_url, organizations } = await killed.ready();
    const key = organizations[0]?.api_key ?? "";
    const client = createClient(base_url);
    const documents = demoOrganizations({ seed: 7, now: 0, receiverUrl: "http://unused" })[0]?.documents ?? [];
    const number = documents.flatMap(({ type, doc }) => (type === "number" ? [doc.number] : []))[0];
    const acknowledged = new Map<string, string[]>();
    const place = async () => {
      const placed = await client.post("/telephony/simulator/calls", key, { from: "+12125550123", to: number });
      const id = placed.body.call_id as string;
      acknowledged.set(id, ["call.incoming"]);
      const ended = placed.body.action === "reject";
      if (ended) acknowledged.set(id, ["call.incoming", "call.failure", "call.completed"]);
      for (const [type, events] of ended ? [] : steps) {
        const { status } = await client.post(`/telephony/simulator/calls/${id}/events`, key, { type });
        if (status === 200) acknowledged.get(id)?.push(...events);
      }
    };
    const steps = [
      ["answer", ["call.connected"]],
      ["hangup", ["call.hangup", "call.completed"]],
    ] as const;
    // Callers go on until the process is gone under their hands.
    const callers = Array.from({ length: 8 }, async () => {
      while (
        await place().then(
          () => true,
          () => false,
        )
      );
    });
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(30), 120_000);
    await killed.end("SIGKILL");
    await Promise.all(callers);

    const again = startDemo(dataDir, { DEMO_CALLS: "50" });
    await again.ready();
    const ids = [...acknowledged.keys()].map((id) => `'${id}'`).join(", ");
    expect(await again.end("SIGTERM")).toBe(0);
    const rows = await queryFile(
      dataDir,
      `SELECT call_id, event FROM call_events WHERE call_id IN (${ids}) ORDER BY call_id, version`,
    );
    for (const [id, events] of acknowledged) {
      const stored = rows.filter(({ call_id }) => call_id === id).map(({ event }) => event);
      expect(stored).toEqual(expect.arrayContaining(events));
      expect(new Set(stored).size).toBe(stored.length);
    }
    expect([...acknowledged.values()].flat()).toContain("call.connected");
    const [all] = await queryFile(dataDir, counts);
    expect(all?.calls).toBe(all?.distinct_calls);
    expect(all?.events).toBe(all?.distinct_events);
  });
});

describe("a demo whose files are damaged", () => {
  it.each(["demo.json", "demo-history.json"])("ends with 1, names %s and leaves it as it is", async (name) => {
    const dataDir = temporaryFolder();
    const path = join(dataDir, name);
    writeFileSync(path, "");
    const { ended, output } = startDemo(dataDir, { DEMO_CALLS: "50" });
    expect(await ended).toBe(1);
    expect(output.text).toContain(path);
    expect(output.text).not.toContain("    at ");
    expect(readFileSync(path, "utf8")).toBe("");
  });
});
