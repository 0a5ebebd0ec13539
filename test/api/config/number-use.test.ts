import { describe, expect, it, vi } from "vitest";
import type { ConfigInput } from "../../../api/config/registry.ts";
import { ownNumber } from "../../make.ts";
import { createClient, exampleConfig, openPlatform } from "../../platform.ts";
import { createDatabase, testDatabaseUrl } from "../../postgres-server.ts";
import { type Company, foundCompany, phonesOf } from "../company.ts";
import { type Answer, done, type Member, usePlatform } from "../use-platform.ts";

const { join } = usePlatform({});

async function openRig() {
  const member = await join();
  const ids = await foundCompany(member, "Sunny");
  return { member, ids, ...campaigns(member, ids) };
}

function campaigns(member: Member, ids: Company) {
  const items = (...numbers: string[]) => numbers.map((number_id) => ({ number_id }));
  return {
    items,
    add: (numbers: readonly string[], more: object = {}) =>
      member.post("/api/v1/campaigns", { name: "Second", number_group_items: items(...numbers), ...more }),
    first: `/api/v1/campaigns/${ids.campaign}`,
    statusOf: async (id: string) => {
      const { status, campaign_id } = await done(member.get(`/api/v1/numbers/${id}`));
      return [status, campaign_id];
    },
  };
}

const refusalOf = ({ status, body }: Answer): unknown[] => [status, body.detail.code];
const inUse = [409, "number_in_use"];

