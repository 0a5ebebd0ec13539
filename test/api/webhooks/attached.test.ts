import { expect, it, vi } from "vitest";
import { exampleConfig, lineOf, openTestReceiver, trackingNumberOf } from "../../platform.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { join } = usePlatform({ settings: { ALLOW_PRIVATE_DESTINATIONS: "true" } });
const boughtLine = "+18885550177";

/** A member whose calls go to the first target, and from there to a formula of the same buyer. */
async function joinWithFormula(url: string): Promise<Member> {
  const member = await join();
  await member.save(exampleConfig("https://nobody.example", [], member.id));
  const id = (name: string) => `${member.id}-${name}`;
  const hook = async (name: string, event_type_id: string): Promise<string> => {
    const body = { name, event_type_id, url: `${url}/${name}/[CALL_ID]`, body: { to: "[TARGET_NAME]" } };
    return (await done(member.post("/api/v1/outgoing-webhooks", body))).id;
  };
  const everywhere = await hook("everywhere", "call.completed");
  const campaign = [await hook("campaign", "call.incoming"), everywhere];
  const formulas = [await hook("formula", "call.connected"), await hook("converted", "call.converted"), everywhere];
  const targets = [await hook("target", "call.connected"), everywhere];
  const { id: formula } = await done(
    member.post("/api/v1/rtbs", {
      rtb_name: "Sunny bids",
      buyer_id: id("buyer"),
      outgoing_webhooks: formulas,
      steps: [{ url: `${url}/bid`, method: "POST", api_response: {} }],
      mapped_response: { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" },
    }),
  );
  const routes = [
    { action: "route-to-target", target_id: id("first"), priority: 1 },
    { action: "route-to-rtb", rtb_formula_id: formula, priority: 2 },
  ];
  await done(member.patch(`/api/v1/routing-plans/${id("plan")}`, { routes }));
  await done(member.patch(`/api/v1/targets/${id("first")}`, { outgoing_webhooks: targets }));
  await done(member.patch(`/api/v1/campaigns/${id("campaign")}`, { outgoing_webhooks: campaign }));
  return member;
}

it("webhooks of the campaign, and of the formula that a call went to in the end, are told of it, each once", async () => {
  const receiver = await openTestReceiver(({ path }) =>
    path === "/bid"
      ? { status: 200, body: JSON.stringify({ bid: 40, duration: 5, phone: boughtLine }) }
      : { status: 200 },
  );
  const member = await joinWithFormula(receiver.url);
  const seconds = (after: number) => new Date(Date.now() - 60_000 + after * 1000).toISOString();
  const { call_id, destination } = await done(
    member.post("/telephony/simulator/calls", {
      from: "+12125550123",
      to: trackingNumberOf(member.id),
      at: seconds(0),
    }),
  );
  expect(destination.number).toBe(lineOf("first"));
  const report = (body: object) => done(member.post(`/telephony/simulator/calls/${call_id}/events`, body));
  expect((await report({ type: "no_answer", at: seconds(5) })).destination.number).toBe(boughtLine);
  await report({ type: "answer", at: seconds(10) });
  await report({ type: "hangup", at: seconds(40) });

  const list = async () => (await done(member.get("/api/v1/webhooks/outgoing-requests?sort_direction=asc"))).data;
  const told = ["campaign", "converted", "everywhere", "formula"];
  await vi.waitFor(async () => {
    const names = (await list()).map((record: { webhook_config_name: string }) => record.webhook_config_name);
    expect(names.toSorted()).toEqual(told);
  }, 20_000);
  const heard = receiver.received.flatMap(({ path }) => (path === "/bid" ? [] : [path]));
  expect(heard.toSorted()).toEqual(told.map((name) => `/${name}/${call_id}`));
});
