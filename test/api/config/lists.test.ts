import { describe, expect, it } from "vitest";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { aStep, foundCompany } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const clock = createManualClock(startOfTime);
const { join } = usePlatform({ clock });

/** Buyers named 1, 2, …, each made a second after the other. */
async function makeBuyers(member: Member, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    clock.advance(1000);
    await done(member.post("/api/v1/buyers", { name: String(index), is_active: index % 2 === 0 }));
  }
}

const namesOf = (page: { data: { name: string }[] }): string[] => page.data.map(({ name }) => name);

describe("a list", () => {
  it("gives pages of the newest first, with the envelope that leads through them", async () => {
    const member = await join();
    await makeBuyers(member, 5);
    const page = async (query: string) => done(member.get(`/api/v1/buyers?${query}`));
    const first = await page("limit=2");
    expect([namesOf(first), first.meta]).toEqual([
      ["5", "4"],
      { limit: 2, offset: 0, count: 2, total: 5, has_more: true, next_offset: 2, previous_offset: null },
    ]);
    const second = await page(`limit=2&offset=${first.meta.next_offset}`);
    expect([namesOf(second), second.meta]).toEqual([
      ["3", "2"],
      { limit: 2, offset: 2, count: 2, total: 5, has_more: true, next_offset: 4, previous_offset: 0 },
    ]);
    const last = await page(`limit=2&offset=${second.meta.next_offset}`);
    expect([namesOf(last), last.meta]).toEqual([
      ["1"],
      { limit: 2, offset: 4, count: 1, total: 5, has_more: false, next_offset: null, previous_offset: 2 },
    ]);
    expect((await page("offset=1&limit=3")).meta).toMatchObject({ next_offset: 4, previous_offset: 0 });
    expect((await page("offset=99")).meta).toMatchObject({ count: 0, total: 5, has_more: false, previous_offset: 49 });
    expect((await page("")).meta).toMatchObject({ limit: 50, offset: 0, count: 5 });
  });

  it("is sorted as it is asked to, in any case", async () => {
    const member = await join();
    await makeBuyers(member, 3);
    for (const [direction, names] of [
      ["asc", ["1", "2", "3"]],
      ["ASC", ["1", "2", "3"]],
      ["desc", ["3", "2", "1"]],
      ["Desc", ["3", "2", "1"]],
    ] as const) {
      expect(namesOf(await done(member.get(`/api/v1/buyers?sort_direction=${direction}`)))).toEqual(names);
    }
  });

  it("of documents made in one instant has each once, in the same order each time", async () => {
    const member = await join();
    const { id } = await done(member.post("/api/v1/campaigns", { name: "c" }));
    const publisher = await done(member.post("/api/v1/publishers", { name: "p" }));
    const made = [];
    for (let count = 0; count < 12; count += 1) {
      const body = { campaign_id: id, publisher_id: publisher.id };
      made.push((await done(member.post("/api/v1/inbound-rtb", body))).id);
    }
    const seen: number[] = [];
    for (let offset = 0; offset < made.length; offset += 5) {
      const page = await done(member.get(`/api/v1/inbound-rtb?limit=5&offset=${offset}&sort_direction=asc`));
      seen.push(...page.data.map((each: { id: number }) => each.id));
    }
    expect(seen).toEqual(made);
  });

  it.each([
    "limit=0",
    "limit=201",
    "limit=1.5",
    "limit=",
    "limit=a",
    "limit=1&limit=2",
    "offset=-1",
    "sort_direction=up",
  ])("refuses ?%s", async (query) => {
    const { status, body } = await (await join()).get(`/api/v1/buyers?${query}`);
    expect([status, body.detail[0].loc]).toEqual([422, ["query", query.split("=")[0]]]);
  });

  it("takes limits from 1 to 200", async () => {
    const member = await join();
    for (const limit of [1, 200]) expect((await member.get(`/api/v1/buyers?limit=${limit}`)).status).toBe(200);
  });

  it("holds the organization's own alone", async () => {
    const [one, two] = [await join(), await join()];
    await makeBuyers(one, 2);
    expect((await done(two.get("/api/v1/buyers"))).meta).toMatchObject({ total: 0, count: 0, has_more: false });
  });

  it("of targets has the fewer fields that the specification names", async () => {
    const member = await join();
    await foundCompany(member);
    const { data } = await done(member.get("/api/v1/targets"));
    expect(Object.keys(data[0]).toSorted()).toEqual([
      "access_to_call_recordings",
      "advanced_caps",
      "consider_duplicate",
      "consider_duplicate_interval",
      "conversion_scope",
      "disable_recordings",
      "duplicate_conversion_action",
      "id",
      "is_active",
      "is_paused",
      "name",
      "org_id",
      "timezone",
    ]);
  });
});

