import { describe, expect, it } from "vitest";
import { type Company, foundCompany, phonesOf } from "../company.ts";
import { done, usePlatform } from "../use-platform.ts";
import { type Kind, leastBody, paths } from "./company-paths.ts";

const { join } = usePlatform();
async function openRig() {
  const member = await join();
  return { member, ids: await foundCompany(member) };
}
const kinds = Object.keys(paths) as Kind[];
const pathOf = (ids: Company, kind: Kind): string => `/api/v1/${paths[kind]}/${ids[kind]}`;
type Fields = Record<string, unknown>;

describe("a reference", () => {
  type Refer = (id: string, ids: Company) => Record<string, unknown>;
  const inItem =
    (field: string): Refer =>
    (id, ids) => ({
      number_group_items: [{ number_id: ids.number, [field]: id }],
    });
  const inRoute =
    (field: string): Refer =>
    (id) => ({ routes: [{ action: "x" }, { action: "x", [field]: id }] });
  const inPredictive: Refer = (id) => ({ predictive_routing_plan_id: id });
  const inChoice =
    (field: string): Refer =>
    (id) => ({ menu: [{ digit: "#", destination: { [field]: id } }] });
  const inSteps =
    (type: string, field: string): Refer =>
    (id) => ({
      steps: [{ type: "hangup" }, { type, [field]: id }],
    });
  const references: [kind: Kind, loc: readonly (string | number)[], to: keyof Company, Refer][] = [
    ["campaign", ["routing_plan_id"], "routing_plan", (id) => ({ routing_plan_id: id })],
    ["campaign", ["call_flow_id"], "call_flow", (id) => ({ call_flow_id: id })],
    ["campaign", ["number_group_items", 0, "number_id"], "number", inItem("number_id")],
    ["campaign", ["number_group_items", 0, "publisher_id"], "publisher", inItem("publisher_id")],
    ["campaign", ["outgoing_webhooks", 0], "outgoing_webhook", (id) => ({ outgoing_webhooks: [id] })],
    ["campaign", ["incoming_webhooks", 0], "incoming_webhook", (id) => ({ incoming_webhooks: [id] })],
    ["target", ["buyer_id"], "buyer", (id) => ({ buyer_id: id })],
    ["target", ["outgoing_webhooks", 0], "outgoing_webhook", (id) => ({ outgoing_webhooks: [id] })],
    ["rtb_formula", ["buyer_id"], "buyer", (id) => ({ buyer_id: id })],
    ["rtb_formula", ["outgoing_webhooks", 0], "outgoing_webhook", (id) => ({ outgoing_webhooks: [id] })],
    [
      "rtb_group",
      ["rtb_formulas", 0, "rtb_formula_id"],
      "rtb_formula",
      (id) => ({ rtb_formulas: [{ rtb_formula_id: id }] }),
    ],
    ["rtb_group", ["predictive_routing_plan_id"], "predictive_routing_plan", inPredictive],
    ["routing_plan", ["predictive_routing_plan_id"], "predictive_routing_plan", inPredictive],
    [
      ...(["routing_plan", ["routes", 1, "predictive_routing_plan_id"], "predictive_routing_plan"] as const),
      inRoute("predictive_routing_plan_id"),
    ],
    ["routing_plan", ["routes", 1, "ivr_id"], "ivr", inRoute("ivr_id")],
    ["routing_plan", ["routes", 1, "target_id"], "target", inRoute("target_id")],
    ["routing_plan", ["routes", 1, "rtb_formula_id"], "rtb_formula", inRoute("rtb_formula_id")],
    ["routing_plan", ["routes", 1, "rtb_group_id"], "rtb_group", inRoute("rtb_group_id")],
    ["routing_plan", ["allowed_publishers", 0], "publisher", (id) => ({ allowed_publishers: [id] })],
    ["routing_plan", ["allowed_buyers", 0], "buyer", (id) => ({ allowed_buyers: [id] })],
    ["ivr", ["menu", 0, "destination", "target_id"], "target", inChoice("target_id")],
    ["ivr", ["menu", 0, "destination", "rtb_formula_id"], "rtb_formula", inChoice("rtb_formula_id")],
    ["ivr", ["menu", 0, "destination", "rtb_group_id"], "rtb_group", inChoice("rtb_group_id")],
    ["ivr", ["menu", 0, "destination", "routing_plan_id"], "routing_plan", inChoice("routing_plan_id")],
    ["ivr", ["menu", 0, "destination", "ivr_id"], "ivr", inChoice("ivr_id")],
    ["ivr", ["invalid_input", "target_id"], "target", (id) => ({ invalid_input: { target_id: id } })],
    ["ivr", ["no_input", "ivr_id"], "ivr", (id) => ({ no_input: { ivr_id: id } })],
    ["call_flow", ["steps", 1, "ivr_id"], "ivr", inSteps("ivr", "ivr_id")],
    ["call_flow", ["steps", 1, "routing_plan_id"], "routing_plan", inSteps("routing_plan", "routing_plan_id")],
    ["inbound_rtb", ["campaign_id"], "campaign", (id) => ({ campaign_id: id })],
    ["inbound_rtb", ["publisher_id"], "publisher", (id) => ({ publisher_id: id })],
    ["inbound_rtb", ["receive_number_id"], "number", (id) => ({ receive_number_id: id })],
    ["number", ["publisher_id"], "publisher", (id) => ({ publisher_id: id })],
    ["number_pool", ["campaign_id"], "campaign", (id) => ({ campaign_id: id })],
    ["number_pool", ["publisher_id"], "publisher", (id) => ({ publisher_id: id })],
  ];

  it("must lead to something of the same organization, and of the right kind", async () => {
    const [{ member, ids }, other] = [await openRig(), await openRig()];
    for (const [kind, loc, to, refer] of references) {
      const wrongKind = to === "buyer" ? ids.publisher : ids.buyer;
      for (const id of ["nobody", other.ids[to], wrongKind]) {
        const refused = [
          await member.post(`/api/v1/${paths[kind]}`, { ...leastBody(ids, kind), ...refer(id, ids) }),
          await member.patch(pathOf(ids, kind), refer(id, ids)),
        ];
        for (const { status, body } of refused) {
          expect([status, body.detail[0]], `${kind} ${loc.join(".")}`).toMatchObject([
            422,
            { loc: ["body", ...loc], type: "reference_not_found", input: id },
          ]);
        }
      }
      await done(member.patch(pathOf(ids, kind), refer(ids[to], ids)));
    }
  });

  it("of a document with several that lead nowhere names each of them", async () => {
    const { member, ids } = await openRig();
    const refused = await member.patch(pathOf(ids, "routing_plan"), { allowed_buyers: ["a", ids.buyer, "b"] });
    expect(refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc.at(-1))).toEqual([0, 2]);
  });

  it("of a route to a menu is read with the menu's name", async () => {
    const { member, ids } = await openRig();
    const routes = [{ action: "route-to-ivr", ivr_id: ids.ivr }];
    const patched = await done(member.patch(pathOf(ids, "routing_plan"), { routes }));
    expect(patched.routes).toMatchObject([{ ivr_id: ids.ivr, ivr: { id: ids.ivr, name: "Sunny menu" }, target: null }]);
  });

  it("may close a circle of menus", async () => {
    const { member, ids } = await openRig();
    const menu = [{ digit: "*", destination: { ivr_id: ids.ivr } }];
    const second = await done(member.post("/api/v1/ivrs", { ...leastBody(ids, "ivr"), menu }));
    const first = await done(member.patch(pathOf(ids, "ivr"), { no_input: { ivr_id: second.id } }));
    expect([first.no_input.ivr_id, second.menu[0].destination.ivr_id]).toEqual([second.id, first.id]);
    const refused = await member.delete(`/api/v1/ivrs/${second.id}`);
    expect([refused.status, refused.body.detail.message]).toEqual([409, expect.stringContaining('IVR "Sunny menu"')]);
    await done(member.patch(pathOf(ids, "ivr"), { no_input: null }));
    await done(member.delete(`/api/v1/ivrs/${second.id}`));
  });
});

