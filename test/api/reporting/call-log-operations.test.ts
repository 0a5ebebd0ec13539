import { describe, expect, it } from "vitest";
import { orgTwo, secondsIn } from "../../make.ts";
import { aCallOf } from "../../warehouse/rtb/store.ts";
import { openReports } from "./report-server.ts";

const list = "/reports/calls";
const ids = (rows: readonly { readonly call_id: string }[]) => rows.map(({ call_id }) => call_id);

describe("the call log", () => {
  it("has exactly the fields of a call", async () => {
    const { calls, shown } = await openReports();
    await calls([aCallOf("call-1")]);
    expect((await shown(list, list)).data).toEqual([
      {
        call_id: "call-1",
        call_sid: null,
        org_id: "org_one",
        campaign_id: "cmp-1",
        campaign_name: "Solar East",
        publisher_id: "pub-1",
        publisher_name: "Blue Lake Media",
        number_id: null,
        number: "+18005550100",
        caller_id: "+12125550123",
        caller_state: null,
        caller_zip: null,
        target_id: "tgt-1",
        target_name: "Sunny Roofs",
        target_type: "number",
        rtb_id: null,
        rtb_group_id: null,
        buyer_id: "buy-1",
        buyer_name: "Sunny Group",
        inbound_request_id: null,
        status: "completed",
        started_at: secondsIn(0),
        connected_at: secondsIn(0),
        ended_at: secondsIn(16),
        duration: 16,
        ivr_duration: null,
        connect_duration: 16,
        termination_by: "caller",
        failure_reason: null,
        attempts: 1,
        revenue: 30,
        payout: 20,
        profit: 10,
        configured_revenue: 30,
        configured_payout: 20,
        revenue_overridden: false,
        payable: true,
        receivable: true,
        converted: true,
        converted_at: secondsIn(16),
        is_duplicate: false,
        duplicate_of: null,
        repeat_caller: false,
        tcpa_result: null,
        recording_url: null,
        tags: {},
        created_at: secondsIn(0),
        updated_at: secondsIn(16),
      },
    ]);
    expect(await shown(`${list}/call-1`, `${list}/{call_id}`)).toMatchObject({ call_id: "call-1", revenue: 30 });
  });

  it("is of the last 24 hours; with a range, of the range; since a change, of calls of any age", async () => {
    const { calls, rows } = await openReports();
    const at = (days: number) => ({ started_at: secondsIn(-86_400 * days), updated_at: secondsIn(-86_400 * days) });
    await calls([
      aCallOf("today"),
      aCallOf("last week", at(7)),
      aCallOf("long ago", { ...at(500), updated_at: secondsIn(10) }),
    ]);
    expect(ids(await rows(list))).toEqual(["today"]);
    expect(ids(await rows(`${list}?start_date=${secondsIn(-86_400 * 8)}`))).toEqual(["today", "last week"]);
    expect(ids(await rows(`${list}?end_date=${secondsIn(-86_400 * 7 + 1)}`))).toEqual(["last week"]);
    expect(ids(await rows(`${list}?updated_since=${secondsIn(5)}`))).toEqual(["today", "long ago"]);
    expect(ids(await rows(`${list}?updated_since=${secondsIn(5)}&end_date=${secondsIn(-1)}`))).toEqual(["long ago"]);
    expect(ids(await rows(`${list}?updated_since=${secondsIn(5)}&start_date=${secondsIn(-1)}`))).toEqual(["today"]);
  });

  it("takes callers in any form, flags, lengths and tags", async () => {
    const { calls, rows } = await openReports();
    await calls([
      aCallOf("a", { is_duplicate: true, tags: { utm_source: "google", "my key": "ä=ö" } }),
      aCallOf("b", { caller_id: "+13105550101", converted: false, tags: { utm_source: "bing" } }, 40),
    ]);
    const found = async (query: string) => ids(await rows(`${list}?sort_direction=asc&${query}`));
    expect(await found("caller_id=+13105550101")).toEqual(["b"]);
    expect(await found(`caller_id=${encodeURIComponent("(310) 555-0101")}`)).toEqual(["b"]);
    expect(await found("number=%2B18005550100")).toEqual(["a", "b"]);
    expect([await found("converted=true"), await found("converted=false")]).toEqual([["a"], ["b"]]);
    expect([await found("duplicate=true"), await found("duplicate=false")]).toEqual([["a"], ["b"]]);
    expect([await found("min_duration=16"), await found("min_duration=17")]).toEqual([["a", "b"], ["b"]]);
    expect(await found("tag.utm_source=google")).toEqual(["a"]);
    expect(await found(`tag.my%20key=${encodeURIComponent("ä=ö")}&tag.utm_source=google`)).toEqual(["a"]);
    expect(await found("tag.utm_source=google&converted=false")).toEqual([]);
  });

  it("refuses what is no filter, and says where", async () => {
    const { get } = await openReports();
    const faults: Readonly<Record<string, string>> = {
      "min_duration=-1": "min_duration",
      "status=over": "status",
      "converted=yes": "converted",
      "tag.a=1&tag.a=2": "tag.a",
      "tag.=1": "tag.",
      "cursor=abc": "cursor",
      "limit=201": "limit",
      [`start_date=${secondsIn(-86_400 * 400)}`]: "start_date",
      updated_since: "updated_since",
      [Array.from({ length: 11 }, (_, index) => `tag.a${index}=1`).join("&")]: "tag.",
    };
    for (const [query, field] of Object.entries(faults)) {
      const { status, body } = await get(`${list}?${query}`);
      expect([status, body.detail[0]?.loc], query).toEqual([422, ["query", field]]);
    }
  });

  it("is walked by its cursors, forth and back", async () => {
    const { calls, get } = await openReports();
    await calls(["a", "b", "c", "d", "e"].map((id, index) => aCallOf(id, { started_at: secondsIn(index) })));
    const first = (await get(`${list}?limit=2`)).body;
    expect([ids(first.data), first.meta]).toMatchObject([
      ["e", "d"],
      { total: 5, has_more: true, next_offset: 2, previous_cursor: null },
    ]);
    const second = (await get(`${list}?limit=2&cursor=${first.meta.next_cursor}`)).body;
    expect([ids(second.data), second.meta.offset]).toEqual([["c", "b"], 2]);
    const back = (await get(`${list}?limit=2&cursor=${second.meta.previous_cursor}`)).body;
    expect(back).toEqual(first);
  });

  it("of another organization is empty, and its calls are not found", async () => {
    const { calls, rows, get } = await openReports();
    await calls([aCallOf("call-1")]);
    expect(await rows(list, orgTwo)).toEqual([]);
    expect(await rows(`${list}?updated_since=2000-01-01`, orgTwo)).toEqual([]);
    expect((await get(`${list}/call-1`, orgTwo)).status).toBe(404);
    expect((await get(`${list}/nobody`)).body.detail.code).toBe("not_found");
  });
});
