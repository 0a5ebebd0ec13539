import { describe, expect, it } from "vitest";
import { newClickhouseUrl } from "../../clickhouse-server.ts";
import { orgOne } from "../../make.ts";
import { openPlatform, storesOf } from "../../platform.ts";
import { biUsers, policedDatabase } from "../../services/clickhouse-users.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openPoliced } from "../../warehouse/guarded/policed.ts";
import { runCommandOf } from "./run-command.ts";

describe("npm run bi-users", () => {
  it.each([
    [["create"], "--org is missing: give an organization's id or name. See --help.", 2],
    [["list", "--org", "Acme"], "list does not take --org. See --help.", 2],
    [["list", "more"], "list takes no more arguments. See --help.", 2],
    [["make"], "Give an action: create, list, rotate, revoke, refresh. See --help.", 2],
    [["list"], "CLICKHOUSE_URL is not set: the embedded warehouse has no users.", 1],
  ] as const)("%s: %s", async (args, sentence, code) => {
    const result = await runCommandOf("bi-users", args, {});
    expect([result.code, result.out]).toEqual([code, ""]);
    expect(result.err).toContain(sentence);
  });

  it("lists users, and says of what a server lacks that keeps none", { tags: ["clickhouse"] }, async () => {
    const dataDir = temporaryFolder();
    const { platform } = await openPlatform({ dataDir });
    await platform.stop();
    const { warehouse } = await openPoliced();
    await warehouse.close();
    const settings = {
      DATA_DIR: dataDir,
      ...(await storesOf(dataDir)).settings,
      CLICKHOUSE_URL: await newClickhouseUrl(undefined, policedDatabase),
    };
    const run = (...args: string[]) => runCommandOf("bi-users", args, settings);
    const created = await run("create", "--org", "First");
    expect([created.code, created.out]).toEqual([1, ""]);
    expect(created.err).toContain(`organization First (${orgOne})`);
    // Where its views are there from another test, it has one already.
    expect(created.err).toMatch(/has a user for BI tools already|has no place for users that SQL makes/);
    const listed = await run("list", "--json");
    expect(listed.code).toBe(0);
    const { bi_users } = JSON.parse(listed.out);
    const known = Object.values(biUsers).map(({ username }) => username);
    for (const user of bi_users) expect(known).toContain(user.username);
    expect((await run("rotate", "--org", "Second")).code).toBe(1);
  });
});
