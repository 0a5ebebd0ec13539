import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createOrgConfig } from "../../api/config/org-config.ts";
import { type ConfigDocument, type ConfigInput, type ResourceType, toDocument } from "../../api/config/registry.ts";
import { overviewOperation } from "../../api/reporting/overview/overview-operation.ts";
import { type CallStats, noCallStats } from "../../api/routing/call-stats.ts";
import { createAssistant } from "../../assistant/assistant.ts";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import type { CallEvent } from "../../ingest/event.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Statement } from "../../warehouse/statement.ts";
import { type Warehouse, WarehouseError } from "../../warehouse/warehouse.ts";
import { anOutboundPing, anOutgoingRequest, orgOne, orgTwo } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { aCallOf } from "../warehouse/rtb/store.ts";
import { storing } from "../warehouse/storing.ts";

/** A Monday, half past ten in the morning in New York; the clocks went back on the Sunday a week before. */
const now = Date.parse("2026-11-09T15:30:00.000Z");
const zone = "America/New_York";

export interface OpenedWarehouse {
  readonly warehouse: Warehouse;
  readonly dialect: Dialect;
}

const aCall = (id: string, started_at: string, given: Partial<CallEvent> = {}): CallEvent =>
  aCallOf(id, { started_at, ...given } as Partial<CallEvent>);
const failed = {
  status: "failed",
  failure_reason: "busy",
  connected_at: null,
  converted: false,
  revenue: 0,
  payout: 0,
  profit: 0,
} as Partial<CallEvent>;

const calls = [
  // Midnight in New York; the second before it is yesterday's.
  aCall("first", "2026-11-09T05:00:00.000Z"),
  aCall("late", "2026-11-09T04:59:59.000Z"),
  aCall("ten", "2026-11-09T15:10:00.000Z", { campaign_id: "cmp-2", campaign_name: "Roofing" }),
  aCall("busy", "2026-11-09T15:20:00.000Z", failed),
  aCall("yesterday", "2026-11-08T15:29:00.000Z"),
  aCall("a-week-ago", "2026-11-02T15:29:59.000Z"),
  // Later than this time of the day a week ago: part of the hours, and not of the figures.
  aCall("that-evening", "2026-11-02T23:00:00.000Z"),
  aCall("of-another", "2026-11-09T15:00:00.000Z", { org_id: orgTwo } as Partial<CallEvent>),
];

const about = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z", org_id: orgOne };
const target = { name: "Sunny Roofs", buyer_id: "buy-1", type: "number", number: "+18885550101" } as const;
const hooks = { event_type_id: "call.completed", url: "https://crm.example/" } as const;
const paused = { paused_at: about.created_at, paused_until: null, paused_by: "api_key:1" };
const failing = { failing_since: about.created_at, exhausted: false, paused: false, next_probe_at: null };
const documents: readonly ConfigInput[] = [
  { type: "number", doc: { ...about, id: "num-1", number: "+18005550100" } },
  {
    type: "target",
    doc: { ...about, ...target, id: "tgt-1", max_concurrency: 5, advanced_caps: [{ period: "day", limit: 10 }] },
  },
  { type: "target", doc: { ...about, ...target, id: "tgt-2", advanced_caps: [{ period: "day", limit: 100 }] } },
  { type: "target", doc: { ...about, ...target, id: "tgt-3", is_active: false, max_concurrency: 1 } },
  { type: "outgoing_webhook", doc: { ...about, ...hooks, id: "hook-1", name: "Works" } },
  { type: "outgoing_webhook", doc: { ...about, ...hooks, id: "hook-2", name: "Fails", health: failing } },
  { type: "outgoing_webhook", doc: { ...about, ...hooks, id: "hook-3", name: "Paused", pause: paused } },
  {
    type: "campaign",
    doc: {
      ...about,
      id: "cmp-1",
      name: "Solar East",
      routing_plan_id: "plan-1",
      number_group_items: [{ id: "item-1", number_id: "num-1" }],
    },
  },
] as readonly ConfigInput[];

/** Eight of ten connected calls, and four of five places; two calls are live. */
const stats: CallStats = {
  ...noCallStats,
  capUse: (holder) => (holder.id === "tgt-1" ? 8 : 0),
  inUse: ({ id }) => ({ "tgt-1": 4, "tgt-3": 1, "cmp-1": 2 })[id] ?? 0,
};

