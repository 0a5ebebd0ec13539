import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outboundOutcomes } from "../../../ingest/rtb.ts";
import { type OutboundRow, outboundGroups, outboundStats } from "../../../warehouse/rtb/outbound-rtb-stats.ts";
import { anOutboundPing, orgTwo, secondsIn } from "../../make.ts";
import { about, aCallOf, openRtbStore } from "./store.ts";

describe("the statistics of executions", () => {
  it("count each outcome, what was bid, what was won and how long it took", async () => {
    const { stats, requests } = await openRtbStore();
    await requests([
      anOutboundPing({ id: "a", bid: 20, won: true, total_ms: 100 }),
      anOutboundPing({ id: "b", bid: 10.5, reason: "bid_below_minimum", total_ms: 200 }),
      anOutboundPing({ id: "c", outcome: "no_bid", reason: "not_accepted", bid: null, total_ms: 300 }),
      anOutboundPing({ id: "d", outcome: "timeout", bid: null, total_ms: 1000 }),
      anOutboundPing({ id: "e", outcome: "skipped", bid: null, total_ms: 0 }),
      anOutboundPing({ id: "late", created_at: secondsIn(86_400) }),
      anOutboundPing({ id: "theirs", org_id: orgTwo }),
    ]);
    const { rows, truncated } = await outboundStats(stats, { ...about, groupBy: "rtb" });
    expect(truncated).toBe(false);
    expect(rows).toEqual([
      {
        key: "rtb-1",
        name: "Bidder",
        pings: 4,
        bids: 2,
        no_bids: 1,
        timeouts: 1,
        http_errors: 0,
        parse_errors: 0,
        skipped: 1,
        wins: 1,
        calls: 0,
        conversions: 0,
        revenue: 0,
        avg_bid: 15.25,
        max_bid: 20,
        bid_rate: 0.5,
        win_rate: 0.5,
        timeout_rate: 0.25,
        p50_ms: 250,
        p95_ms: 895,
        p99_ms: 979,
      },
    ]);
  });

  it("show a share of nothing as unknown", async () => {
    const { stats, requests } = await openRtbStore();
    await requests([anOutboundPing({ outcome: "skipped", reason: "ping_backoff", bid: null })]);
    const { rows } = await outboundStats(stats, { ...about, groupBy: "reason" });
    const unknown = { avg_bid: null, max_bid: null, bid_rate: null, win_rate: null, timeout_rate: null, p50_ms: null };
    expect(rows).toMatchObject([{ key: "ping_backoff", name: "ping_backoff", pings: 0, skipped: 1, ...unknown }]);
  });

  it("take a bid as won where the call went to its formula, by the call's id or by its ping", async () => {
    const { stats, requests, calls } = await openRtbStore();
    const inbound_request_id = "ping-1";
    await requests([
      anOutboundPing({ id: "asked", call_id: "call-1" }),
      anOutboundPing({ id: "pinged", inbound_request_id }),
      anOutboundPing({ id: "other", rtb_id: "rtb-2", inbound_request_id }),
      anOutboundPing({ id: "none", outcome: "no_bid", bid: null, call_id: "call-1" }),
    ]);
    await calls([
      aCallOf("call-1", { rtb_id: "rtb-1", revenue: 12.5 }),
      aCallOf("call-2", { rtb_id: "rtb-1", revenue: 20, inbound_request_id }),
      aCallOf("call-3", { rtb_id: null, inbound_request_id }),
    ]);
    const { rows } = await outboundStats(stats, { ...about, groupBy: "rtb" });
    expect(rows).toMatchObject([
      { key: "rtb-1", wins: 2, calls: 2, conversions: 2, revenue: 32.5 },
      { key: "rtb-2", wins: 0, calls: 0, revenue: 0 },
    ]);
  });

  it("count a call once, at the bid that won, however often its formula was asked", async () => {
    const { stats, requests, calls } = await openRtbStore();
    await requests([
      anOutboundPing({ id: "first", rtb_group_id: "group", inbound_request_id: "ping-1", won: true }),
      anOutboundPing({ id: "second", inbound_request_id: "ping-1" }),
    ]);
    await calls([aCallOf("call-1", { rtb_id: "rtb-1", revenue: 20, inbound_request_id: "ping-1" })]);
    const { rows } = await outboundStats(stats, { ...about, groupBy: "rtb_group" });
    expect(rows).toMatchObject([
      { key: "group", name: null, wins: 1, calls: 1, revenue: 20 },
      { key: null, wins: 0, calls: 0, revenue: 0 },
    ]);
  });

  it("fall into the hours and days of the zone", async () => {
    const { stats, requests } = await openRtbStore();
    await requests(
      [0, 1800, 8 * 3600, 14 * 3600].map((at) => anOutboundPing({ id: `${at}`, created_at: secondsIn(at) })),
    );
    const groups = async (groupBy: "hour" | "day", timezone: string) =>
      (await outboundStats(stats, { ...about, groupBy, timezone })).rows.map(({ key, pings }) => [key, pings]);
    expect(await groups("day", "UTC")).toEqual([
      ["2026-11-02", 3],
      ["2026-11-03", 1],
    ]);
    expect(await groups("day", "America/New_York")).toEqual([
      ["2026-11-02", 3],
      ["2026-11-03", 1],
    ]);
    expect(await groups("day", "Asia/Tokyo")).toEqual([["2026-11-03", 4]]);
    expect(await groups("hour", "Asia/Kolkata")).toEqual([
      ["2026-11-02T20:00", 1],
      ["2026-11-02T21:00", 1],
      ["2026-11-03T04:00", 1],
      ["2026-11-03T10:00", 1],
    ]);
  });

  const oneOf = (name: string, most: number) =>
    fc.integer({ min: 0, max: most }).map((index) => (index === 0 ? null : `${name}-${index}`));
  const amount = fc.integer({ min: 0, max: 9999 }).map((cents) => cents / 100);
  const bid = fc.record({ outcome: fc.constant("bid" as const), bid: amount, won: fc.boolean() });
  const refusals = outboundOutcomes.filter((outcome) => outcome !== "bid");
  const refusal = fc.record({ outcome: fc.constantFrom(...refusals) });
  const execution = fc
    .record({
      rtb_id: fc.constantFrom("rtb-1", "rtb-2"),
      buyer_id: oneOf("buy", 2),
      campaign_id: oneOf("cmp", 1),
      rtb_group_id: oneOf("grp", 1),
      reason: fc.constantFrom("no_bid", "lost_auction", null),
      call_id: oneOf("call", 5),
      inbound_request_id: oneOf("ping", 3),
      created_at: fc.integer({ min: 0, max: 86_399 }).map(secondsIn),
      total_ms: fc.integer({ min: 0, max: 2000 }),
    })
    .chain((about) => fc.oneof(bid, refusal).map((answer) => anOutboundPing({ ...about, ...answer })));
  const call = fc.record({
    rtb_id: oneOf("rtb", 2),
    inbound_request_id: oneOf("ping", 3),
    revenue: amount,
    converted: fc.boolean(),
  });

  const sumsOf = (rows: readonly OutboundRow[]) =>
    (["pings", "skipped", "bids", "wins", "calls", "conversions", "revenue"] as const).map((name) =>
      rows.reduce((total, row) => total + Math.round(row[name] * 100), 0),
    );

  it("add up in every grouping, and to the pings that were sent", { tags: ["slow"] }, async () => {
    const executions = fc.array(execution, { maxLength: 30 });
    const property = fc.asyncProperty(executions, fc.array(call, { maxLength: 5 }), async (asked, made) => {
      const { stats, requests, calls, warehouse } = await openRtbStore();
      await requests(asked.map((each, index) => ({ ...each, id: `x-${index}` })));
      await calls(made.map((each, index) => aCallOf(`call-${index + 1}`, each)));
      const sums = [];
      for (const groupBy of outboundGroups) {
        const { rows } = await outboundStats(stats, { ...about, groupBy, timezone: "Europe/Berlin" });
        sums.push(sumsOf(rows));
        for (const row of rows) {
          expect(row.pings).toBe(row.bids + row.no_bids + row.timeouts + row.http_errors + row.parse_errors);
          expect(row.wins).toBeLessThanOrEqual(row.bids);
          expect(row.conversions).toBeLessThanOrEqual(row.calls);
        }
      }
      await warehouse.close();
      for (const each of sums) expect(each).toEqual(sums[0]);
      const skipped = asked.filter(({ outcome }) => outcome === "skipped").length;
      expect(sums[0]?.slice(0, 2)).toEqual([(asked.length - skipped) * 100, skipped * 100]);
    });
    await fc.assert(property, { numRuns: 15 });
  });
});
