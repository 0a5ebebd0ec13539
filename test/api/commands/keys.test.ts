import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { describe, expect, it, vi } from "vitest";
import { keyAreas } from "../../../api/serve/areas.ts";
import { createClient, openPlatform, storesOf } from "../../platform.ts";
import { testDatabaseUrl } from "../../postgres-server.ts";
import { killAfterWriting } from "../../sql/killed-sqlite.ts";
import { temporaryFolder } from "../../temporary.ts";
import { type CommandResult, runCommandOf, spawnCommand } from "./run-command.ts";

type Run = (line: string, settings?: Record<string, string>) => Promise<CommandResult>;

const trimmed = ({ code, out, err }: CommandResult): CommandResult => ({ code, out: out.trim(), err: err.trim() });
/** What the platform on that folder is opened with, too. */
const settingsOf = async (dataDir: string) => ({ DATA_DIR: dataDir, ...(await storesOf(dataDir)).settings });
const keys = async (dataDir: string, ...[line, settings]: Parameters<Run>) =>
  trimmed(await runCommandOf("keys", line.split(" "), { ...(await settingsOf(dataDir)), ...settings }));
/** Where it matters that the command is a process. */
const spawnKeys = async (dataDir: string, line: string) =>
  trimmed(await spawnCommand("keys", { args: line.split(" "), settings: await settingsOf(dataDir) }));
const keyIn = (out: string): string => /tl_[\w-]{43}/.exec(out)?.[0] ?? "";
const idIn = (out: string): string => /^id +(\S+)$/m.exec(out)?.[1] ?? "";

