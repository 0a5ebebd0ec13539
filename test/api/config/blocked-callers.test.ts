import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import { toDocument } from "../../../api/config/registry.ts";
import { orgOne, orgTwo, secondsIn } from "../../make.ts";
import { done, usePlatform } from "../use-platform.ts";
import { openConfig } from "./rig.ts";

const { join } = usePlatform();
const path = "/api/v1/blocked-callers";
const aCaller = (id: string, number = "+12125550123") => {
  const about = { id, org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
  return { type: "blocked_caller", doc: toDocument("blocked_caller", { ...about, number }) } as const;
};

describe("a blocked caller", () => {
  it("is one of its organization, however the number was written, until it is changed", async () => {
    const { store, snapshot } = await openConfig();
    const isBlocked = async (e164: string) => {
      await snapshot.settled();
      return [orgOne, orgTwo].map((org) => snapshot.config(org)?.isBlocked(e164));
    };
    await store.save(orgOne, [aCaller("a", "(212) 555-0123")]);
    expect(await isBlocked("+12125550123")).toEqual([true, false]);
    await store.save(orgOne, [aCaller("a", "+12125550124")]);
    expect(await isBlocked("+12125550123")).toEqual([false, false]);
    expect(await isBlocked("+12125550124")).toEqual([true, false]);
  });

  it("is listed once: the same number in another form is a conflict", async () => {
    const member = await join();
    await done(member.post(path, { number: "+12125550123" }));
    const { status, body } = await member.post(path, { number: "212-555-0123" });
    expect([status, body.detail.code]).toEqual([409, "conflict"]);
    expect((await done(member.get(`${path}?number=%2B12125550123`))).meta.total).toBe(1);
  });
});

it("a number stays blocked when the document that had it before goes last", () => {
  const { config, put, remove } = createOrgConfig({ id: orgOne, name: "One", timezone: "UTC" });
  put(aCaller("a"));
  put(aCaller("b"));
  remove("blocked_caller", "a");
  expect(config.isBlocked("+12125550123")).toBe(true);
  remove("blocked_caller", "b");
  expect(config.isBlocked("+12125550123")).toBe(false);
});
