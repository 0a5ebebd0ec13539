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

it("is of a day that is over where one is asked for, whole and against the days before it; of none to come", async () => {
  const { one, get } = await openPlatform();
  const asked = async (day: string) => get(`/api/v1/reports/overview?day=${day}`, one.key);
  const { body } = await asked("2020-03-09");
  expect(body).toMatchObject({
    periods: {
      today: { from: "2020-03-09T00:00:00.000Z", to: "2020-03-10T00:00:00.000Z" },
      yesterday: { from: "2020-03-08T00:00:00.000Z", to: "2020-03-09T00:00:00.000Z" },
      last_week: { from: "2020-03-02T00:00:00.000Z", to: "2020-03-03T00:00:00.000Z" },
    },
    reports: { today: { calls: 0 } },
    first_steps: null,
  });
  expect(body.reports.by_hour).toHaveLength(24);
  const today = body.as_of.slice(0, 10);
  expect((await asked(today)).body.periods.today.from).toBe(`${today}T00:00:00.000Z`);
  expect((await asked(today)).body.first_steps).not.toBeNull();
  for (const wrong of ["2999-01-01", "1969-12-31", "0020-02-29", "yesterday", "2020-02-30"]) {
    const { status, body } = await asked(wrong);
    expect([wrong, status, body.detail[0].loc]).toEqual([wrong, 422, ["query", "day"]]);
  }
});

it("is one operation for keys and for users, who share what it has read", () => {
  const [ofKey, ofUser] = ["getOverview", "getOverviewForUser"].map((name) =>
    operations.find((operation) => operation.name === name),
  );
  expect(ofUser?.path).toBe("/v1/reports/overview");
  expect(ofUser?.handle).toBe(ofKey?.handle);
});
