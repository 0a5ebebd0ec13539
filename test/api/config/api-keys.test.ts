import type { Request } from "express";
import { describe, expect, it } from "vitest";
import { createFailedSignIns } from "../../../api/auth/failed-sign-ins.ts";
import { createGuards } from "../../../api/auth/guards.ts";
import { createRefusedKeys, type RefusedKeysDeps } from "../../../api/auth/refused-keys.ts";
import { hashKey } from "../../../api/config/api-keys.ts";
import { ApiError } from "../../../api/serve/errors.ts";
import { createMemoryLimiters } from "../../../api/serve/limiters.ts";
import { orgOne, orgTwo, secondsIn } from "../../make.ts";
import { openConfig } from "./rig.ts";

async function openRig(given: Parameters<typeof openConfig>[0] = {}) {
  const { clock, database, apiKeys, snapshot } = await openConfig(given);
  const limits = { api: 1, rtb: 1, webhooks: 1, assistant: 1 };
  let address: string | null = null;
  const refused: string[] = [];
  const logged: object[] = [];
  const guards = createGuards({
    snapshot,
    verifyToken: async () => null,
    clock,
    limiters: createMemoryLimiters(limits),
    failedSignIns: createFailedSignIns({ perMinute: 1000, clock, onFailed: () => undefined }),
    addressOf: () => address,
    refusedKeys: createRefusedKeys({
      logger: { warn: (line: object) => void logged.push(line) } as RefusedKeysDeps["logger"],
      clock,
      onRefused: (reason) => void refused.push(reason),
    }),
  });
  /** Who calls with this header; the error's code when it is nobody. */
  async function callerOf(key: string | undefined, access: "api_key" | "admin_key" = "api_key") {
    await snapshot.settled();
    const get = (name: string) => (name === "X-API-Key" ? key : undefined);
    return guards.authenticate({ get } as Request, access).catch((error: unknown) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    });
  }
  async function whose(key: string | undefined) {
    const caller = await callerOf(key);
    return typeof caller === "string" ? caller : caller.orgId;
  }
  const callFrom = (from: string | null) => {
    address = from;
  };
  return { clock, database, apiKeys, callerOf, whose, callFrom, refused, logged };
}

