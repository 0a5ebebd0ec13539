import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newClickhouseUrl } from "../../clickhouse-server.ts";
import { orgOne } from "../../make.ts";
import { createClient, openPlatform, storesOf } from "../../platform.ts";
import { biUsers, policedDatabase } from "../../services/clickhouse-users.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openPoliced } from "../../warehouse/guarded/policed.ts";
import { runCommandOf } from "./run-command.ts";

/**
 * A server that keeps users, as far as the command sees one: what is made is there until it is dropped. No build of
 * ClickHouse that comes with npm keeps users that SQL makes; what the real one makes of the statements is tried in
 * test/warehouse/bi-users.
 */
async function openUserStore() {
  const statements: string[] = [];
  const users = new Map<string, { org_id: string; username: string; database: string }>();
  const answerTo = (statement: string): readonly object[] => {
    const [, database, orgId] = /^CREATE DATABASE IF NOT EXISTS `(.+?)` COMMENT '(.+)'/.exec(statement) ?? [];
    if (database && orgId) users.set(database, { org_id: orgId, username: database, database });
    const [, dropped] = /^DROP DATABASE IF EXISTS `(.+?)`/.exec(statement) ?? [];
    if (dropped) users.delete(dropped);
    return statement.includes("FROM system.users") ? [...users.values()] : [];
  };
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? "", "http://a").searchParams.get("query") ?? "";
    const statement = `${asked}${await text(request)}`.trim();
    statements.push(statement);
    response.end(
      answerTo(statement)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { url: `http://trunkline:for-tests@127.0.0.1:${port}`, statements };
}

describe("npm run bi-users", () => {
  it("makes a user, gives it another password, removes it, and has the audit log tell of each", async () => {
    const dataDir = temporaryFolder();
    const { settings: stores } = await storesOf(dataDir);
    const { platform, one } = await openPlatform({ dataDir });
    await platform.stop();
    const { url: CLICKHOUSE_URL, statements } = await openUserStore();
    const run = (...args: string[]) =>
      runCommandOf("bi-users", [...args, "--json"], { DATA_DIR: dataDir, ...stores, CLICKHOUSE_URL });
    const created = await run("create", "--org", "First");
    expect([created.code, created.err]).toEqual([0, `organization First (${orgOne})\n`]);
    const { username, password, database } = JSON.parse(created.out).bi_user;
    expect((await run("create", "--org", "First")).err).toContain("has a user for BI tools already");
    expect(JSON.parse((await run("list")).out).bi_users).toEqual([{ org_id: orgOne, username, database }]);
    const rotated = JSON.parse((await run("rotate", "--org", "First")).out).bi_user;
    expect(rotated.password).not.toBe(password);
    expect((await run("revoke", "--org", "Second")).code).toBe(1);
    expect((await run("revoke", "--org", "First")).code).toBe(0);
    expect(JSON.parse((await run("list")).out).bi_users).toEqual([]);
    expect(statements.join("\n")).not.toMatch(new RegExp(`${password}|${rotated.password}`));

    const again = await openPlatform({ dataDir });
    const { get } = createClient(again.url);
    await vi.waitFor(async () => {
      const log = await get("/api/v1/audit-logs?entity_type=bi_user&sort_direction=asc", one.key);
      const told = log.body.data.map(({ action, entity_id, actor, changes }: Record<string, unknown>) => {
        expect([entity_id, actor, changes]).toMatchObject([
          username,
          { type: "system", id: "bi-users" },
          [{ field: "password" }],
        ]);
        return action;
      });
      expect(told).toEqual(["create", "rotate_key", "delete"]);
      expect(JSON.stringify(log.body)).not.toMatch(new RegExp(`${password}|${rotated.password}`));
    });
  });

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
