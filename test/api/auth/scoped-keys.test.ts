import { beforeAll, describe, expect, it, vi } from "vitest";
import { foundCompany, phonesOf } from "../company.ts";
import { done, type Member, memberClient, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform({ settings: { TRUST_PROXY: "loopback" } });

let owner: Member;
beforeAll(async () => {
  owner = await join();
});

type Limits = { scopes?: string[] | null; allow_from?: string[] | null; is_admin?: boolean };
const create = async (limits: Limits, by: Pick<Member, "post"> = owner) =>
  by.post("/api/v1/api-keys", { name: "limited", ...limits });
async function clientWith(limits: Limits) {
  const { id, key } = await done(create(limits));
  return { id, ...memberClient(rig().url, key) };
}
const told = ({ status, body }: { status: number; body: { detail: { code: string; message: string } } }) => [
  status,
  body.detail.code,
  body.detail.message,
];

describe("a restricted API key", () => {
  it("is shown with its scopes, its ranges as networks, and keeps both when it is rotated", async () => {
    const given = {
      scopes: ["reports:read", "config:write"],
      allow_from: ["10.1.2.3/8", "2001:DB8::/32", "10.0.0.0/8"],
    };
    const { id, key: _key, ...shown } = await done(create(given));
    const limits = { scopes: ["config:write", "reports:read"], allow_from: ["10.0.0.0/8", "2001:db8::/32"] };
    expect(shown).toMatchObject(limits);
    expect(await done(owner.post(`/api/v1/api-keys/${id}/rotate`, {}))).toMatchObject(limits);
    const { data } = await done(owner.get("/api/v1/api-keys?limit=100"));
    expect(data.filter((each: { name: string }) => each.name === "limited")).toMatchObject([limits, limits]);
  });

  it("has everything and is used from anywhere when nothing is said, as keys of before are", async () => {
    const plain = await clientWith({});
    expect(await done(owner.get("/api/v1/api-keys?limit=100"))).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: plain.id, scopes: null, allow_from: null })]),
    });
    expect((await plain.post("/api/v1/buyers", { name: "Sunny" })).status).toBe(201);
  });

  it.each<[limits: object, loc: (string | number)[], type: string]>([
    [{ scopes: [] }, ["scopes"], "list_too_short"],
    [{ scopes: ["reports"] }, ["scopes", 0], "enum"],
    [{ scopes: ["conversations:read"] }, ["scopes", 0], "enum"],
    [{ allow_from: [] }, ["allow_from"], "list_too_short"],
    [{ allow_from: ["10.0.0.0/8", "10.0.0.0/40"] }, ["allow_from", 1], "address_range"],
  ])("is not made with %j", async (limits, loc, type) => {
    const { status, body } = await create(limits as Limits);
    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ["body", ...loc], type })]]);
  });

  it("says what it lacks, and that there is nothing of another organization only within its scope", async () => {
    const reader = await clientWith({ scopes: ["config:read"] });
    const buyer = await done((await join()).post("/api/v1/buyers", { name: "Theirs" }));
    expect(told(await reader.get(`/api/v1/buyers/${buyer.id}`)).slice(0, 2)).toEqual([404, "not_found"]);
    expect(told(await reader.patch(`/api/v1/buyers/${buyer.id}`, { name: "Ours" }))).toEqual([
      403,
      "insufficient_scope",
      "This API key lacks the scope config:write.",
    ]);
  });

  it("is in the audit log with its scopes", async () => {
    const { id } = await clientWith({ scopes: ["audit:read"], allow_from: ["127.0.0.1"] });
    await vi.waitFor(
      async () => {
        const { data } = await done(owner.get(`/api/v1/audit-logs?entity_id=${id}`));
        expect(data[0]?.changes).toEqual(
          expect.arrayContaining([
            { field: "scopes", old: null, new: ["audit:read"] },
            { field: "allow_from", old: null, new: ["127.0.0.1/32"] },
          ]),
        );
      },
      { timeout: 60_000 },
    );
  });
});

describe("what one operation does in several areas", () => {
  it("takes the scopes of all: webhooks paused in bulk, buyers asked in a dry run", async () => {
    const { outgoing_webhook, target } = await foundCompany(owner, "Sunny");
    const config = await clientWith({ scopes: ["config:write"] });
    const pause = (resource_type: string, id: string) =>
      config.post("/api/v1/bulk/pause", { resource_type, ids: [id] });
    expect((await pause("target", target)).body.meta).toMatchObject({ succeeded: 1 });
    expect(told(await pause("outgoing_webhook", outgoing_webhook))[2]).toContain("webhooks:write");
    expect(await done(owner.get(`/api/v1/outgoing-webhooks/${outgoing_webhook}`))).toMatchObject({ is_paused: false });
    const both = await clientWith({ scopes: ["config:write", "webhooks:write"] });
    const paused = await both.post("/api/v1/bulk/pause", {
      resource_type: "outgoing_webhook",
      ids: [outgoing_webhook],
    });
    expect(paused.body.meta).toMatchObject({ succeeded: 1 });

    const reader = await clientWith({ scopes: ["config:read"] });
    const dryRun = (ask_buyers: boolean) =>
      reader.post("/api/v1/routing/dry-run", { from: "+12125550123", to: phonesOf(owner.id).number, ask_buyers });
    expect((await dryRun(false)).status).toBe(200);
    expect(told(await dryRun(true))[2]).toContain("config:write");
  });

  it("shows no credentials by which a key that only reads could change calls", async () => {
    const { id, auth_key } = await done(owner.post("/api/v1/incoming-webhooks", { name: "Leads" }));
    const reader = await clientWith({ scopes: ["read"] });
    const paths = [
      `/api/v1/incoming-webhooks/${id}`,
      "/api/v1/incoming-webhooks?limit=100",
      "/api/v1/webhooks/incoming-stats",
    ];
    for (const path of paths) {
      const { status, body } = await reader.get(path);
      expect([path, status, JSON.stringify(body).includes(auth_key)]).toEqual([path, 200, false]);
    }
    expect((await reader.get(`/api/v1/incoming-webhooks/${id}`)).body).toMatchObject({ auth_key: "***", url: "***" });
    const writer = await clientWith({ scopes: ["webhooks:write"] });
    expect((await writer.get(`/api/v1/incoming-webhooks/${id}`)).body).toMatchObject({ auth_key });
  });
});

