import { describe, expect, it, vi } from "vitest";
import type { UserRole } from "../../../../api/serve/rights.ts";
import { aPlan } from "../../../assistant/a-plan.ts";
import { done, usePlatform } from "../../use-platform.ts";

const { rig, join } = usePlatform();

const plan = aPlan({ measures: ["revenue"], dimensions: ["campaign"], zone: "UTC" });

describe("questions that an organization shares", () => {
  it("are an admin's to change by the role of their token, and stand in the audit log with who changed them", async () => {
    const member = await join();
    const { issueToken } = rig().platform;
    const tokenOf = async (userId: string, role?: UserRole) =>
      (await issueToken?.({ userId, orgId: member.id, ...(role === undefined ? {} : { role }) }, 600)) ?? "";
    const send = async (token: string, method: string, path: string, body?: unknown) =>
      member.send(method, `/reporting_ai${path}`, { headers: { Authorization: `Bearer ${token}` }, body });
    const [ann, bob, viewer, boss] = await Promise.all([
      tokenOf("ann"),
      tokenOf("bob", "analyst"),
      tokenOf("vera", "viewer"),
      tokenOf("boss", "admin"),
    ]);
    const saved = await done(send(ann ?? "", "POST", "/saved", { name: "ours", query: "", plan }));
    const path = `/saved/${saved.id}`;
    for (const token of [bob, viewer]) {
      expect((await send(token ?? "", "PATCH", path, { name: "mine" })).status).toBe(403);
      expect((await send(token ?? "", "DELETE", path)).status).toBe(403);
    }
    expect((await send(boss ?? "", "PATCH", path, { name: "the board's" })).status).toBe(200);
    expect((await send(boss ?? "", "DELETE", path)).status).toBe(200);
    const rows = await vi.waitFor(async () => {
      const listed = await done(member.get("/api/v1/audit-logs?entity_type=saved_question&sort_direction=asc"));
      expect([listed.data.length, listed.meta.total]).toEqual([3, 3]);
      return listed.data;
    }, 10_000);
    expect(rows).toMatchObject([
      { action: "create", actor: { type: "user", id: "ann" }, entity_id: saved.id, entity_name: "ours" },
      { action: "update", actor: { type: "user", id: "boss" }, changes: [{ field: "name", new: "the board's" }] },
      { action: "delete", actor: { type: "user", id: "boss" }, entity_name: "the board's" },
    ]);
  });
});
