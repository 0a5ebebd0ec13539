import { describe, expect, it, vi } from "vitest";
import { done, type Member, usePlatform } from "../use-platform.ts";

/** What one client's change and its webhook are recorded with, as a proxy on this machine tells of it. */
async function recordedOf(member: Member, url: string) {
  const headers = { "X-Forwarded-For": "192.0.2.66, 198.51.100.7" };
  await member.send("POST", "/api/v1/buyers", { headers, body: { name: "Sunny" } });
  const { auth_key } = await done(member.post("/api/v1/incoming-webhooks", { name: "Leads", type: "call_data" }));
  const body = JSON.stringify({ caller_id: "+12125550123" });
  const json = { "Content-Type": "application/json" };
  const sent = await fetch(`${url}/call-data?svc_auth_key=${auth_key}`, {
    method: "POST",
    headers: { ...headers, ...json },
    body,
  });
  expect(sent.status).toBe(200);
  const sources = async (path: string) =>
    (await done(member.get(path))).data.map(({ source_ip }: { source_ip: string }) => source_ip);
  return vi.waitFor(async () => {
    const audited = await sources("/api/v1/audit-logs?entity_type=buyer");
    const received = await sources("/api/v1/webhooks/incoming-requests");
    expect([audited, received]).toEqual([[expect.any(String)], [expect.any(String)]]);
    return [...audited, ...received];
  }, 10_000);
}

describe("behind a proxy that is trusted", () => {
  const { rig, join } = usePlatform({ settings: { TRUST_PROXY: "loopback" } });

  it("the audit log and the history of webhooks have the client's address", async () => {
    expect(await recordedOf(await join(), rig().url)).toEqual(["198.51.100.7", "198.51.100.7"]);
  });
});

describe("without a proxy that is trusted", () => {
  const { rig, join } = usePlatform({});

  it("they have the address of the connection, whatever a client says", async () => {
    expect(await recordedOf(await join(), rig().url)).toEqual(["127.0.0.1", "127.0.0.1"]);
  });
});