describe("an admin key with scopes", () => {
  it("makes keys that may as much as itself, and none that may more", async () => {
    const admin = await clientWith({ is_admin: true, scopes: ["keys:write", "reports:read"] });
    expect((await create({ scopes: ["reports:read"] }, admin)).status).toBe(201);
    expect((await create({ scopes: ["keys:write"], is_admin: true }, admin)).status).toBe(201);
    for (const scopes of [null, ["read"], ["write"], ["reports:write"], ["keys:write", "config:read"]]) {
      const { status, body } = await create({ scopes }, admin);
      expect([scopes, status, body.detail.code]).toEqual([scopes, 403, "insufficient_scope"]);
    }
  });

  it("gets no key that may more by rotating one", async () => {
    const admin = await clientWith({ is_admin: true, scopes: ["keys:write", "reports:read"] });
    const [wider, narrower] = [await clientWith({}), await clientWith({ scopes: ["reports:read"] })];
    const refused = await admin.post(`/api/v1/api-keys/${wider.id}/rotate`, { grace_seconds: 0 });
    expect(told(refused).slice(0, 2)).toEqual([403, "insufficient_scope"]);
    expect((await wider.get("/api/v1/buyers")).status).toBe(200);
    expect((await admin.post(`/api/v1/api-keys/${narrower.id}/rotate`)).status).toBe(201);
    expect((await admin.post(`/api/v1/api-keys/${admin.id}/rotate`)).status).toBe(201);
  });

  it("makes none for more addresses than its own", async () => {
    const admin = await clientWith({ is_admin: true, allow_from: ["127.0.0.0/8", "::1"] });
    expect((await create({ allow_from: ["127.0.0.1"] }, admin)).status).toBe(201);
    for (const allow_from of [null, ["0.0.0.0/0"], ["127.0.0.1", "10.0.0.1"]]) {
      const { status, body } = await create({ allow_from }, admin);
      expect([allow_from, status, body.detail.code]).toEqual([allow_from, 403, "insufficient_scope"]);
    }
  });

  it("is no admin key for having the scope alone", async () => {
    const plain = await clientWith({ scopes: ["keys:write"] });
    expect(told(await plain.get("/api/v1/api-keys")).slice(0, 2)).toEqual([403, "forbidden"]);
  });
});

describe("a key with address ranges", () => {
  const from = (key: string, address: string) =>
    memberClient(rig().url, key).send("GET", "/api/v1/buyers", { headers: { "X-Forwarded-For": address } });

  it("is used from those alone, as the proxies in front tell them", async () => {
    const { key } = await clientWith({ allow_from: ["203.0.113.0/24", "2001:db8::/32"] });
    for (const address of ["203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7", "198.51.100.1, 203.0.113.7"])
      expect([address, (await from(key, address)).status]).toEqual([address, 200]);
    for (const address of ["203.0.114.7", "2001:db9::1", "203.0.113.7, 198.51.100.1", "nowhere"]) {
      const { status, body } = await from(key, address);
      expect([address, status, body.detail.code]).toEqual([address, 403, "address_not_allowed"]);
    }
    expect((await memberClient(rig().url, key).get("/api/v1/buyers")).status).toBe(403);
  });

  it("is refused before anything else is said of the request", async () => {
    const { key } = await clientWith({ allow_from: ["203.0.113.0/24"], scopes: ["reports:read"] });
    const { status, body } = await memberClient(rig().url, key).send("POST", "/api/v1/api-keys", { body: "{broken" });
    expect([status, body.detail.code]).toEqual([403, "address_not_allowed"]);
  });

  it("that is refused is counted, by reason", async () => {
    const { key } = await clientWith({ allow_from: ["203.0.113.0/24"], scopes: ["reports:read"] });
    const counted = async (reason: string) => {
      const text = await (await fetch(`${rig().url}/metrics`)).text();
      return Number(new RegExp(`api_keys_refused_total\\{reason="${reason}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
    };
    const before = [await counted("address"), await counted("scope")];
    await from(key, "198.51.100.1");
    await from(key, "203.0.113.1");
    expect([await counted("address"), await counted("scope")]).toEqual(before.map((count) => count + 1));
  });
});
