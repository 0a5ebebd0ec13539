import { expect, it } from "vitest";
import { foundCompany } from "../company.ts";
import { operations } from "../operation-table.ts";
import { done, usePlatform } from "../use-platform.ts";

const { join } = usePlatform();

it("answers that show a secret are kept by no cache", async () => {
  const member = await join();
  const ids = await foundCompany(member);
  await done(member.patch(`/api/v1/targets/${ids.target}`, { sip_password: "secret" }));
  const answers = [
    await member.post("/api/v1/api-keys", { name: "another" }),
    await member.get("/api/v1/api-keys"),
    await member.get("/api/v1/incoming-webhooks"),
    await member.post(`/api/v1/incoming-webhooks/${ids.incoming_webhook}/rotate-key`),
    await member.get(`/api/v1/targets/${ids.target}`),
    await member.get("/api/v1/targets"),
    await member.post(`/api/v1/outgoing-webhooks/${ids.outgoing_webhook}/signing-secret`),
    await member.get(`/api/v1/campaigns/${ids.campaign}`),
  ];
  expect(answers.map(({ status, headers }) => [status < 300, headers.get("cache-control")])).toEqual(
    answers.map(() => [true, "no-store"]),
  );
});

it("no answer of an operation is kept, nor a refusal", async () => {
  const member = await join();
  const reads = operations.filter(({ method, path, apart }) => method === "get" && !path.includes("{") && !apart);
  expect(reads.length).toBeGreaterThan(20);
  for (const { path } of reads) {
    const headers = { Authorization: `Bearer ${member.token}` };
    const answers = [
      await member.send("GET", path, { headers }),
      await member.send("GET", path, { headers: { "X-API-Key": "" } }),
    ];
    for (const answer of answers) expect([path, answer.headers.get("cache-control")]).toEqual([path, "no-store"]);
  }
});
