import { expect, it, vi } from "vitest";
import { toCurl } from "../../../../assistant/web/curl.ts";
import { stepsOf } from "../../../../assistant/web/overview/first-steps.ts";
import { overviewSchema } from "../../../../assistant/web/overview/overview.ts";
import { usePlatform } from "../../use-platform.ts";

const { join } = usePlatform();

it("the first steps that the page shows lead a new organization to a call that pays, each ticked off when it is done", {
  tags: ["slow"],
}, async () => {
  const member = await join();
  const overview = async () => overviewSchema.parse((await member.get("/api/v1/reports/overview")).body);
  const requests = async () =>
    stepsOf((await overview()).first_steps ?? expect.fail()).flatMap((step) => step.requests);
  const count = (await requests()).length;
  for (let done = 0; done < count; done += 1) {
    const all = await requests();
    expect(all.map(({ isDone }) => isDone)).toEqual(all.map((_, index) => index < done));
    const { method, path, body } = all[done] ?? expect.fail();
    const { status } = await member.send(method, path, { headers: { "X-API-Key": member.key }, body });
    expect([200, 201], path).toContain(status);
    await vi.waitFor(async () => expect((await requests())[done]?.isDone, path).toBe(true));
  }
  await vi.waitFor(async () =>
    expect((await overview()).reports?.today).toEqual({
      ...{ calls: 1, revenue: 30, payout: 20, profit: 10, conversion_rate: 1 },
    }),
  );
});

it("a webhook that is named in a campaign leaves those that the campaign has", () => {
  const none = { number: null, publisher: null, buyer: null, target: null, routing_plan: null, call: null };
  const campaign = { id: "cmp-1", name: "Solar East", outgoing_webhooks: ["hook-2"] };
  const webhook = { id: "hook-1", name: "Tell our system", is_attached: false };
  const naming = (given: Parameters<typeof stepsOf>[0]) =>
    stepsOf(given)
      .flatMap(({ requests }) => requests)
      .at(-1)?.body;
  expect(naming({ ...none, campaign, webhook })).toEqual({ outgoing_webhooks: ["hook-2", "hook-1"] });
  const attached = { ...campaign, outgoing_webhooks: ["hook-1", "hook-2"] };
  expect(naming({ ...none, campaign: attached, webhook })).toEqual({ outgoing_webhooks: ["hook-1", "hook-2"] });
});

it("a request is written for a shell, its key apart", () => {
  const step = { title: "", isDone: false, method: "POST", path: "/api/v1/numbers", body: { number: "+1" } } as const;
  expect(toCurl(step, "https://calls.example")).toBe(
    `curl -s -X POST "https://calls.example/api/v1/numbers" \\
  -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"number":"+1"}'`,
  );
});
