import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { done, usePlatform } from "../../use-platform.ts";
import { aStep } from "./formula.ts";

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.each(["false", "true"])("trying a formula, where private destinations are allowed: %s", (allowed) => {
  const { join } = usePlatform({ settings: { ALLOW_PRIVATE_DESTINATIONS: allowed } });

  it("tells of no address that a name stands for inside the network", async () => {
    const member = await join();
    const { id: buyer_id } = await done(member.post("/api/v1/buyers", { name: "Curious" }));
    const steps = [aStep({ url: `http://localhost:${await closedPort()}/` })];
    const { id } = await done(member.post("/api/v1/rtbs", { rtb_name: "Probe", buyer_id, steps }));
    const answer = await done(member.post(`/api/v1/rtbs/${id}/test`, { caller_id: "+12125550123" }));
    expect(answer.steps[0].error).toContain(allowed === "true" ? "ECONNREFUSED" : "localhost is not on the public");
    expect(JSON.stringify(answer)).not.toMatch(/127\.0\.0\.1|::1/);
  });
});
