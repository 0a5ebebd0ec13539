import { afterEach, describe, expect, it, vi } from "vitest";
import { createGuards } from "../../../api/auth/guards.ts";
import { createMemoryLimiters } from "../../../api/serve/limiters.ts";
import type { Operation } from "../../../api/serve/operation.ts";
import { allRights } from "../../../api/serve/rights.ts";
import { orgOne } from "../../make.ts";

afterEach(() => vi.useRealTimers());

describe("the limit of the external API", () => {
  it("begins anew a minute after the first request that it counted", async () => {
    vi.useFakeTimers();
    const limiters = createMemoryLimiters({ api: 2, assistant: 1, rtb: 1, webhooks: 1 });
    const given = { snapshot: {}, verifyToken: async () => null, clock: {}, limiters };
    const { limit } = createGuards(given as unknown as Parameters<typeof createGuards>[0]);
    const caller = {
      orgId: orgOne,
      actor: { type: "api_key", id: "key-1", name: null },
      admin: false,
      rights: allRights,
    } as const;
    const operation = { limit: "api", method: "get", path: "/a" } as Operation;
    const response = { setHeader: () => response } as unknown as Parameters<typeof limit>[2];
    const ask = () =>
      limit(caller, operation, response).then(
        () => "taken",
        (error: { code: string }) => error.code,
      );
    expect([await ask(), await ask(), await ask()]).toEqual(["taken", "taken", "rate_limited"]);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(await ask()).toBe("rate_limited");
    await vi.advanceTimersByTimeAsync(1);
    expect(await ask()).toBe("taken");
  });
});