describe("a filter", () => {
  it("narrows by a field's exact value, and filters add up", async () => {
    const member = await join();
    await makeBuyers(member, 4);
    const names = async (query: string) => namesOf(await done(member.get(`/api/v1/buyers?${query}`)));
    expect(await names("is_active=true")).toEqual(["4", "2"]);
    expect(await names("is_active=false")).toEqual(["3", "1"]);
    expect(await names("name=2")).toEqual(["2"]);
    expect(await names("name=2&is_active=false")).toEqual([]);
    expect(await names("name=%27%20OR%201%3D1%20--")).toEqual([]);
    expect((await member.get("/api/v1/buyers?is_active=maybe")).status).toBe(422);
  });

  it("by pause tells those that are paused now from those whose pause is over", async () => {
    const member = await join();
    const ids = await foundCompany(member);
    const second = await done(member.post("/api/v1/rtbs", { rtb_name: "Second", buyer_id: ids.buyer, steps: [aStep] }));
    const paused = async (is_paused: boolean) =>
      (await done(member.get(`/api/v1/rtbs?is_paused=${is_paused}`))).data.map(({ id }: { id: string }) => id);
    await done(member.post(`/api/v1/rtbs/${second.id}/pause`, { duration_minutes: 1 }));
    expect([await paused(true), await paused(false)]).toEqual([[second.id], [ids.rtb_formula]]);
    clock.advance(59_999);
    expect(await paused(true)).toEqual([second.id]);
    clock.advance(1);
    expect(await paused(true)).toEqual([]);
    expect((await paused(false)).toSorted()).toEqual([second.id, ids.rtb_formula].toSorted());
    await done(member.post(`/api/v1/rtbs/${second.id}/pause`));
    expect(await paused(true)).toEqual([second.id]);
    await done(member.delete(`/api/v1/rtbs/${second.id}/pause`));
    expect(await paused(true)).toEqual([]);
  });

  it("finds the campaigns of a publisher and the numbers of a campaign", async () => {
    const member = await join();
    const ids = await foundCompany(member);
    const idsOf = async (path: string) =>
      (await done(member.get(`/api/v1/${path}`))).data.map(({ id }: { id: string }) => id);
    await done(member.post("/api/v1/campaigns", { name: "Without numbers" }));
    const idle = await done(member.post("/api/v1/publishers", { name: "Idle" }));
    expect(await idsOf(`campaigns?publisher_id=${ids.publisher}`)).toEqual([ids.campaign]);
    expect(await idsOf(`campaigns?publisher_id=${idle.id}`)).toEqual([]);
    expect(await idsOf(`numbers?campaign_id=${ids.campaign}`)).toEqual([ids.number]);
    expect(await idsOf("numbers?campaign_id=nobody")).toEqual([]);
    expect(await idsOf(`numbers?number_pool_id=${ids.number_pool}&status=pooled`)).toEqual([ids.pooled_number]);
    const shown = await done(member.get(`/api/v1/numbers/${ids.number}`));
    expect(shown.campaign_id).toBe(ids.campaign);
    await done(member.patch(`/api/v1/campaigns/${ids.campaign}`, { number_group_items: [] }));
    expect((await done(member.get(`/api/v1/numbers/${ids.number}`))).campaign_id).toBeNull();
    expect(await idsOf(`numbers?campaign_id=${ids.campaign}`)).toEqual([]);
  });

  it("of another organization's id finds nothing", async () => {
    const [one, two] = [await join(), await join()];
    const ids = await foundCompany(one);
    for (const path of [`campaigns?publisher_id=${ids.publisher}`, `numbers?campaign_id=${ids.campaign}`]) {
      expect((await done(two.get(`/api/v1/${path}`))).data).toEqual([]);
    }
  });
});

describe("the targets of a buyer", () => {
  it("are those that name him, in pages", async () => {
    const member = await join();
    const ids = await foundCompany(member);
    const other = await done(member.post("/api/v1/buyers", { name: "Other" }));
    await done(member.post("/api/v1/targets", { name: "Other's", buyer_id: other.id, type: "sip" }));
    const path = `/api/v1/buyers/${ids.buyer}/targets`;
    const all = await done(member.get(path));
    expect([namesOf(all), all.meta.total]).toEqual([["Sunny target"], 1]);
    expect(namesOf(await done(member.get(`/api/v1/buyers/${other.id}/targets?limit=1`)))).toEqual(["Other's"]);
    expect((await member.get("/api/v1/buyers/nobody/targets")).status).toBe(404);
  });
});
