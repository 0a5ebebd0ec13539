import { decodeJwt } from "jose";
import { pino } from "pino";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { startPlatform } from "../../../api/compose.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { orgOne } from "../../make.ts";
import { createClient } from "../../platform.ts";
import { temporaryFolder } from "../../temporary.ts";
import { done, type Member, memberClient, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();
const path = "/api/v1/access-tokens";

let owner: Member;
beforeAll(async () => {
  owner = await join();
});

const asUser = (token: string, method: string, to: string, body?: unknown) =>
  memberClient(rig().url, "").send(method, to, { headers: { Authorization: `Bearer ${token}` }, body });
async function keyWith(limits: object): Promise<Omit<Member, "id" | "keyId" | "token" | "save">> {
  const { key } = await done(owner.post("/api/v1/api-keys", { name: "limited", is_admin: true, ...limits }));
  return memberClient(rig().url, key);
}

describe("an access token that an admin key has issued", () => {
  it("is good at once, for its organization, in its role, for the time that was asked", async () => {
    const issued = await done(owner.post(path, { user: "ann", role: "viewer", expires_in_seconds: 3600 }));
    expect(issued).toMatchObject({ user: "ann", role: "viewer", id: expect.any(String) });
    const { iat = 0, ...claims } = decodeJwt(issued.access_token);
    expect(claims).toMatchObject({ sub: "ann", org_id: owner.id, role: "viewer", jti: issued.id, exp: iat + 3600 });
    expect(Math.abs(Date.parse(issued.expires_at) / 1000 - iat - 3600)).toBeLessThan(5);
    expect((await asUser(issued.access_token, "GET", "/v1/organization")).body).toMatchObject({ id: owner.id });
    const saving = await asUser(issued.access_token, "POST", "/reporting_ai/saved", {});
    expect([saving.status, saving.body.detail]).toEqual([
      403,
      { code: "forbidden", message: "Only an analyst or admin of your organization may do this." },
    ]);
  });

  it("is an analyst's for thirty days unless something else is asked, and for 90 days at most", async () => {
    const { role, access_token } = await done(owner.post(path, { user: "ann" }));
    const { iat = 0, exp } = decodeJwt(access_token);
    expect([role, exp]).toEqual(["analyst", iat + 30 * 86_400]);
    for (const expires_in_seconds of [0, 59, 90 * 86_400 + 1, 1e12])
      expect((await owner.post(path, { user: "ann", expires_in_seconds })).status).toBe(422);
  });

  it("is in the audit log by user, role and end, and nowhere by itself", async () => {
    const { id, access_token, expires_at } = await done(owner.post(path, { user: "audited", role: "admin" }));
    await vi.waitFor(
      async () => {
        const answer = await done(owner.get(`/api/v1/audit-logs?entity_type=access_token&entity_id=${id}`));
        expect(answer.data).toMatchObject([
          {
            action: "create",
            actor: { type: "api_key", id: owner.keyId },
            entity_name: "audited",
            changes: [
              { field: "user", old: null, new: "audited" },
              { field: "role", old: null, new: "admin" },
              { field: "expires_at", old: null, new: expires_at },
            ],
          },
        ]);
        expect(JSON.stringify(answer)).not.toContain(access_token.split(".")[2]);
      },
      { timeout: 60_000 },
    );
  });

  it("is issued by admin keys alone, and by none that may less than the token would", async () => {
    const plain = memberClient(rig().url, (await done(owner.post("/api/v1/api-keys", { name: "plain" }))).key);
    expect((await plain.post(path, { user: "ann" })).body.detail.code).toBe("forbidden");
    const asked: [limits: object, role: string, status: number][] = [
      [{ scopes: ["keys:write"] }, "viewer", 403],
      [{ scopes: ["read", "keys:write"] }, "viewer", 403],
      [{ scopes: ["read"] }, "viewer", 403],
      [{ scopes: ["write"] }, "admin", 201],
      [{ allow_from: ["127.0.0.1", "::1"] }, "viewer", 403],
    ];
    for (const [limits, role, status] of asked) {
      const answer = await (await keyWith(limits)).post(path, { user: "ann", role });
      expect([limits, answer.status]).toEqual([limits, status]);
      if (status === 403) expect(answer.body.detail.code).toBe("insufficient_scope");
    }
  });

  it("is of no use for keys: a user cannot issue tokens", async () => {
    const { access_token } = await done(owner.post(path, { user: "boss", role: "admin" }));
    expect((await asUser(access_token, "POST", path, { user: "ann" })).status).toBe(401);
  });
});

describe("an access token that was issued", () => {
  const listed = (query = "") => done(owner.get(`${path}${query}`));

  it("is listed until it expires, for all users or for one, without itself", async () => {
    const mine = await done(owner.post(path, { user: "listed", role: "viewer", expires_in_seconds: 60 }));
    const { access_token, ...shown } = mine;
    const { data, meta } = await listed("?user=listed");
    expect(data).toEqual([{ ...shown, created_at: expect.any(String), revoked_at: null }]);
    expect(meta.total).toBe(1);
    expect(JSON.stringify(await listed())).not.toContain(access_token.split(".")[2]);
    expect((await listed()).data.map(({ id }: { id: string }) => id)).toContain(shown.id);
    expect((await done((await join()).get(`${path}?user=listed`))).data).toEqual([]);
  });

  it("is refused everywhere from the moment that it is revoked, and the user's others are not", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => done(owner.post(path, { user: "leaver" }))));
    const organization = (token: string) => asUser(token, "GET", "/v1/organization").then(({ status }) => status);
    const tools = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const mcp = (token: string) => asUser(token, "POST", "/mcp", tools).then(({ status }) => status);
    expect(await organization(first.access_token)).toBe(200);
    expect(await mcp(first.access_token)).not.toBe(401);
    expect(await done(owner.delete(`${path}/${first.id}`))).toEqual({ success: true, id: first.id });
    expect(await organization(first.access_token)).toBe(401);
    expect(await mcp(first.access_token)).toBe(401);
    expect(await organization(second.access_token)).toBe(200);
    const { data } = await listed("?user=leaver");
    expect(data.map(({ revoked_at }: { revoked_at: unknown }) => revoked_at === null)).toEqual(
      data.map(({ id }: { id: string }) => id !== first.id),
    );
  });

  it("is revoked once, by its own organization, and the audit log tells who did", async () => {
    const { id } = await done(owner.post(path, { user: "once" }));
    expect((await (await join()).delete(`${path}/${id}`)).status).toBe(404);
    for (const _ of [1, 2]) expect((await owner.delete(`${path}/${id}`)).status).toBe(200);
    expect((await owner.delete(`${path}/nobodys`)).status).toBe(404);
    const log = `/api/v1/audit-logs?entity_type=access_token&entity_id=${id}&action=delete`;
    await vi.waitFor(
      async () =>
        expect((await done(owner.get(log))).data).toMatchObject([
          { actor: { id: owner.keyId }, entity_name: "once", changes: [{ field: "revoked_at", old: null }] },
        ]),
      { timeout: 60_000 },
    );
  });
});

it("is not issued where an identity provider is the one to do it", async () => {
  const provider = { JWT_JWKS_URL: "https://id.example/keys", JWT_ISSUER: "https://id.example", JWT_AUDIENCE: "us" };
  const settings = readSettings({ DATA_DIR: temporaryFolder(), PORT: "0", ...provider });
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  try {
    await platform.config.saveOrganization({ id: orgOne, name: "One", timezone: "UTC" });
    const { key } = await platform.apiKeys.issue(orgOne, "admin", { isAdmin: true });
    const answer = await createClient(await platform.listen()).post(path, key, { user: "ann" });
    expect([answer.status, answer.body.detail.code]).toEqual([409, "conflict"]);
    expect(answer.body.detail.message).toContain("identity provider");
  } finally {
    await platform.stop();
  }
});
