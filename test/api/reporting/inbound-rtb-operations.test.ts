import { describe, expect, it } from "vitest";
import { anInboundPing, anOutboundPing, orgTwo, secondsIn } from "../../make.ts";
import { aCallOf } from "../../warehouse/rtb/store.ts";
import { openReports } from "./report-server.ts";

const list = "/inbound-rtb/requests";
const idsOf = (rows: readonly { request_id: string }[]) => rows.map(({ request_id }) => request_id);

describe("the list of pings", () => {
  it("has exactly the fields of a ping, and the call that came of it later", async () => {
    const { requests, calls, shown } = await openReports();
    const about = { campaign_id: "cmp-1", publisher_id: "pub-1", caller_id: "+12125550123", zip_code: "10001" };
    await requests([anInboundPing({ ...about, state: "NY", params: { subid: "s" } })]);
    await calls([aCallOf("call-9", { inbound_request_id: "ping-1" })]);
    const { data, meta } = await shown(list, list);
    expect(data).toEqual([
      {
        request_id: "ping-1",
        inbound_rtb_id: "inbound_1",
        ...about,
        state: "NY",
        params: { subid: "s" },
        outcome: "routes",
        reason: null,
        total_routes: 2,
        allocated_count: 1,
        best_payout: 12.5,
        processing_ms: 31.5,
        call_id: "call-9",
        created_at: secondsIn(0),
      },
    ]);
    expect(meta).toMatchObject({ total: 1, count: 1, has_more: false });
  });

  it("is of the last 24 hours or the range given, newest first, in pages, each organization's own", async () => {
    const { requests, rows, get, clock } = await openReports();
    const at = (request_id: string, second: number) => anInboundPing({ request_id, created_at: secondsIn(second) });
    await requests([at("old", -83_000), at("a", 0), at("b", 10), at("c", 10)]);
    await requests([anInboundPing({ request_id: "theirs", org_id: orgTwo })]);
    expect(idsOf(await rows(list))).toEqual(["c", "b", "a"]);
    expect(idsOf(await rows(`${list}?limit=2&offset=1&sort_direction=asc`))).toEqual(["b", "c"]);
    expect(idsOf(await rows(`${list}?start_date=${secondsIn(-90_000)}&end_date=${secondsIn(10)}`))).toEqual([
      "a",
      "old",
    ]);
    expect((await get(list, orgTwo)).body.meta.total).toBe(1);
    clock.advance(86_400_000);
    expect(await rows(list)).toEqual([]);
  });

  it("is filtered by each of its filters, an endpoint by its number and its public id", async () => {
    const { requests, rows } = await openReports();
    await requests([
      anInboundPing({ request_id: "a", campaign_id: "cmp-1", publisher_id: "pub-1", caller_id: "+12125550123" }),
      anInboundPing({ request_id: "b", inbound_rtb_id: "inbound_2", outcome: "no_routes" }),
    ]);
    const found = async (query: string) => idsOf(await rows(`${list}?${query}`));
    for (const query of ["inbound_rtb_id=inbound_1", "inbound_rtb_id=7", "campaign_id=cmp-1", "publisher_id=pub-1"])
      expect(await found(query), query).toEqual(["a"]);
    expect(await found("caller_id=%2B12125550123")).toEqual(["a"]);
    expect(await found("outcome=no_routes")).toEqual(["b"]);
    expect(await found("inbound_rtb_id=nobody")).toEqual([]);
  });

  it.each([
    ["a range that runs backwards", `start_date=${secondsIn(1)}&end_date=${secondsIn(0)}`, "start_date"],
    ["a range over 366 days", "start_date=2025-01-01&end_date=2026-06-01", "start_date"],
    ["an outcome that is none", "outcome=won", "outcome"],
    ["a page too large", "limit=201", "limit"],
  ])("is 422 for %s", async (_what, query, field) => {
    const { get } = await openReports();
    const { status, body } = await get(`${list}?${query}`);
    expect([status, body.detail[0].loc]).toEqual([422, ["query", field]]);
  });
});