describe("npm run keys", () => {
  it("makes an empty folder one that the platform can be used on: an organization, its admin key, a token", {
    tags: ["slow"],
  }, async () => {
    const dataDir = join(temporaryFolder(), "data");
    const created = await spawnKeys(dataDir, "create --org Acme --new-org --admin --name first");
    expect([created.code, created.err]).toEqual([0, ""]);
    expect(created.out).toContain("Acme (org_");
    const token = await keys(dataDir, "token --org Acme --user ann");
    expect([token.code, token.err]).toEqual([0, ""]);

    const { url } = await openPlatform({ dataDir });
    const { get, post, ask } = createClient(url);
    const listed = await get("/api/v1/api-keys", keyIn(created.out));
    expect([listed.status, listed.body.data]).toMatchObject([200, [{ name: "first", is_admin: true }]]);
    expect((await post("/api/v1/buyers", keyIn(created.out), { name: "Sunny" })).status).toBe(201);
    expect((await ask("calls today", token.out)).status).toBe(200);

    const meanwhile = await spawnKeys(dataDir, "create --org Acme --name second");
    if (testDatabaseUrl === undefined) {
      expect([meanwhile.code, meanwhile.out]).toEqual([1, ""]);
      expect(meanwhile.err).toContain("in use by another process");
      expect(meanwhile.err).toContain("does so itself: /api/v1/api-keys");
      expect((await keys(dataDir, "token --org Acme")).err).toContain(
        "it does so itself: /api/v1/access-tokens with an admin key",
      );
    } else {
      expect([meanwhile.code, meanwhile.err]).toEqual([0, ""]);
      await vi.waitFor(async () => expect((await get("/api/v1/buyers", keyIn(meanwhile.out))).status).toBe(200));
    }
  });

  it("lists, rotates and revokes keys by the organization's name or id", async () => {
    const dataDir = temporaryFolder();
    const { out } = await keys(dataDir, "create --org Acme --new-org");
    const [, orgId = ""] = /\((org_[\w-]+)\)/.exec(out) ?? [];
    const rotated = await keys(dataDir, `rotate ${idIn(out)} --org ${orgId} --grace 60`);
    expect([rotated.code, keyIn(rotated.out)]).toEqual([0, expect.not.stringMatching(`^(${keyIn(out)})?$`)]);
    const revoked = await keys(dataDir, `revoke ${idIn(rotated.out)} --org Acme`);
    expect([revoked.code, revoked.out]).toEqual([0, expect.stringContaining("revoked 20")]);
    const listed = (await keys(dataDir, "list --org Acme")).out.split("\n");
    expect(listed).toHaveLength(2);
    expect(listed.find((line) => line.startsWith(idIn(out)))).toContain("until 20");
    expect(listed.join()).not.toContain(keyIn(out));
    const blank = await runCommandOf("keys", ["create", "--org", "Acme", "--name", " "], await settingsOf(dataDir));
    expect([blank.code, blank.err]).toEqual([
      2,
      expect.stringContaining("--name must be a name of 1 to 255 characters"),
    ]);
    const again = await keys(dataDir, `rotate ${idIn(rotated.out)} --org Acme`);
    expect([again.code, again.err]).toEqual([1, `Acme has no key ${idIn(rotated.out)} that has not been revoked.`]);
  });

  it("makes keys for some things and from some addresses alone, and lists what each may do", async () => {
    const dataDir = temporaryFolder();
    const scoped = "--scope reports:read,config:write --allow-from 203.0.113.7/24,::1";
    const { code, out } = await keys(dataDir, `create --org Acme --new-org --admin ${scoped}`);
    const rights = "(admin; config:write reports:read; from 203.0.113.0/24 ::1/128)";
    expect([code, out]).toEqual([0, expect.stringContaining(`name          api key ${rights}`)]);
    await keys(dataDir, `rotate ${idIn(out)} --org Acme`);
    const listed = (await keys(dataDir, "list --org Acme")).out.split("\n");
    expect(listed.map((line) => line.endsWith(rights))).toEqual([true, true]);
    const { api_keys } = JSON.parse((await keys(dataDir, "list --org Acme --json")).out);
    expect(api_keys[0]).toMatchObject({
      scopes: ["config:write", "reports:read"],
      allow_from: ["203.0.113.0/24", "::1/128"],
    });
    expect(await keys(dataDir, "create --org Acme --scope everything")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--scope everything is none: give some of read, write, config:read/),
    });
    expect(await keys(dataDir, "create --org Acme --allow-from office")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--allow-from office is none"),
    });
  });

  it("tells programs the same as JSON", async () => {
    const dataDir = temporaryFolder();
    const { api_key } = JSON.parse((await keys(dataDir, "create --org Acme --new-org --json")).out);
    expect(api_key).toMatchObject({ key: expect.stringMatching(/^tl_/), name: "api key", is_admin: false });
    const { id, org_id } = api_key;
    const rotated = JSON.parse((await keys(dataDir, `rotate ${id} --org Acme --json`)).out);
    expect(rotated.api_key.key).toMatch(/^tl_/);
    const revoked = JSON.parse((await keys(dataDir, `revoke ${id} --org Acme --json`)).out);
    expect(revoked.api_key).toMatchObject({ id, revoked_at: expect.stringContaining("T") });
    const { api_keys } = JSON.parse((await keys(dataDir, "list --org Acme --json")).out);
    expect(api_keys).toMatchObject([{ id: rotated.api_key.id }, { id }]);
    expect(JSON.stringify(api_keys)).not.toContain(api_key.key);
    const token = JSON.parse((await keys(dataDir, "token --org Acme --json")).out);
    expect(token).toMatchObject({ org_id, user_id: "analyst", role: "analyst" });
    expect(decodeJwt(token.access_token)).toMatchObject({ sub: "analyst" });
    const failed = await keys(dataDir, "list --org Nobody --json");
    expect(failed).toMatchObject({ code: 1, out: "" });
  });

  it("says in one line what is wrong, and leaves a folder without an installation as it is", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const wrong: [line: string, expected: string, code: number][] = [
      ["make --org Acme", "create, list, rotate, revoke, token", 2],
      ["list --org Acme --admin", "list does not take --admin", 2],
      ["create --org Acme --colour red", "--colour", 2],
      ["create --org Acme", "--new-org", 1],
    ];
    const answers = await Promise.all(wrong.map(([line]) => keys(dataDir, line)));
    for (const [index, [line, expected, code]] of wrong.entries()) {
      expect(answers[index], line).toEqual({ code, out: "", err: expect.stringContaining(expected) });
      expect(answers[index]?.err.split("\n"), line).toHaveLength(1);
    }
    expect(existsSync(dataDir)).toBe(false);
  });

  it("says which organizations there are, and that one is there already", async () => {
    const dataDir = temporaryFolder();
    await keys(dataDir, "create --org Acme --new-org");
    expect((await keys(dataDir, "list --org Acne")).err).toMatch(/^There is no organization Acne\. .*Acme \(org_/);
    expect((await keys(dataDir, "create --org Acme --new-org")).err).toContain("leave out --new-org");
    const named = { JWT_ISSUER: "https://id.example", JWT_AUDIENCE: "trunkline" };
    const provider = { JWT_JWKS_URL: "https://id.example/jwks", ...named };
    expect((await keys(dataDir, "token --org Acme", provider)).err).toContain("identity provider");
    expect((await keys(dataDir, "rotate x --org Acme --grace soon")).err).toContain("--grace soon");
    expect((await keys(dataDir, "token --org Acme --role owner")).err).toContain("give viewer, analyst, admin");
    const token = (await keys(dataDir, "token --org Acme --role admin")).out;
    expect(decodeJwt(token)).toMatchObject({ sub: "analyst", role: "admin" });
  });

  it("lists the tokens of an organization or a user, and revokes one", async () => {
    const dataDir = temporaryFolder();
    const admin = keyIn((await keys(dataDir, "create --org Acme --new-org --admin")).out);
    const issued = JSON.parse((await keys(dataDir, "token --org Acme --user ann --json")).out);
    expect(decodeJwt(issued.access_token)).toMatchObject({ jti: issued.id });
    const others = await keys(dataDir, "token --org Acme --user ben --role viewer");
    const listed = JSON.parse((await keys(dataDir, "tokens --org Acme --json")).out).access_tokens;
    expect(listed.map(({ user }: { user: string }) => user).toSorted()).toEqual(["ann", "ben"]);
    const ofBen = (await keys(dataDir, "tokens --org Acme --user ben")).out;
    expect(ofBen).toMatch(/^[\w-]{36} {2}until .* ben \(viewer\)$/);
    expect(JSON.stringify(listed) + ofBen).not.toContain(others.out.split(".")[2]);
    expect((await keys(dataDir, `revoke-token ${issued.id} --org Acme`)).out).toMatch(/revoked .* ann \(analyst\)$/);
    expect((await keys(dataDir, "tokens --org Acme --user ann")).out).toContain("revoked");
    expect((await keys(dataDir, "revoke-token nobodys --org Acme")).err).toContain("Acme has no token nobodys");
    const { url } = await openPlatform({ dataDir });
    const { get, ask } = createClient(url);
    expect((await ask("calls today", issued.access_token)).status).toBe(401);
    expect((await ask("calls today", others.out)).status).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await get(`/api/v1/audit-logs?entity_id=${issued.id}&action=delete`, admin);
      expect(body.data).toMatchObject([{ actor: { id: "keys" }, entity_name: "ann" }]);
    });
  });

  it("tells with --help how it is used", async () => {
    const { code, out, err } = await keys(temporaryFolder(), "--help");
    expect([code, err]).toEqual([0, ""]);
    for (const word of ["create", "list", "rotate", "revoke", "token", "--new-org", "DATA_DIR", ...keyAreas]) {
      expect(out).toContain(word);
    }
  });

  it.skipIf(testDatabaseUrl !== undefined)("opens no config that is damaged, and leaves it as it is", async () => {
    const dataDir = temporaryFolder();
    const path = join(dataDir, "platform.sqlite");
    killAfterWriting(path, 5);
    writeFileSync(`${path}-wal`, "garbage");
    const { code, out, err } = await keys(dataDir, "list --org Acme");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`${path} is damaged`);
    expect(readFileSync(`${path}-wal`, "utf8")).toBe("garbage");
  });
});
