import { describe, expect, it, vi } from "vitest";
import { foundCompany } from "../company.ts";
import { done, usePlatform } from "../use-platform.ts";

const { join } = usePlatform();

async function openRig() {
  const member = await join();
  const ids = await foundCompany(member);
  const pool = `/api/v1/number-pools/${ids.number_pool}`;
  return {
    member,
    ids,
    pool,
    add: (...number_ids: string[]) => member.post(`${pool}/numbers`, { number_ids }),
    size: async () => (await done(member.get(pool))).numbers_count,
    stats: () => done(member.get(`${pool}/stats`)),
    number: (id: string) => done(member.get(`/api/v1/numbers/${id}`)),
  };
}

describe("a number pool", () => {
  it("takes numbers in, counts and lists them, and lets them go", async () => {
    const { add, ids, pool, member, number, size } = await openRig();
    expect(await done(add(ids.spare_number, ids.spare_number))).toMatchObject({
      id: ids.number_pool,
      numbers_count: 2,
    });
    expect(await number(ids.spare_number)).toMatchObject({ number_pool_id: ids.number_pool, status: "pooled" });
    const { data, meta } = await done(member.get(`${pool}/numbers?sort_direction=asc`));
    const members = data.map(({ id }: { id: string }) => id);
    expect(members.toSorted()).toEqual([ids.spare_number, ids.pooled_number].toSorted());
    expect(meta).toMatchObject({ total: 2, count: 2 });
    expect(await done(member.delete(`${pool}/numbers/${ids.spare_number}`))).toMatchObject({ numbers_count: 1 });
    expect(await number(ids.spare_number)).toMatchObject({ number_pool_id: null, status: "available" });
    expect((await member.delete(`${pool}/numbers/${ids.spare_number}`)).status).toBe(404);
    expect(await size()).toBe(1);
  });

  it("takes all of the numbers or none", async () => {
    const { add, ids, number, size } = await openRig();
    expect((await add(ids.spare_number, "nobody")).status).toBe(404);
    const twice = await add(ids.spare_number, ids.pooled_number);
    expect([twice.status, twice.body.detail.code]).toEqual([409, "conflict"]);
    expect([await size(), (await number(ids.spare_number)).number_pool_id]).toEqual([1, null]);
  });

  it("does not take a number that is in another one", async () => {
    const { ids, member } = await openRig();
    const second = await done(member.post("/api/v1/number-pools", { name: "Second" }));
    const refused = await member.post(`/api/v1/number-pools/${second.id}/numbers`, { number_ids: [ids.pooled_number] });
    expect(refused.status).toBe(409);
    expect(refused.body.detail.message).toContain("one pool only");
  });

  it("does not grow beyond its size, nor is its size set below what it has", async () => {
    const { add, ids, member, pool } = await openRig();
    await done(member.patch(pool, { max_size: 1 }));
    expect((await add(ids.spare_number)).status).toBe(409);
    expect((await member.patch(pool, { max_size: 0 })).status).toBe(409);
    await done(member.patch(pool, { max_size: 2 }));
    await done(add(ids.spare_number));
  });

  it("is not deleted while it has numbers, nor a number while it is in one", async () => {
    const { ids, member, pool } = await openRig();
    const refused = [await member.delete(pool), await member.delete(`/api/v1/numbers/${ids.pooled_number}`)];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect(refused[0]?.body.detail.message).toContain("1 number");
    await done(member.delete(`${pool}/numbers/${ids.pooled_number}`));
    await done(member.delete(`/api/v1/numbers/${ids.pooled_number}`));
    await done(member.delete(pool));
  });

  it("tells what its numbers are doing, and how often it was found empty", async () => {
    const { add, ids, member, pool, stats } = await openRig();
    await done(add(ids.spare_number));
    const none = { allocated: 0, quarantined: 0, exhausted_count_24h: 0 };
    expect(await stats()).toEqual({ size: 2, free: 2, ...none });
    await done(member.patch(pool, { hold_seconds: 60 }));
    const ping = (caller: string) => done(member.get(`/inbound_rtb/${ids.public_inbound_rtb}?cid=${caller}`));
    const [first] = (await ping("2125550101")).eligible_routes;
    expect(await stats()).toEqual({ size: 2, free: 1, ...none, allocated: 1 });
    await done(member.post("/telephony/simulator/calls", { from: "+12125550101", to: first.number }));
    expect(await stats()).toEqual({ size: 2, free: 1, ...none, quarantined: 1 });
    await ping("2125550102");
    expect((await ping("2125550103")).eligible_routes).toEqual([]);
    // It is counted behind the answer.
    await vi.waitFor(async () => {
      expect(await stats()).toEqual({ size: 2, free: 0, allocated: 1, quarantined: 1, exhausted_count_24h: 1 });
    }, 5000);
  });

  it("does not count a number as free that an inbound RTB receives on", async () => {
    const { add, ids, member, stats } = await openRig();
    await done(add(ids.spare_number));
    const receive = (receive_mode: string) =>
      done(
        member.patch(`/api/v1/inbound-rtb/${ids.public_inbound_rtb}`, {
          receive_mode,
          receive_number_id: ids.spare_number,
        }),
      );
    await receive("static_standard");
    expect(await stats()).toMatchObject({ size: 2, free: 1 });
    await receive("dynamic");
    expect(await stats()).toMatchObject({ size: 2, free: 2 });
  });

  it("counts right when many numbers come at once", async () => {
    const { add, member, size } = await openRig();
    const made = [];
    for (let line = 0; line < 10; line += 1) {
      made.push((await done(member.post("/api/v1/numbers", { number: `+1877555010${line}` }))).id);
    }
    await Promise.all(made.map((id) => done(add(id))));
    expect(await size()).toBe(11);
  });

  it("refuses a list of numbers that is none", async () => {
    const { member, pool } = await openRig();
    const many = Array.from({ length: 501 }, (_, index) => `n${index}`);
    const refusals: [unknown, (string | number)[]][] = [
      [{ number_ids: [] }, ["body", "number_ids"]],
      [{ number_ids: many }, ["body", "number_ids"]],
      [{ number_ids: [5] }, ["body", "number_ids", 0]],
      [{}, ["body", "number_ids"]],
    ];
    for (const [body, loc] of refusals) {
      const refused = await member.post(`${pool}/numbers`, body);
      expect([refused.status, refused.body.detail[0].loc]).toEqual([422, loc]);
    }
  });
});
