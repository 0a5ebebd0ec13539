import { expect, it, vi } from "vitest";
import { exampleConfig, openPlatform, trackingNumber } from "../../../platform.ts";
import { operations } from "../../operation-table.ts";

it("a call is in the overview of its organization, for a key and for a token, from its first second to its end", async () => {
  const receiver = "http://127.0.0.1:1";
  const { one, two, get, post, call } = await openPlatform({
    documents: (org) => exampleConfig(receiver, ["call.completed"], org),
  });
  const overview = async () => (await get("/api/v1/reports/overview", one.key)).body;
  expect(await overview()).toMatchObject({
    live_calls: 0,
    reports: { today: { calls: 0, conversion_rate: null }, campaigns: [] },
    first_steps: {
      campaign: { name: "Solar East", outgoing_webhooks: [expect.any(String)] },
      number: { number: trackingNumber },
      call: null,
    },
  });

  const placed = await post("/telephony/simulator/calls", one.key, { from: "+12125550123", to: trackingNumber });
  const events = `/telephony/simulator/calls/${placed.body.call_id}/events`;
  await post(events, one.key, { type: "answer" });
  await vi.waitFor(async () => {
    expect(await overview()).toMatchObject({ live_calls: 1, reports: { today: { calls: 1 } } });
  });
  await post(events, one.key, { type: "hangup" });
  await vi.waitFor(async () => {
    expect(await overview()).toMatchObject({
      live_calls: 0,
      first_steps: { call: { call_id: placed.body.call_id, status: "completed" } },
    });
  });

  const ofUser = await call("GET", "/v1/reports/overview", { Authorization: `Bearer ${one.token}` });
  expect(ofUser.body).toMatchObject({ timezone: "UTC", reports: { today: { calls: 1 } } });
  const ofAnother = await call("GET", "/v1/reports/overview", { Authorization: `Bearer ${two.token}` });
  expect(ofAnother.body).toMatchObject({ live_calls: 0, reports: { today: { calls: 0 } } });
});

it("is one operation for keys and for users, who share what it has read", () => {
  const [ofKey, ofUser] = ["getOverview", "getOverviewForUser"].map((name) =>
    operations.find((operation) => operation.name === name),
  );
  expect(ofUser?.path).toBe("/v1/reports/overview");
  expect(ofUser?.handle).toBe(ofKey?.handle);
});
