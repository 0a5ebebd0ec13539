import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type InboundRtbRequest, inboundOutcomes } from "../../../ingest/rtb.ts";
import { type InboundRow, inboundGroups, inboundStats } from "../../../warehouse/rtb/inbound-rtb-stats.ts";
import { anInboundPing, orgTwo, secondsIn } from "../../make.ts";
import { about, aCallOf, openRtbStore } from "./store.ts";

type Offered = InboundRtbRequest["eligible_routes"][number];
const route = (given: Partial<Offered> = {}): Offered => ({
  route_id: "r1",
  destination_type: "target",
  destination_id: "tgt-1",
  buyer_id: "buy-1",
  payout: 10,
  revenue: 20,
  ...given,
});
const none = { total_routes: 0, allocated_count: 0, best_payout: null } as const;

describe("the statistics of pings", () => {
  it("count each outcome, what was offered and what came of it", async () => {
    const { stats, requests, calls } = await openRtbStore();
    await requests([
      anInboundPing({ request_id: "a", total_routes: 3, allocated_count: 2, best_payout: 20, processing_ms: 10 }),
      anInboundPing({ request_id: "b", total_routes: 1, allocated_count: 1, best_payout: 10.5, processing_ms: 20 }),
      anInboundPing({ request_id: "c", outcome: "no_routes", reason: "closed", ...none, processing_ms: 30 }),
      anInboundPing({ request_id: "d", outcome: "rate_limited", ...none, processing_ms: 1 }),
      anInboundPing({ request_id: "theirs", org_id: orgTwo }),
      anInboundPing({ request_id: "late", created_at: secondsIn(86_400) }),
    ]);
    await calls([
      aCallOf("one", { inbound_request_id: "a" }),
      aCallOf("two", { inbound_request_id: "a", converted: false }),
      aCallOf("three", { inbound_request_id: "b", connected_at: null, converted: false }),
      aCallOf("other"),
    ]);
    const { rows } = await inboundStats(stats, { ...about, groupBy: "inbound_rtb" });
    expect(rows).toEqual([
      {
        key: "inbound_1",
        name: null,
        requests: 4,
        with_routes: 2,
        no_routes: 1,
        cached: 0,
        rate_limited: 1,
        routes_offered: 4,
        allocated: 3,
        calls_received: 3,
        calls_connected: 2,
        converted: 1,
        avg_payout: 15.25,
        max_payout: 20,
        fill_rate: 0.5,
        call_rate: 0.75,
        p50_processing_ms: 15,
        p95_processing_ms: 28.5,
        p99_processing_ms: 29.7,
      },
    ]);
  });

  it("take a repeat as filled, but offer, allocate and receive nothing for it", async () => {
    const { stats, requests, calls } = await openRtbStore();
    const repeat = anInboundPing({ outcome: "cached", created_at: secondsIn(5), eligible_routes: [route()] });
    await requests([repeat, anInboundPing({ eligible_routes: [route()] })]);
    await calls([aCallOf("one", { inbound_request_id: "ping-1", target_id: "tgt-1" })]);
    const counted = { requests: 2, with_routes: 1, cached: 1, allocated: 1, calls_received: 1, fill_rate: 1 };
    for (const groupBy of ["campaign", "target"] as const) {
      const { rows } = await inboundStats(stats, { ...about, groupBy });
      expect(rows).toMatchObject([{ ...counted, routes_offered: groupBy === "campaign" ? 2 : 1, call_rate: 0.5 }]);
    }
  });

  it("count a ping at each buyer and each target that it was offered, with the calls that went there", async () => {
    const { stats, requests, calls } = await openRtbStore();
    const eligible_routes = [
      route({ payout: 20 }),
      route({ destination_id: "tgt-2", payout: 15 }),
      route({ destination_type: "rtb_formula", destination_id: "rtb-1", buyer_id: "buy-2", payout: 12 }),
    ];
    await requests([
      anInboundPing({ request_id: "a", total_routes: 3, allocated_count: 2, eligible_routes }),
      anInboundPing({ request_id: "b", total_routes: 1, allocated_count: 1, eligible_routes: [route()] }),
      anInboundPing({ request_id: "c", outcome: "no_routes", ...none }),
    ]);
    await calls([aCallOf("one", { inbound_request_id: "a", target_id: "tgt-2", buyer_id: "buy-1" })]);
    const of = async (groupBy: "buyer" | "target") =>
      (await inboundStats(stats, { ...about, groupBy })).rows.map((row) => [
        row.key,
        row.requests,
        row.routes_offered,
        row.allocated,
        row.calls_received,
        row.max_payout,
      ]);
    expect(await of("buyer")).toEqual([
      ["buy-1", 2, 3, 3, 1, 20],
      ["buy-2", 1, 1, 0, 0, 12],
    ]);
    expect(await of("target")).toEqual([
      ["tgt-1", 2, 2, 2, 0, 20],
      ["tgt-2", 1, 1, 1, 1, 15],
    ]);
  });

  it("know no buyer of pings whose routes were not kept", async () => {
    const { stats, store } = await openRtbStore();
    const { eligible_routes: _routes, ...older } = anInboundPing();
    await store("rtb-requests", [older]);
    expect((await inboundStats(stats, { ...about, groupBy: "buyer" })).rows).toEqual([]);
  });

  const oneOf = (name: string, most: number) =>
    fc.integer({ min: 0, max: most }).map((index) => (index === 0 ? null : `${name}-${index}`));
  const ping = fc
    .record({
      inbound_rtb_id: fc.constantFrom("in-1", "in-2"),
      campaign_id: oneOf("cmp", 2),
      publisher_id: oneOf("pub", 2),
      reason: oneOf("reason", 2),
      outcome: fc.constantFrom(...inboundOutcomes),
      total_routes: fc.nat(5),
      allocated_count: fc.nat(5),
      processing_ms: fc.nat(500),
      created_at: fc.integer({ min: 0, max: 86_399 }).map(secondsIn),
    })
    .map((given) => anInboundPing(given));
  const call = fc.record({
    ping: fc.nat(12),
    converted: fc.boolean(),
    connected_at: fc.constantFrom(secondsIn(1), null),
  });

  const names = ["requests", "with_routes", "routes_offered", "allocated", "calls_received", "converted"] as const;
  const sumsOf = (rows: readonly InboundRow[]) =>
    names.map((name) => rows.reduce((total, row) => total + row[name], 0));

  it("add up in every grouping of whole pings", { tags: ["slow"] }, async () => {
    const property = fc.asyncProperty(
      fc.array(ping, { maxLength: 20 }),
      fc.array(call, { maxLength: 10 }),
      async (asked, made) => {
        const { stats, requests, calls, warehouse } = await openRtbStore();
        await requests(asked.map((each, index) => ({ ...each, request_id: `ping-${index}` })));
        await calls(
          made.map(({ ping: of, ...given }, index) =>
            aCallOf(`c${index}`, { ...given, inbound_request_id: `ping-${of}` }),
          ),
        );
        const sums = [];
        for (const groupBy of inboundGroups.filter((group) => group !== "buyer" && group !== "target")) {
          const { rows } = await inboundStats(stats, { ...about, groupBy, timezone: "America/New_York" });
          sums.push(sumsOf(rows));
          for (const row of rows) {
            expect(row.with_routes + row.no_routes + row.cached + row.rate_limited).toBeLessThanOrEqual(row.requests);
            expect(row.calls_connected).toBeLessThanOrEqual(row.calls_received);
          }
        }
        await warehouse.close();
        for (const each of sums) expect(each).toEqual(sums[0]);
        expect(sums[0]?.[0]).toBe(asked.length);
        expect(sums[0]?.[4]).toBe(made.filter(({ ping: of }) => of < asked.length).length);
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });
});
