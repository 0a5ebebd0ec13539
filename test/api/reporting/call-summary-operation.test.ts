import { describe, expect, it } from "vitest";
import { orgTwo, secondsIn } from "../../make.ts";
import { aCallOf } from "../../warehouse/rtb/store.ts";
import { openReports } from "./report-server.ts";

const path = "/reports/summary";

describe("the call summary", () => {
  it("is by campaign unless asked, with totals and what it was made of", async () => {
    const { calls, shown } = await openReports();
    await calls([aCallOf("a"), aCallOf("b", { campaign_id: null, campaign_name: null }, 5)]);
    const { data, totals, meta } = await shown(path, path);
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(
      expect.objectContaining({
        group: { campaign_id: "cmp-1", campaign_name: "Solar East" },
        incoming: 1,
        revenue: 30,
        payout: 20,
        profit: 10,
        epc: 30,
        rpc: 30,
        acl: 16,
        conversion_rate: 1,
        connect_rate: 1,
      }),
    );
    expect(data).toContainEqual(expect.objectContaining({ group: { campaign_id: null, campaign_name: null } }));
    expect(totals).toMatchObject({ incoming: 2, converted: 1, unique_callers: 1, total_duration: 21 });
    expect(meta).toEqual({
      group_by: ["campaign"],
      timezone: "UTC",
      count: 2,
      truncated: false,
      start_date: secondsIn(3600 - 86_400),
      end_date: secondsIn(3600),
    });
  });

  it("takes up to three groups, in either way of writing them, and shows what each is called now", async () => {
    const { calls, rows } = await openReports();
    await calls([aCallOf("a", { rtb_id: "rtb-1", tags: { "my tag": "x" } })]);
    const group = { rtb_id: "rtb-1", rtb_name: "Bidder of today", day: "2026-11-02", "tag:my tag": "x" };
    for (const query of ["group_by=rtb,day,tag:my%20tag", "group_by=rtb&group_by=day&group_by=tag:my%20tag"])
      expect(await rows(`${path}?${query}`), query).toMatchObject([{ group }]);
    expect(await rows(`${path}?group_by=hour&timezone=America/Chicago`)).toMatchObject([
      { group: { hour: "2026-11-02T09:00" } },
    ]);
    expect(await rows(`${path}?group_by=state,number&tag.my%20tag=x`)).toMatchObject([
      { group: { state: null, number: "+18005550100" } },
    ]);
  });

  it("takes a date alone as its midnight in the zone of its days, whichever side of a clock change it lies", async () => {
    const { shown } = await openReports();
    const days = "start_date=2026-10-31&end_date=2026-11-02&timezone=America/New_York";
    const { meta } = await shown(`${path}?${days}`, path);
    expect([meta.start_date, meta.end_date]).toEqual(["2026-10-31T04:00:00.000Z", "2026-11-02T05:00:00.000Z"]);
    const { meta: inUtc } = await shown(`${path}?start_date=2026-10-31&end_date=2026-11-02T06:00:00Z`, path);
    expect([inUtc.start_date, inUtc.end_date]).toEqual(["2026-10-31T00:00:00.000Z", "2026-11-02T06:00:00.000Z"]);
  });

  it("refuses groups that are none, four of them, and one twice", async () => {
    const { get } = await openReports();
    for (const groups of ["reason", "tag:", "day,day", "campaign,publisher,buyer,target", "", "day,"]) {
      const { status, body } = await get(`${path}?group_by=${groups}`);
      expect([status, body.detail[0]?.loc], groups).toEqual([422, ["query", "group_by"]]);
    }
    expect((await get(`${path}?timezone=Mars/Olympus`)).status).toBe(422);
  });

  it("has nothing of another organization", async () => {
    const { calls, get } = await openReports();
    await calls([aCallOf("a")]);
    const { body } = await get(path, orgTwo);
    expect([body.data, body.totals.incoming, body.totals.margin]).toEqual([[], 0, null]);
  });
});
