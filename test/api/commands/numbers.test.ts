import { describe, expect, it, vi } from "vitest";
import { orgOne, orgTwo, ownNumber } from "../../make.ts";
import { exampleConfig, openPlatform, storesOf, trackingNumber } from "../../platform.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommandOf } from "./run-command.ts";

const documents = (org: typeof orgOne) => exampleConfig("https://nobody.example", [], org);

async function openRig() {
  const dataDir = temporaryFolder();
  const first = await openPlatform({ dataDir, documents });
  await first.platform.stop();
  const settings = { DATA_DIR: dataDir, ...(await storesOf(dataDir)).settings };
  const numbers = async (line: string) => {
    const { code, out, err } = await runCommandOf("numbers", line.split(" "), settings);
    return { code, out: out.trim(), err: err.trim() };
  };
  return { dataDir, numbers };
}

describe("npm run numbers", () => {
  it("gives a number to another organization, whose calls it has from then on", async () => {
    const { dataDir, numbers } = await openRig();
    const moved = await numbers(`move ${trackingNumber} --to Second`);
    expect([moved.code, moved.err]).toEqual([0, ""]);
    expect(moved.out).toContain(`${trackingNumber} is of Second (${orgTwo}) now, and was of ${orgOne}.`);
    expect((await numbers(`show ${trackingNumber}`)).out.split("\n")).toEqual([
      `${trackingNumber} is of Second (${orgTwo}).`,
      `First (${orgOne}) lists it and does not have it.`,
    ]);
    expect(JSON.parse((await numbers(`show ${trackingNumber} --json`)).out)).toEqual({
      number: trackingNumber,
      organizations: [
        { org_id: orgTwo, name: "Second", is_held: true },
        { org_id: orgOne, name: "First", is_held: false },
      ],
    });
    expect((await numbers(`move ${trackingNumber} --to ${orgTwo}`)).out).toContain("already");
    const again = await numbers(`move ${trackingNumber} --to ${orgTwo} --json`);
    expect(JSON.parse(again.out)).toEqual({
      number: trackingNumber,
      org_id: orgTwo,
      name: "Second",
      moved: false,
      previous_org_id: null,
    });

    const { get, post, one, two } = await openPlatform({ dataDir });
    const rowsOf = async (key: string) =>
      (await get(`/api/v1/numbers?number=${encodeURIComponent(trackingNumber)}`, key)).body.data;
    expect([await rowsOf(one.key), await rowsOf(two.key)]).toMatchObject([[{ is_held: false }], [{ is_held: true }]]);
    const call = { from: "+12125550123", to: trackingNumber };
    const lost = await post("/telephony/simulator/calls", one.key, call);
    expect(lost.body).toMatchObject({ action: "reject", reason: "number_not_found" });
    const number_group_items = [{ number_id: (await rowsOf(two.key))[0].id }];
    const plan = { routing_plan_id: `${orgTwo}-plan` };
    await post("/api/v1/campaigns", two.key, { name: "Moved here", number_group_items, ...plan });
    expect((await post("/telephony/simulator/calls", two.key, call)).body).toMatchObject({ action: "dial" });
    expect((await post("/api/v1/numbers", one.key, { number: trackingNumber })).body.detail.code).toBe("number_taken");
    await vi.waitFor(async () => {
      const { data } = (await get("/api/v1/audit-logs?entity_type=number&actor_id=numbers", one.key)).body;
      expect(data).toMatchObject([{ action: "update", actor: { type: "system" }, changes: [{ field: "is_held" }] }]);
    }, 10_000);
  });

  it("gives it back, to the row that lists it still", { tags: ["slow"] }, async () => {
    const { dataDir, numbers } = await openRig();
    await numbers(`move ${trackingNumber} --to Second`);
    expect((await numbers(`move ${trackingNumber} --to First`)).code).toBe(0);
    const { post, one } = await openPlatform({ dataDir });
    const call = { from: "+12125550123", to: trackingNumber };
    expect((await post("/telephony/simulator/calls", one.key, call)).body).toMatchObject({ action: "dial" });
  });

  it("takes a number out of the pool of the organization that loses it", { tags: ["slow"] }, async () => {
    const { dataDir, numbers } = await openRig();
    const pooled = ownNumber(orgOne, 180);
    const before = await openPlatform({ dataDir });
    const { id: number } = (await before.post("/api/v1/numbers", before.one.key, { number: pooled })).body;
    const { id: pool } = (await before.post("/api/v1/number-pools", before.one.key, { name: "Pool" })).body;
    await before.post(`/api/v1/number-pools/${pool}/numbers`, before.one.key, { number_ids: [number] });
    await before.platform.stop();
    expect((await numbers(`move ${pooled} --to Second`)).code).toBe(0);
    const { get, post, one } = await openPlatform({ dataDir });
    expect((await get(`/api/v1/number-pools/${pool}`, one.key)).body.numbers_count).toBe(0);
    const again = await post(`/api/v1/number-pools/${pool}/numbers`, one.key, { number_ids: [number] });
    expect([again.status, again.body.detail.code]).toEqual([409, "number_taken"]);
  });

  it("refuses in words what it cannot do", async () => {
    const { numbers } = await openRig();
    for (const [line, words, exits] of [
      ["", "show or move", 2],
      ["take +18005550100", "show or move", 2],
      ["move 8005550100 --to First", "E.164", 2],
      ["move +18005550100", "--to", 2],
      ["move +18005550199 --to First", "add it at /api/v1/numbers", 1],
      ["move +18005550100 --to Nobody", "no organization Nobody", 1],
      ["show +18005550100 --to First", "See --help", 2],
    ] as const) {
      const { code, out, err } = await numbers(line);
      expect([code, out], line).toEqual([exits, ""]);
      expect(err, line).toContain(words);
    }
  });
});