describe("an API key", () => {
  it("belongs to the organization that it was issued to", async () => {
    const rig = await openRig();
    const one = await rig.apiKeys.issue(orgOne, "first");
    const two = await rig.apiKeys.issue(orgTwo, "second");
    expect([await rig.whose(one.key), await rig.whose(two.key)]).toEqual([orgOne, orgTwo]);
  });

  it("is long, never the same, and kept as nothing but its hash", async () => {
    const rig = await openRig();
    const { id, key } = await rig.apiKeys.issue(orgOne, "first");
    expect(key).toMatch(/^tl_[\w-]{43}$/);
    expect((await rig.apiKeys.issue(orgOne, "first")).key).not.toBe(key);
    const [row] = await rig.database.query("SELECT * FROM api_keys WHERE id = $1", [id]);
    expect(row).toMatchObject({ hash: hashKey(key), prefix: key.slice(0, 9), created_at: secondsIn(0) });
    expect(JSON.stringify(row)).not.toContain(key);
  });

  it.each([
    ["is missing", () => undefined],
    ["is empty", () => ""],
    ["was never issued", () => "tl_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["is cut short", (key: string) => key.slice(0, -1)],
    ["has a space behind it", (key: string) => `${key} `],
    ["is its own hash", hashKey],
  ])("that %s is nobody's", async (_what, change) => {
    const rig = await openRig();
    const { key } = await rig.apiKeys.issue(orgOne, "first");
    expect(await rig.whose(change(key))).toBe("unauthorized");
  });

  it("that is rotated goes on for its grace, to the millisecond, beside the one that follows it", async () => {
    const rig = await openRig();
    const { id, key } = await rig.apiKeys.issue(orgOne, "first");
    const next = await rig.apiKeys.rotate(orgOne, id, { graceSeconds: 60 });
    rig.clock.advance(59_999);
    expect([await rig.whose(key), await rig.whose(next?.key)]).toEqual([orgOne, orgOne]);
    rig.clock.advance(1);
    expect([await rig.whose(key), await rig.whose(next?.key)]).toEqual(["unauthorized", orgOne]);
  });

  it("that was revoked is nobody's, and stays so", async () => {
    const rig = await openRig();
    const { id, key } = await rig.apiKeys.issue(orgOne, "first");
    expect(await rig.whose(key)).toBe(orgOne);
    const revoked = await rig.apiKeys.revoke(orgOne, id);
    expect(await rig.whose(key)).toBe("unauthorized");
    rig.clock.advance(1000);
    expect(await rig.apiKeys.revoke(orgOne, id)).toEqual(revoked);
    expect(await rig.apiKeys.rotate(orgOne, id, { graceSeconds: 60 })).toBeNull();
  });

  it("that ends is not rotated again: neither has it more time nor does it come back to life", async () => {
    const rig = await openRig();
    const { id, key } = await rig.apiKeys.issue(orgOne, "first");
    await rig.apiKeys.rotate(orgOne, id, { graceSeconds: 60 });
    rig.clock.advance(59_999);
    const again = rig.apiKeys.rotate(orgOne, id, { graceSeconds: 3600 });
    await expect(again).rejects.toMatchObject({ status: 409, message: expect.stringContaining(secondsIn(60)) });
    rig.clock.advance(1);
    expect(await rig.apiKeys.rotate(orgOne, id, { graceSeconds: 3600 })).toBeNull();
    expect(await rig.whose(key)).toBe("unauthorized");
    expect(await rig.apiKeys.list(orgOne)).toHaveLength(2);
  });

  it("that many rotate at once is followed by one", async () => {
    const rig = await openRig();
    const { id } = await rig.apiKeys.issue(orgOne, "first");
    const tries = Array.from({ length: 10 }, () => rig.apiKeys.rotate(orgOne, id, { graceSeconds: 60 }));
    const rotated = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
    expect([rotated.length, (await rig.apiKeys.list(orgOne)).length]).toEqual([1, 2]);
  });

  it("cannot be listed, revoked or rotated by another organization", async () => {
    const rig = await openRig();
    const { id, key } = await rig.apiKeys.issue(orgOne, "first");
    const touched = [await rig.apiKeys.revoke(orgTwo, id), await rig.apiKeys.rotate(orgTwo, id, { graceSeconds: 0 })];
    expect([...touched, ...(await rig.apiKeys.list(orgTwo))]).toEqual([null, null]);
    expect(await rig.whose(key)).toBe(orgOne);
    expect((await rig.apiKeys.list(orgOne)).map((each) => each.id)).toEqual([id]);
  });

  it("is logged where it is used from outside its ranges, once for each address in ten minutes, without the key", async () => {
    const rig = await openRig();
    const limits = { scopes: null, allow_from: ["203.0.113.0/24"] };
    const { id, key } = await rig.apiKeys.issue(orgOne, "first", { limits });
    for (const address of ["198.51.100.1", "198.51.100.1", null, "203.0.113.5"]) {
      rig.callFrom(address);
      expect(await rig.callerOf(key)).toEqual(
        address === "203.0.113.5" ? expect.objectContaining({ orgId: orgOne }) : "address_not_allowed",
      );
    }
    expect(rig.logged).toEqual([
      { api_key: { id, name: "first", org_id: orgOne }, address: "198.51.100.1" },
      { api_key: { id, name: "first", org_id: orgOne }, address: null },
    ]);
    expect(rig.refused).toEqual(["address", "address", "address"]);
    rig.clock.advance(10 * 60_000);
    rig.callFrom("198.51.100.1");
    await rig.callerOf(key);
    expect(rig.logged).toHaveLength(3);
  });

  it("whose limits cannot be read may do nothing, and can be revoked", async () => {
    const rig = await openRig({ onUnreadable: () => undefined });
    const { id, key } = await rig.apiKeys.issue(orgOne, "odd");
    await rig.database.query("UPDATE api_keys SET scopes = 'all' WHERE id = $1", [id]);
    await rig.apiKeys.issue(orgOne, "next");
    expect(await rig.whose(key)).toBe("unauthorized");
    expect(await rig.apiKeys.list(orgOne)).toMatchObject([{ name: "next" }, { name: "odd", scopes: [] }]);
    expect(await rig.apiKeys.revoke(orgOne, id)).toMatchObject({ id, revoked_at: expect.any(String) });
  });

  it("may do what an administrator may only if it was issued so", async () => {
    const rig = await openRig();
    const plain = await rig.apiKeys.issue(orgOne, "plain");
    const admin = await rig.apiKeys.issue(orgOne, "admin", { isAdmin: true });
    expect(await rig.callerOf(plain.key, "admin_key")).toBe("forbidden");
    expect(await rig.callerOf(admin.key, "admin_key")).toMatchObject({
      orgId: orgOne,
      actor: { type: "api_key", id: admin.id, name: "admin" },
    });
  });
});