describe("a number of an active campaign", () => {
  it("is refused to another one, which is told where it is", async () => {
    const { member, ids, add, first, items } = await openRig();
    const refused = await add([ids.spare_number, ids.number]);
    expect(refusalOf(refused)).toEqual(inUse);
    expect(refused.body.detail.message).toContain(phonesOf(member.id).number);
    expect(refused.body.detail.message).toContain(`"Sunny campaign" (${ids.campaign})`);
    const second = await done(add([ids.spare_number]));
    const path = `/api/v1/campaigns/${second.id}`;
    expect(refusalOf(await member.patch(path, { number_group_items: items(ids.number) }))).toEqual(inUse);
    expect(refusalOf(await member.patch(first, { number_group_items: items(ids.spare_number) }))).toEqual(inUse);
    expect((await done(member.get(path))).number_group_items).toHaveLength(1);
  });

  it("may be listed by inactive ones, of which none can be made active", async () => {
    const { member, ids, add, statusOf } = await openRig();
    const second = await done(add([ids.number], { is_active: false }));
    expect(await statusOf(ids.number)).toEqual(["assigned", ids.campaign]);
    const path = `/api/v1/campaigns/${second.id}`;
    expect(refusalOf(await member.patch(path, { is_active: true }))).toEqual(inUse);
    expect((await done(member.get(path))).is_active).toBe(false);
    await done(member.patch(path, await done(member.get(path))));
  });

  it.each(["is made inactive", "gives it up", "is deleted"])("is free once that one %s", async (how) => {
    const { member, ids, add, statusOf } = await openRig();
    const first = `/api/v1/campaigns/${(await done(add([ids.spare_number]))).id}`;
    const second = await done(add([ids.spare_number], { is_active: false }));
    if (how === "is made inactive") await done(member.patch(first, { is_active: false }));
    else if (how === "gives it up") await done(member.patch(first, { number_group_items: [] }));
    else await done(member.delete(first));
    expect((await statusOf(ids.spare_number))[0]).toBe("available");
    await done(member.patch(`/api/v1/campaigns/${second.id}`, { is_active: true }));
    expect(await statusOf(ids.spare_number)).toEqual(["assigned", second.id]);
  });

  it("has its calls go there, whichever campaign was made first", async () => {
    const { member, ids, add, first } = await openRig();
    const routing_plan_id = ids.routing_plan;
    const second = await done(add([ids.number], { is_active: false, routing_plan_id }));
    await done(member.patch(first, { is_active: false }));
    await done(member.patch(`/api/v1/campaigns/${second.id}`, { is_active: true }));
    const call = { from: "+12125550123", to: phonesOf(member.id).number };
    const { call_id } = await done(member.post("/telephony/simulator/calls", call));
    await vi.waitFor(async () => {
      const { campaign_id } = await done(member.get(`/api/v1/reports/calls/${call_id}`));
      expect(campaign_id).toBe(second.id);
    }, 10_000);
  });

  it("that ten ask for at once is one's", async () => {
    const { ids, add, statusOf } = await openRig();
    const answers = await Promise.all(Array.from({ length: 10 }, () => add([ids.spare_number])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    const [made] = answers.filter(({ status }) => status === 201);
    expect(await statusOf(ids.spare_number)).toEqual(["assigned", made?.body.id]);
  });

  it("is one's though a campaign has thousands of them", { tags: ["slow"] }, async () => {
    const { member, add } = await openRig();
    const about = { org_id: member.id, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
    const ids = Array.from({ length: 2500 }, (_, index) => `${member.id}-${index}`);
    const documents = ids.map((id, index): ConfigInput => {
      return { type: "number", doc: { ...about, id, number: `+1855${5_000_000 + index}` } };
    });
    await member.save(documents);
    const second = await done(add(ids));
    expect(refusalOf(await add([ids[2400] ?? ""]))).toEqual(inUse);
    await done(member.patch(`/api/v1/campaigns/${second.id}`, { is_active: false }));
    await done(add(ids));
  });
});

describe("a number's status", () => {
  it("is what it is used for, and is not written", async () => {
    const { member, ids, statusOf } = await openRig();
    expect(await statusOf(ids.number)).toEqual(["assigned", ids.campaign]);
    expect(await statusOf(ids.spare_number)).toEqual(["available", null]);
    expect(await statusOf(ids.pooled_number)).toEqual(["pooled", null]);
    const patched = await member.patch(`/api/v1/numbers/${ids.spare_number}`, { status: "assigned" });
    expect([patched.status, patched.body.status]).toEqual([200, "available"]);
    for (const [status, id] of [
      ["assigned", ids.number],
      ["available", ids.spare_number],
      ["pooled", ids.pooled_number],
    ]) {
      const { data, meta } = await done(member.get(`/api/v1/numbers?status=${status}`));
      expect([data.map((each: { id: string }) => each.id), meta.total]).toEqual([[id], 1]);
    }
    await done(member.delete(`/api/v1/number-pools/${ids.number_pool}/numbers/${ids.pooled_number}`));
    expect(await statusOf(ids.pooled_number)).toEqual(["available", null]);
    expect((await member.get("/api/v1/numbers?status=released")).status).toBe(422);
  });
});

describe("a number that an organization has", () => {
  it("is refused to every other one, which is not told whose it is", async () => {
    const [one, two] = [await openRig(), await openRig()];
    const { number } = phonesOf(one.member.id);
    const refused = [
      await two.member.post("/api/v1/numbers", { number }),
      await two.member.patch(`/api/v1/numbers/${two.ids.spare_number}`, { number }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.detail.code]).toEqual([409, "number_taken"]);
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`${one.member.id}|Organization \\d`));
    }
    expect(refusalOf(await one.member.post("/api/v1/numbers", { number }))).toEqual([409, "conflict"]);
    const { spare } = phonesOf(one.member.id);
    await done(one.member.delete(`/api/v1/numbers/${one.ids.spare_number}`));
    await done(two.member.post("/api/v1/numbers", { number: spare }));
  });

  it("that ten ask for at once is one's", async () => {
    const members = await Promise.all(Array.from({ length: 10 }, () => join()));
    const number = ownNumber("nobody yet");
    const answers = await Promise.all(members.map((member) => member.post("/api/v1/numbers", { number })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    const codes = answers.flatMap(({ body }) => body.detail?.code ?? []);
    expect(codes).toEqual(Array(9).fill("number_taken"));
  });
});

describe.skipIf(testDatabaseUrl === undefined)("two processes on one PostgreSQL database (TEST_DATABASE_URL)", () => {
  it("give a number to one organization, and to one campaign, that are made at the same time", async () => {
    const { url, remove } = await createDatabase();
    const settings = { DATABASE_URL: url, API_RATE_LIMIT_PER_MIN: "100000" };
    try {
      const here = await openPlatform({
        settings,
        documents: (org) => exampleConfig("https://nobody.example", [], org),
      });
      const there = createClient((await openPlatform({ settings })).url);
      const tellers = [here.post, there.post];
      for (let round = 0; round < 5; round += 1) {
        const number = ownNumber("nobody yet", 200 + round);
        const asked = tellers.flatMap((post) =>
          [here.one, here.two].map(({ key }) => post("/api/v1/numbers", key, { number })),
        );
        const made = (await Promise.all(asked)).filter(({ status }) => status === 201);
        expect(made).toHaveLength(1);
        const owner = [here.one, here.two].find(({ id }) => id === made[0]?.body.org_id);
        const campaign = { name: "Raced", number_group_items: [{ number_id: made[0]?.body.id }] };
        const raced = tellers.flatMap((post) =>
          [1, 2, 3].map(() => post("/api/v1/campaigns", owner?.key ?? "", campaign)),
        );
        const statuses = (await Promise.all(raced)).map(({ status }) => status);
        expect(statuses.toSorted()).toEqual([201, ...Array(5).fill(409)]);
      }
    } finally {
      await remove();
    }
  });
});
