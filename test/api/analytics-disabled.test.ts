import { describe, expect, it } from "vitest";
import type { OrgId } from "../../ingest/primitives.ts";
import { exampleConfig, openPlatform, openTestReceiver, trackingNumber } from "../platform.ts";

describe("an installation without analytics", () => {
  it("says so wherever a report is asked for, and routes calls and tells webhooks of them as ever", async () => {
    const receiver = await openTestReceiver();
    const documents = (org: OrgId) => exampleConfig(receiver.url, ["call.incoming"], org);
    const { get, post, ask, one, url } = await openPlatform({ settings: { ANALYTICS: "false" }, documents });
    const refused = [
      await get("/api/v1/webhooks/outgoing-requests", one.key),
      await get("/api/v1/webhooks/incoming-requests", one.key),
      await get("/api/v1/reports/calls", one.key),
      await get("/api/v1/reports/calls/export?format=ndjson", one.key),
      await ask("calls today", one.token),
    ];
    for (const { status, body } of refused) expect([status, body.detail.code]).toEqual([503, "analytics_disabled"]);

    const placed = await post("/telephony/simulator/calls", one.key, { from: "+12125550123", to: trackingNumber });
    expect([placed.status, placed.body.action]).toEqual([201, "dial"]);
    await expect.poll(() => receiver.received.length).toBe(1);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { log: "ok", database: "ok" } }]);
  });
});