describe("one ping", () => {
  const withheld = { destination_type: "target", detail: null, bid: null } as const;
  const route = { destination_type: "target", destination_id: "tgt-1", buyer_id: "buy-1", payout: 12.5, revenue: 20 };

  it("has its routes, the buyers asked, and what became of each number", async () => {
    const { requests, calls, shown } = await openReports();
    const number = (digits: number, second: number) => ({
      number: `+1800555010${digits}`,
      route_id: null,
      expires_at: secondsIn(second),
    });
    const eligible_routes = [{ ...route, route_id: "r1" }];
    const ineligible_routes = [{ ...withheld, route_id: "r2", destination_id: "tgt-2", reason: "closed" }];
    await requests([
      anInboundPing({
        eligible_routes,
        ineligible_routes,
        allocations: [number(0, 30), number(1, 30), number(2, 7200)],
      }),
      anOutboundPing({ id: "bid-2", rtb_id: "rtb-2", inbound_request_id: "ping-1", created_at: secondsIn(1) }),
      anOutboundPing({ inbound_request_id: "ping-1" }),
      anOutboundPing({ id: "bid-3", inbound_request_id: "ping-2" }),
    ]);
    await calls([aCallOf("call-9", { inbound_request_id: "ping-1", rtb_id: "rtb-2" })]);
    const body = await shown(`${list}/ping-1`, `${list}/{request_id}`);
    expect(body).toMatchObject({ request_id: "ping-1", call_id: "call-9", eligible_routes, ineligible_routes });
    expect(body).not.toHaveProperty("life_log");
    expect(body.outbound_pings).toMatchObject([
      { id: "bid-1", won: false, call_id: "call-9" },
      { id: "bid-2", won: true, call_id: "call-9" },
    ]);
    expect(body.allocations).toEqual([
      { number: "+18005550100", expires_at: secondsIn(30), state: "called" },
      { number: "+18005550101", expires_at: secondsIn(30), state: "expired" },
      { number: "+18005550102", expires_at: secondsIn(7200), state: "allocated" },
    ]);
  });

  it("that is older than what is kept now has nothing behind it", async () => {
    const { store, shown } = await openReports();
    const { eligible_routes: _e, ineligible_routes: _i, allocations: _a, life_log: _l, ...older } = anInboundPing();
    await store("rtb-requests", [older]);
    const nothing = { eligible_routes: [], ineligible_routes: [], outbound_pings: [], allocations: [] };
    expect(await shown(`${list}/ping-1`, `${list}/{request_id}`)).toMatchObject(nothing);
    expect(await shown(`${list}/ping-1/life-log`, `${list}/{request_id}/life-log`)).toEqual({ data: [] });
  });

  it("is the ping where a repeat bears its id", async () => {
    const { requests, shown } = await openReports();
    await requests([anInboundPing({ outcome: "cached", created_at: secondsIn(3) }), anInboundPing()]);
    expect(await shown(`${list}/ping-1`, `${list}/{request_id}`)).toMatchObject({ outcome: "routes" });
  });

  it("tells its life in order of time, and of its writing where that is the same", async () => {
    const { requests, shown } = await openReports();
    const line = (event: "ping.received" | "plan.selected" | "ping.answered", ms: number) => ({
      event,
      occurred_at: new Date(Date.parse(secondsIn(0)) + ms).toISOString(),
      detail: { ms },
    });
    const life_log = [line("ping.received", 0), line("ping.answered", 31), line("plan.selected", 0)];
    await requests([anInboundPing({ life_log })]);
    const { data } = await shown(`${list}/ping-1/life-log`, `${list}/{request_id}/life-log`);
    expect(data).toEqual([
      { seq: 1, at: secondsIn(0), offset_ms: 0, event: "ping.received", detail: { ms: 0 } },
      { seq: 2, at: secondsIn(0), offset_ms: 0, event: "plan.selected", detail: { ms: 0 } },
      { seq: 3, at: line("ping.answered", 31).occurred_at, offset_ms: 31, event: "ping.answered", detail: { ms: 31 } },
    ]);
  });

  it("of another organization, or none, is not found", async () => {
    const { requests, get } = await openReports();
    await requests([anInboundPing()]);
    for (const path of [`${list}/ping-1`, `${list}/ping-1/life-log`])
      expect((await get(path, orgTwo)).status).toBe(404);
    expect((await get(`${list}/ping-2`)).body.detail.code).toBe("not_found");
  });
});

describe("the figures of pings", () => {
  it("say what they were asked for", async () => {
    const { requests, shown } = await openReports();
    await requests([anInboundPing()]);
    const { data, meta } = await shown("/inbound-rtb/stats?timezone=Asia/Tokyo&group_by=day", "/inbound-rtb/stats");
    expect(data).toMatchObject([{ key: "2026-11-03", name: "2026-11-03", requests: 1 }]);
    expect(meta).toEqual({
      group_by: "day",
      timezone: "Asia/Tokyo",
      start_date: secondsIn(3600 - 86_400),
      end_date: secondsIn(3600),
      count: 1,
      truncated: false,
    });
    const [group] = (await shown("/inbound-rtb/stats", "/inbound-rtb/stats")).data;
    expect(group).toMatchObject({ key: "inbound_1", name: "inbound_1" });
  });

  it.each(["group_by=colour", "timezone=Mars/Olympus", "timezone=%2B02:00", "start_date=yesterday"])(
    "are 422 for %s",
    async (query) => {
      const { get } = await openReports();
      const { status, body } = await get(`/inbound-rtb/stats?${query}`);
      expect([status, body.detail[0].loc]).toEqual([422, ["query", query.split("=")[0]]]);
    },
  );
});
