import { describe, expect, it } from "vitest";
import { createTokenStore } from "../../../api/config/issued-tokens.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { orgOne, orgTwo } from "../../make.ts";
import { openConfig } from "./rig.ts";

const hourMs = 60 * 60 * 1000;

async function openRig() {
  const config = await openConfig();
  const { database, clock } = config;
  const tokens = createTokenStore(database, clock);
  const add = (id: string, { orgId = orgOne, userId = "ann", hours = 1 } = {}) =>
    tokens.add({ id, orgId, userId, role: "viewer", expiresAt: isoTime(clock.now() + hours * hourMs) });
  const idsOf = async (...asked: Parameters<typeof tokens.list>) => (await tokens.list(...asked)).map(({ id }) => id);
  const countRows = async () => Number((await database.query("SELECT count(*) AS n FROM access_tokens"))[0]?.["n"]);
  return { ...config, tokens, add, idsOf, countRows };
}

describe("the tokens that were issued", () => {
  it("are those of an organization that have not expired, newest first", async () => {
    const { add, idsOf, clock, countRows } = await openRig();
    await add("short");
    clock.advance(1);
    await add("long", { hours: 2 });
    await add("of another user", { userId: "ben", hours: 2 });
    await add("of another organization", { orgId: orgTwo, hours: 2 });
    expect(await idsOf(orgOne, "ann")).toEqual(["long", "short"]);
    clock.advance(hourMs);
    expect(await idsOf(orgOne, "ann")).toEqual(["long"]);
    expect(await idsOf(orgOne)).toHaveLength(2);
    expect(await countRows()).toBe(4);
    await add("new");
    expect(await countRows()).toBe(4);
  });

  it("are counted and cut to pages", async () => {
    const { add, tokens } = await openRig();
    for (const id of ["a", "b", "c"]) await add(id);
    const { tokens: page, total } = await tokens.page(orgOne, { limit: 1, offset: 1, direction: "asc" });
    expect([page.map(({ id }) => id), total]).toEqual([["b"], 3]);
  });

  it("are refused by the snapshot once revoked, those of other organizations by the same id not", async () => {
    const { add, tokens, snapshot, clock } = await openRig();
    await add("same");
    await add("same", { orgId: orgTwo });
    expect(await tokens.revoke(orgOne, "same")).toMatchObject({ id: "same", revoked_at: isoTime(clock.now()) });
    await snapshot.settled();
    expect([orgOne, orgTwo].map((orgId) => snapshot.isRevokedToken(orgId, "same"))).toEqual([true, false]);
    clock.advance(1);
    expect((await tokens.revoke(orgOne, "same"))?.revoked_at).toBe(isoTime(clock.now() - 1));
    clock.advance(hourMs);
    expect(await tokens.revoke(orgTwo, "same")).toBeNull();
  });

  it("are ten thousand of an organization at the most", async () => {
    const { add, database } = await openRig();
    await database.query(`INSERT INTO access_tokens (org_id, id, user_id, role, created_at, expires_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
      SELECT '${orgOne}', 'token-' || i, 'ann', 'viewer', '2026', '9' FROM n`);
    await add("the last");
    await expect(add("one more")).rejects.toMatchObject({ status: 409 });
    await add("of another organization", { orgId: orgTwo });
  });
});