describe("a delete", () => {
  it("of what is in use is refused, and names what uses it", async () => {
    const { member, ids } = await openRig();
    const uses: [Kind, string[]][] = [
      ["buyer", ['target "Sunny target"', 'RTB formula "Sunny bids"', 'routing plan "Sunny plan"']],
      ["publisher", ['campaign "Sunny campaign"', "inbound RTB", 'number pool "Sunny pool"', "and others"]],
      ["target", ['routing plan "Sunny plan"']],
      ["rtb_formula", ['RTB group "Sunny group"', 'routing plan "Sunny plan"']],
      ["rtb_group", ['IVR "Sunny menu"', 'routing plan "Sunny plan"']],
      ["routing_plan", ['campaign "Sunny campaign"', 'call flow "Sunny flow"']],
      ["call_flow", ['campaign "Sunny campaign"']],
      ["ivr", ['call flow "Sunny flow"']],
      ["predictive_routing_plan", ['RTB group "Sunny group"']],
      ["number", ['campaign "Sunny campaign"']],
      ["outgoing_webhook", ['campaign "Sunny campaign"']],
      ["incoming_webhook", ['campaign "Sunny campaign"']],
      ["campaign", ['number pool "Sunny pool"', "inbound RTB"]],
    ];
    for (const [kind, users] of uses) {
      const { status, body } = await member.delete(pathOf(ids, kind));
      expect([status, body.detail.code], kind).toEqual([409, "conflict"]);
      for (const user of users) expect(body.detail.message).toContain(user);
      await done(member.get(pathOf(ids, kind)));
    }
  });

  it("of a campaign leaves its numbers to the next one that lists them, inactive as it is", async () => {
    const { member, ids } = await openRig();
    const item = { number_id: ids.spare_number };
    const made = [];
    for (const name of ["First", "Second"]) {
      const is_active = name === "First";
      made.push(await done(member.post("/api/v1/campaigns", { name, is_active, number_group_items: [item] })));
    }
    const [first, second] = made;
    const shown = async () => (await done(member.get(`/api/v1/numbers/${ids.spare_number}`))).campaign_id;
    const listed = async ({ id }: { id: string }) =>
      (await done(member.get(`/api/v1/numbers?campaign_id=${id}`))).data.map(({ id: number }: Fields) => number);
    expect([await shown(), await listed(first), await listed(second)]).toEqual([first.id, [ids.spare_number], []]);
    await done(member.delete(`/api/v1/campaigns/${first.id}`));
    expect([await shown(), await listed(second)]).toEqual([second.id, [ids.spare_number]]);
  });

  it("of all, users before the used, leaves nothing behind", async () => {
    const { member, ids } = await openRig();
    await done(member.delete(`/api/v1/number-pools/${ids.number_pool}/numbers/${ids.pooled_number}`));
    const order: Kind[] = [
      ...(["inbound_rtb", "number_pool", "campaign", "call_flow", "ivr", "routing_plan", "rtb_group"] as const),
      ...(["predictive_routing_plan", "rtb_formula", "target"] as const),
      ...(["number", "outgoing_webhook", "incoming_webhook", "publisher", "buyer", "custom_tag"] as const),
      "blocked_caller",
    ];
    expect(order.toSorted()).toEqual(kinds.toSorted());
    for (const kind of order) {
      const id = kind === "inbound_rtb" ? Number(ids[kind]) : ids[kind];
      expect(await done(member.delete(pathOf(ids, kind)))).toEqual({ success: true, id });
      for (const again of [await member.get(pathOf(ids, kind)), await member.delete(pathOf(ids, kind))]) {
        expect([again.status, again.body.detail.code]).toEqual([404, "not_found"]);
      }
    }
  });

  it("of a target by force takes its routes out of every plan, and leaves the others", async () => {
    const { member, ids } = await openRig();
    const other = await done(member.post("/api/v1/targets", leastBody(ids, "target")));
    const routes = [ids.target, other.id, ids.target].map((target_id) => ({ action: "route-to-target", target_id }));
    const second = await done(member.post("/api/v1/routing-plans", { name: "Second", routes }));
    const refused = await member.delete(`${pathOf(ids, "target")}?force=false`);
    expect(refused.status).toBe(409);
    expect(await done(member.delete(`${pathOf(ids, "target")}?force=true`))).toEqual({ success: true, id: ids.target });
    expect((await member.get(pathOf(ids, "target"))).status).toBe(404);
    const left = (await done(member.get(`/api/v1/routing-plans/${second.id}`))).routes;
    expect(left).toEqual([second.routes[1]]);
    const first = await done(member.get(pathOf(ids, "routing_plan")));
    expect(first.routes.map(({ priority }: { priority: number }) => priority)).toEqual([2, 3]);
    expect((await member.delete(`${pathOf(ids, "buyer")}?force=true`)).status).toBe(409);
  });

  it("of a target with a wrong force deletes nothing", async () => {
    const { member, ids } = await openRig();
    const refused = await member.delete(`${pathOf(ids, "target")}?force=yes`);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["query", "force"]]);
  });

  it("of a campaign waits until its calls have ended", async () => {
    const { member, ids } = await openRig();
    const simulator = "/telephony/simulator/calls";
    for (const kind of ["inbound_rtb", "number_pool"] as const) {
      if (kind === "number_pool") {
        await done(member.delete(`${pathOf(ids, kind)}/numbers/${ids.pooled_number}`));
      }
      await done(member.delete(pathOf(ids, kind)));
    }
    const call = await done(member.post(simulator, { from: "+12125550123", to: phonesOf(member.id).number }));
    expect(call.action).toBe("dial");
    const tell = (type: string) => done(member.post(`${simulator}/${call.call_id}/events`, { type }));
    for (const moment of ["dialing", "connected"]) {
      const { status, body } = await member.delete(pathOf(ids, "campaign"));
      expect([status, body.detail.code], moment).toEqual([409, "conflict"]);
      expect(body.detail.message).toContain("calls in progress");
      if (moment === "dialing") await tell("answer");
    }
    await tell("hangup");
    await done(member.delete(pathOf(ids, "campaign")));
  });
});
