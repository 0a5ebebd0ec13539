import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConfigInput } from "../../../../api/config/registry.ts";
import type { PingAnswer } from "../../../../api/routing/inbound/ping-response.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { ownNumber, secondsIn } from "../../../make.ts";
import { openPlatform, openTestReceiver } from "../../../platform.ts";
import { createDatabase, testDatabaseUrl } from "../../../postgres-server.ts";

/** As many as one process would have to be asked before it finds out by itself what this test has told the other. */
const many = 60;
/** Two seconds in steps of `interval`: who is asked so much later has been told. */
const later = 20;
const interval = 100;
/** Many pings go by meanwhile, which a slow machine takes long for. */
const patience = { interval, timeout: 100_000 };

/** An endpoint with a target behind it, one with a limit, and one with a buyer that fails; all for whoever calls. */
function documents(org: OrgId, buyerUrl: string): ConfigInput[] {
  const about = { org_id: org, created_at: secondsIn(0), updated_at: secondsIn(0) };
  const id = (name: string) => `${org}-${name}`;
  const campaign = (name: string, route: object): ConfigInput[] => [
    {
      type: "routing_plan",
      doc: { ...about, id: id(`plan-${name}`), name, routes: [{ id: "r", action: "", ...route }] },
    },
    {
      type: "campaign",
      doc: { ...about, id: id(name), name, routing_plan_id: id(`plan-${name}`), expose_ineligible_routes: true },
    },
  ];
  const endpoint = (name: string, given: { campaign: string; rate_limit: number }): ConfigInput => ({
    type: "inbound_rtb",
    doc: {
      ...about,
      id: id(name),
      inbound_rtb_id: id(name),
      publisher_id: id("publisher"),
      campaign_id: id(given.campaign),
      rate_limit: given.rate_limit,
      receive_mode: "static_multi_bid",
      receive_number_id: id("receiver"),
    },
  });
  return [
    { type: "buyer", doc: { ...about, id: id("buyer"), name: "Buyer" } },
    { type: "publisher", doc: { ...about, id: id("publisher"), name: "Publisher" } },
    { type: "number", doc: { ...about, id: id("receiver"), number: ownNumber(about.org_id, 170) } },
    {
      type: "target",
      doc: {
        ...about,
        id: id("target"),
        name: "Target",
        buyer_id: id("buyer"),
        type: "number",
        number: "+18885550101",
        revenue: 20,
      },
    },
    {
      type: "rtb_formula",
      doc: {
        ...about,
        id: id("formula"),
        rtb_name: "Ill",
        buyer_id: id("buyer"),
        outbound_ping_backoff_enabled: true,
        outbound_ping_backoff_threshold: many,
        steps: [{ url: buyerUrl, method: "POST", api_response: {} }],
      },
    },
    ...campaign("targets", { action: "route-to-target", target_id: id("target") }),
    ...campaign("buyers", { action: "route-to-rtb", rtb_formula_id: id("formula") }),
    endpoint("open", { campaign: "targets", rate_limit: 100_000 }),
    endpoint("limited", { campaign: "targets", rate_limit: many }),
    endpoint("ill", { campaign: "buyers", rate_limit: 100_000 }),
  ];
}

/** Two installations of the API on one database; `ping` asks for another caller each time unless it is told for whom. */
async function openTwo() {
  const { url, remove } = await createDatabase();
  onTestFinished(remove);
  const buyer = await openTestReceiver(() => ({ status: 500 }));
  const given = { settings: { DATABASE_URL: url }, documents: (org: OrgId) => documents(org, buyer.url) };
  const platforms = [await openPlatform(given), await openPlatform(given)] as const;
  for (const { platform } of platforms) await platform.settled();
  let callers = 0;
  const ping = async (process: 0 | 1, name: string, caller = ++callers) => {
    const { status, body } = await platforms[process].call(
      "GET",
      `/inbound_rtb/${platforms[0].one.id}-${name}?cid=${2_125_550_000 + caller}`,
      {},
    );
    return { status, answer: body as PingAnswer };
  };
  /** How many more pings of the limited endpoint pass in a process until it refuses one. */
  async function untilRefused(process: 0 | 1): Promise<number> {
    let passed = 0;
    await vi.waitFor(async () => {
      const { status } = await ping(process, "limited");
      if (status === 200) passed += 1;
      expect(status).toBe(429);
    }, patience);
    return passed;
  }
  return { url, buyer, ping, untilRefused };
}

describe.skipIf(testDatabaseUrl === undefined)(
  "two API processes on one PostgreSQL database (TEST_DATABASE_URL)",
  () => {
    it("hold an endpoint's limit together: who was not pinged refuses, too", async () => {
      const { ping, untilRefused } = await openTwo();
      for (let passed = 0; passed < many; passed += 1) expect((await ping(0, "limited")).status).toBe(200);
      expect((await ping(0, "limited")).status).toBe(429);
      expect(await untilRefused(1)).toBeLessThan(many);
    });

    it("answer a repeat as the first was answered, wherever it comes", async () => {
      const { ping } = await openTwo();
      const firsts: PingAnswer[] = [];
      await vi.waitFor(async () => {
        firsts.push((await ping(0, "open", firsts.length)).answer);
        const repeated = firsts.length - later;
        expect(repeated).toBeGreaterThanOrEqual(0);
        expect((await ping(1, "open", repeated)).answer).toEqual({ ...firsts[repeated], cached: true });
      }, patience);
    });

    it("leave a failing buyer alone once one of them does", async () => {
      const { ping, buyer } = await openTwo();
      const reasonOf = async (process: 0 | 1) => (await ping(process, "ill")).answer.ineligible_routes?.[0]?.["reason"];
      for (let failures = 0; failures < many; failures += 1) expect(await reasonOf(0)).toBe("ping_http_error");
      expect(await reasonOf(0)).toBe("ping_backoff");
      await vi.waitFor(async () => expect(await reasonOf(1)).toBe("ping_backoff"), patience);
      expect(buyer.received.length).toBeLessThan(2 * many);
    });

    it("answer pings while they cannot reach each other, each by what it knows, and agree again afterwards", async () => {
      const { ping, url, untilRefused } = await openTwo();
      const operator = new Client({ connectionString: testDatabaseUrl });
      await operator.connect();
      onTestFinished(() => operator.end());
      const name = new URL(url).pathname.slice(1);
      const allowConnections = (allowed: boolean) =>
        operator.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
      await allowConnections(false);
      const listening = "FROM pg_stat_activity WHERE datname = $1 AND query LIKE '%trunkline_%'";
      // Their last statement is another one now and then.
      await vi.waitFor(async () => expect((await operator.query(`SELECT pid ${listening}`, [name])).rowCount).toBe(2));
      await operator.query(`SELECT pg_terminate_backend(pid) ${listening}`, [name]);
      for (let passed = 0; passed < many; passed += 1) expect((await ping(0, "limited")).status).toBe(200);
      expect([(await ping(0, "limited")).status, (await ping(1, "limited")).status]).toEqual([429, 200]);
      await allowConnections(true);
      expect(await untilRefused(1)).toBeLessThan(many - 1);
    });
  },
);