/** The overview of a day, whatever engine it is read from. */
export function describeOverview(engine: string, open: () => Promise<OpenedWarehouse>): void {
  describe(`the overview on ${engine}`, () => {
    let store: OpenedWarehouse;
    beforeAll(async () => {
      store = await open();
      await storing(store.warehouse, "call-events")(calls);
      const today = { created_at: "2026-11-09T15:00:00.000Z" };
      await storing(
        store.warehouse,
        "rtb-requests",
      )([
        anOutboundPing({ ...today, id: "bid-1" }),
        anOutboundPing({ ...today, id: "bid-2", outcome: "timeout", bid: null, effective_bid: null }),
        anOutboundPing({ id: "bid-3", created_at: "2026-11-08T15:00:00.000Z" }),
      ]);
      const ended = { ...today, updated_at: today.created_at };
      await storing(
        store.warehouse,
        "webhook-deliveries",
      )([
        anOutgoingRequest({ ...ended, id: "out-1" }),
        anOutgoingRequest({ ...ended, id: "out-2", outcome: "refused", response_status_code: 500 }),
      ]);
    });
    afterAll(() => store.warehouse.close());

    const openOverview = (
      query = (statement: Statement) => store.warehouse.query(statement),
      loadingSince: number | null = null,
    ) => {
      const clock = createManualClock(now);
      const asked: Statement[] = [];
      const walked: string[] = [];
      const counted = (statement: Statement) => {
        asked.push(statement);
        return query(statement);
      };
      const assistant = createAssistant({ warehouse: { query: counted }, dialect: store.dialect, clock });
      const configs = new Map([orgOne, orgTwo].map((id) => [id, createOrgConfig({ id, name: id, timezone: zone })]));
      for (const { type, doc } of documents) {
        const pause = "pause" in doc ? { pause: doc.pause } : {};
        const whole = { type, doc: { ...toDocument(type as ResourceType, doc), ...pause } } as ConfigDocument;
        configs.get(orgOne)?.put(whole);
      }
      const operation = overviewOperation({
        assistant,
        clock,
        loadingLag: async () => loadingSince,
        snapshot: { config: (id) => configs.get(id as OrgId)?.config },
        counts: {
          statsOf: (id) => {
            walked.push(id);
            return id === orgOne ? stats : noCallStats;
          },
        },
      });
      const read = async (orgId: OrgId = orgOne, query: { readonly day?: string } = {}) => {
        const answer = await operation.handle({ caller: { orgId }, query } as never);
        return operation.answer.parse(answer) as z.infer<z.ZodType<Record<string, never>>> & Record<string, unknown>;
      };
      return { clock, asked, walked, read };
    };

    it("tells since when records came in that it does not have yet", async () => {
      expect(await openOverview().read()).toMatchObject({ loading_since: null });
      const { read } = openOverview(undefined, now - 60_000);
      expect(await read()).toMatchObject({ loading_since: "2026-11-09T15:29:00.000Z" });
    });
    it("has the day until now, and as much of the days it is held against, by the organization's clock", async () => {
      const { read } = openOverview();
      const { timezone, periods, reports } = await read();
      expect([timezone, periods]).toEqual([
        zone,
        {
          today: { from: "2026-11-09T05:00:00.000Z", to: "2026-11-09T15:30:00.000Z" },
          yesterday: { from: "2026-11-08T05:00:00.000Z", to: "2026-11-08T15:30:00.000Z" },
          last_week: { from: "2026-11-02T05:00:00.000Z", to: "2026-11-02T15:30:00.000Z" },
        },
      ]);
      expect(reports).toMatchObject({
        today: { calls: 3, revenue: 60, payout: 40, profit: 20, conversion_rate: expect.closeTo(2 / 3, 6) },
        yesterday: { calls: 1, revenue: 30, payout: 20, profit: 10, conversion_rate: 1 },
        last_week: { calls: 1, revenue: 30, conversion_rate: 1 },
        failures: [{ reason: "busy", calls: 1 }],
        bids: {
          today: { requests: 2, bids: 1, bid_rate: 0.5, timeouts: 1, timeout_rate: 0.5 },
          yesterday: { requests: 1, bids: 1, bid_rate: 1, timeouts: 0, timeout_rate: 0 },
        },
        deliveries: { attempts: 2, failed: 1 },
      });
    });

    it("has the whole of a day that is over, and as much of the days before it, with what is live now", async () => {
      const { periods, reports, live_calls, first_steps } = await openOverview().read(orgOne, { day: "2026-11-08" });
      expect(periods).toEqual({
        today: { from: "2026-11-08T05:00:00.000Z", to: "2026-11-09T05:00:00.000Z" },
        yesterday: { from: "2026-11-07T05:00:00.000Z", to: "2026-11-08T05:00:00.000Z" },
        // The clocks went back that day: it has 25 hours.
        last_week: { from: "2026-11-01T04:00:00.000Z", to: "2026-11-02T05:00:00.000Z" },
      });
      expect(reports).toMatchObject({ today: { calls: 2 }, yesterday: { calls: 0 }, failures: [] });
      expect(live_calls).toBe(2);
      expect(first_steps).toBeNull();
    });

    it("ranks by revenue, and has every hour of both days", async () => {
      const { reports } = await openOverview().read();
      const { campaigns, by_hour } = reports as never as {
        campaigns: readonly unknown[];
        by_hour: readonly { hour: string; today: number | null; last_week: number | null }[];
      };
      expect(campaigns).toHaveLength(2);
      expect(campaigns).toContainEqual({ name: "Roofing", calls: 1, revenue: 30, conversion_rate: 1 });
      expect(campaigns).toContainEqual({ name: "Solar East", calls: 2, revenue: 30, conversion_rate: 0.5 });
      expect(by_hour).toHaveLength(24);
      expect(by_hour.filter(({ today, last_week }) => (today ?? 0) + (last_week ?? 0) > 0)).toEqual([
        { hour: "00:00", today: 1, last_week: 0 },
        { hour: "10:00", today: 2, last_week: 1 },
        { hour: "18:00", today: null, last_week: 1 },
      ]);
      expect(by_hour.filter(({ today }) => today === null).map(({ hour }) => hour)[0]).toBe("11:00");
    });

    it("names what is live, nearly used up, failing or paused", async () => {
      const { live_calls, caps, webhooks, first_steps } = await openOverview().read();
      expect(live_calls).toBe(2);
      expect(caps).toMatchObject({
        count: 2,
        data: [
          { id: "tgt-1", name: "Sunny Roofs", type: "concurrency", period: null, limit: 5, used: 4, reached: false },
          { id: "tgt-1", type: "connected", period: "day", limit: 10, used: 8, resets_at: "2026-11-10T05:00:00.000Z" },
        ],
      });
      expect(webhooks).toMatchObject({
        count: 3,
        data: [
          { id: "hook-2", delivery_state: "failing", failing_since: about.created_at },
          { id: "hook-3", delivery_state: "paused", delivery_reason: "requested", paused_at: about.created_at },
        ],
      });
      expect(first_steps).toBeNull();
    });

    it("has nothing of another organization, and its own first steps", async () => {
      const { reports, live_calls, caps, webhooks, first_steps } = await openOverview().read(orgTwo);
      expect(reports).toMatchObject({ today: { calls: 1 }, yesterday: { calls: 0, conversion_rate: null } });
      expect(reports).toMatchObject({ bids: { today: { requests: 0, bid_rate: null } }, deliveries: { attempts: 0 } });
      expect([live_calls, caps, webhooks]).toEqual([0, { count: 0, data: [] }, { count: 0, data: [] }]);
      expect(first_steps).toEqual({
        ...{
          number: null,
          publisher: null,
          buyer: null,
          target: null,
          routing_plan: null,
          campaign: null,
          webhook: null,
        },
        call: { call_id: "of-another", status: "completed" },
      });
    });

    it("is read once for all who ask within a second, and what changes slowly less often", async () => {
      const { read, asked, clock } = openOverview();
      await Promise.all([read(), read(), read()]);
      const atOnce = asked.length;
      await read();
      expect(asked).toHaveLength(atOnce);
      clock.advance(1001);
      await read();
      expect(asked.length - atOnce).toBe(2);
      clock.advance(5001);
      await read();
      expect(asked.length - atOnce).toBeLessThan(atOnce + 2);
    });

    it("walks the configuration once for all who ask within a second", async () => {
      const { read, walked, clock } = openOverview();
      await Promise.all([read(), read(), read()]);
      expect(walked).toEqual([orgOne]);
      await read(orgTwo);
      // The second for its first steps.
      expect(walked).toEqual([orgOne, orgTwo, orgTwo]);
      clock.advance(1001);
      await read();
      expect(walked).toHaveLength(4);
    });

    it("counts the history of an organization without recent calls once, and not with what changes by the day", async () => {
      const { read, asked, clock } = openOverview();
      clock.advance(30 * 24 * 60 * 60 * 1000);
      expect((await read())["first_steps"]).toBeNull();
      const all = asked.length;
      clock.advance(5001);
      await read();
      // Neither last week's hours nor the calls before today.
      expect(asked.length - all).toBe(all - 2);
    });

    it("tells what needs no warehouse while there is none to read", async () => {
      const away = async () => {
        throw new WarehouseError("unavailable", "away");
      };
      const { reports, live_calls, webhooks, first_steps } = await openOverview(away).read();
      expect([reports, live_calls, webhooks, first_steps]).toMatchObject([null, 2, { count: 3 }, null]);
    });
  });
}
