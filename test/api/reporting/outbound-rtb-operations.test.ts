import { describe, expect, it } from "vitest";
import { anOutboundPing, orgTwo, secondsIn } from "../../make.ts";
import { aCallOf } from "../../warehouse/rtb/store.ts";
import { openReports } from "./report-server.ts";

const list = "/outbound-rtb/requests";
const step = {
  index: 0,
  attempt: 1,
  url: "https://bids.example/ping",
  method: "POST",
  request_headers: { a: "***" },
  request_body: "{}",
  status_code: 200,
  response_body: '{"bid":20}',
  truncated: false,
  duration_ms: 80,
  error: null,
  unresolved: ["zip"],
  script_skipped: false,
};

describe("the list of executions", () => {
  it("has exactly the fields of an execution, without its steps", async () => {
    const { requests, shown } = await openReports();
    await requests([anOutboundPing({ steps: [step], duration: 90, phone_number: "+18885550100", score: 21.5 })]);
    expect((await shown(list, list)).data).toEqual([
      {
        id: "bid-1",
        rtb_id: "rtb-1",
        rtb_name: "Bidder",
        buyer_id: null,
        rtb_group_id: null,
        call_id: null,
        inbound_request_id: null,
        outcome: "bid",
        reason: null,
        bid: 20,
        effective_bid: 20,
        duration: 90,
        phone_number: "+18885550100",
        score: 21.5,
        won: false,
        total_ms: 80,
        steps_count: 1,
        created_at: secondsIn(0),
      },
    ]);
  });

  it("is filtered by each of its filters, and finds by a call what its ping asked", async () => {
    const { requests, calls, rows } = await openReports();
    await requests([
      anOutboundPing({ id: "a", rtb_group_id: "grp-1", buyer_id: "buy-1", inbound_request_id: "ping-1" }),
      anOutboundPing({ id: "b", rtb_id: "rtb-2", outcome: "no_bid", bid: null, call_id: "call-1" }),
      anOutboundPing({ id: "c", rtb_id: "rtb-3", org_id: orgTwo, call_id: "call-1" }),
    ]);
    await calls([aCallOf("call-1", { inbound_request_id: "ping-1" })]);
    const found = async (query: string) =>
      (await rows(`${list}?${query}`)).map(({ id }: { id: string }) => id).toSorted();
    for (const query of [
      "rtb_id=rtb-1",
      "rtb_group_id=grp-1",
      "buyer_id=buy-1",
      "inbound_request_id=ping-1",
      "outcome=bid",
    ])
      expect(await found(query), query).toEqual(["a"]);
    expect(await found("call_id=call-1")).toEqual(["a", "b"]);
    expect(await found("call_id=call-2")).toEqual([]);
  });
});

describe("one execution", () => {
  it("has each step's request and answer", async () => {
    const { requests, shown, get } = await openReports();
    await requests([anOutboundPing({ steps: [step] })]);
    expect((await shown(`${list}/bid-1`, `${list}/{request_id}`)).steps).toEqual([step]);
    expect((await get(`${list}/bid-1`, orgTwo)).status).toBe(404);
    expect((await get(`${list}/nobody`)).status).toBe(404);
  });

  it("has won where the call went to its formula, and only a bid has", async () => {
    const { requests, calls, rows } = await openReports();
    await requests([
      anOutboundPing({ id: "won", call_id: "call-1" }),
      anOutboundPing({ id: "lost", rtb_id: "rtb-2", call_id: "call-1" }),
      anOutboundPing({ id: "silent", outcome: "timeout", bid: null, call_id: "call-1" }),
    ]);
    await calls([aCallOf("call-1", { rtb_id: "rtb-1" })]);
    const winners = (await rows(list)).filter(({ won }: { won: boolean }) => won);
    expect(winners).toMatchObject([{ id: "won" }]);
  });
});

describe("the figures of executions", () => {
  it("name each group as it is called now, or as it was where it is no more", async () => {
    const { requests, shown } = await openReports();
    await requests([anOutboundPing(), anOutboundPing({ id: "b", rtb_id: "gone", rtb_name: "Of old" })]);
    const { data, meta } = await shown("/outbound-rtb/stats", "/outbound-rtb/stats");
    expect(data.map(({ key, name }: { key: string; name: string }) => [key, name])).toEqual([
      ["gone", "Of old"],
      ["rtb-1", "Bidder of today"],
    ]);
    expect(meta).toMatchObject({ group_by: "rtb", timezone: "UTC", count: 2 });
  });

  it("are 422 for a group that is none and a range that runs backwards", async () => {
    const { get } = await openReports();
    const backwards = `start_date=${secondsIn(1)}&end_date=${secondsIn(0)}`;
    for (const query of ["group_by=publisher", backwards])
      expect((await get(`/outbound-rtb/stats?${query}`)).status, query).toBe(422);
  });
});
