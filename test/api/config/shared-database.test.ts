import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { orgOne } from "../../make.ts";
import { openPlatform } from "../../platform.ts";
import { createDatabase, testDatabaseUrl } from "../../postgres-server.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommandOf } from "../commands/run-command.ts";

describe.skipIf(testDatabaseUrl === undefined)(
  "two installations on one PostgreSQL database (TEST_DATABASE_URL)",
  () => {
    it("see each other's changes without being asked", async () => {
      const { url, remove } = await createDatabase();
      onTestFinished(remove);
      const settings = { DATABASE_URL: url };
      const [here, there] = [await openPlatform({ settings }), await openPlatform({ settings })];
      const status = async (key: string) => (await there.get("/api/v1/webhooks/outgoing-requests", key)).status;
      const { id, key } = await here.platform.apiKeys.issue(orgOne, "new");
      await vi.waitFor(async () => expect(await status(key)).toBe(200));
      await here.platform.apiKeys.revoke(orgOne, id);
      await vi.waitFor(async () => expect(await status(key)).toBe(401));
    });

    it("refuse a token that a command has revoked meanwhile", async () => {
      const { url, remove } = await createDatabase();
      onTestFinished(remove);
      const { platform, ask } = await openPlatform({ settings: { DATABASE_URL: url } });
      const token = (await platform.issueToken?.({ userId: "ann", orgId: orgOne }, 600)) ?? "";
      expect((await ask("calls today", token)).status).toBe(200);
      const args = ["revoke-token", String(decodeJwt(token).jti), "--org", orgOne];
      const revoked = await runCommandOf("keys", args, { DATABASE_URL: url, DATA_DIR: temporaryFolder() });
      expect([revoked.code, revoked.out]).toEqual([0, expect.stringContaining("revoked")]);
      await vi.waitFor(async () => expect((await ask("calls today", token)).status).toBe(401));
    });
  },
);
