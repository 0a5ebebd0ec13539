import { describe, expect, it } from "vitest";
import { aStep, type Company, foundCompany } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { join } = usePlatform();

async function openRig() {
  const member = await join();
  return { member, ids: await foundCompany(member) };
}

type Kind = Exclude<keyof Company, "row" | "spare_number" | "pooled_number" | "public_inbound_rtb">;
const paths: Readonly<Record<Kind, string>> = {
  ...{ buyer: "buyers", publisher: "publishers", target: "targets", campaign: "campaigns", custom_tag: "custom-tags" },
  ...{ outgoing_webhook: "outgoing-webhooks", incoming_webhook: "incoming-webhooks", inbound_rtb: "inbound-rtb" },
  ...{ rtb_formula: "rtbs", rtb_group: "rtb-groups", routing_plan: "routing-plans" },
  ...{ number: "numbers", number_pool: "number-pools", ivr: "ivrs", call_flow: "call-flows" },
  ...{ predictive_routing_plan: "predictive-routing-plans", blocked_caller: "blocked-callers" },
};
const kinds = Object.keys(paths) as Kind[];
const pathOf = (ids: Company, kind: Kind): string => `/api/v1/${paths[kind]}/${ids[kind]}`;

/** The least body of a create request of each kind. */
const leastBody = (ids: Company, kind: Kind): Record<string, unknown> => {
  const named = { name: "Another" };
  const bodies: Readonly<Record<Kind, Record<string, unknown>>> = {
    ...{ buyer: named, publisher: named, campaign: named, routing_plan: named, number_pool: named },
    ...{
      rtb_group: named,
      incoming_webhook: named,
      custom_tag: { key: "another" },
      number: { number: "+18775550199" },
    },
    target: { ...named, buyer_id: ids.buyer, type: "number" },
    outgoing_webhook: { ...named, event_type_id: "call.incoming", url: "https://a.example" },
    rtb_formula: { rtb_name: "Another", buyer_id: ids.buyer, steps: [aStep] },
    inbound_rtb: { campaign_id: ids.campaign, publisher_id: ids.publisher },
    ivr: { ...named, greeting: "Press 1." },
    call_flow: { ...named, steps: [{ type: "hangup" }] },
    predictive_routing_plan: named,
    blocked_caller: { number: "+12125550199" },
  };
  return bodies[kind];
};

type Fields = Record<string, unknown>;
const same = ({ updated_at: _time, ...fields }: Record<string, unknown>) => fields;

describe("a write of what was read", () => {
  it("changes nothing but the updated_at, whatever the kind", async () => {
    const { member, ids } = await openRig();
    for (const kind of kinds) {
      const path = pathOf(ids, kind);
      const read = await done(member.get(path));
      const written = await done(member.patch(path, read));
      expect(same(written), kind).toEqual(same(read));
      expect(written.updated_at > read.updated_at, kind).toBe(true);
      expect(await done(member.get(path)), kind).toEqual(written);
    }
  });

  it("leaves what nobody has chosen to follow from other fields", async () => {
    const { member, ids } = await openRig();
    const path = pathOf(ids, "campaign");
    await done(member.patch(path, await done(member.get(path))));
    const { id } = await done(member.post("/api/v1/campaigns", { name: "Menu" }));
    const read = await done(member.get(`/api/v1/campaigns/${id}`));
    const written = await done(member.patch(`/api/v1/campaigns/${id}`, { ...read, call_flow_id: ids.call_flow }));
    expect([read.execution_mode, written.execution_mode]).toEqual(["routing_plan", "call_flow"]);
    const chosen = { execution_mode: "routing_plan" };
    expect(await done(member.patch(`/api/v1/campaigns/${id}`, chosen))).toMatchObject(chosen);
  });

  it("is no choice, but what is sent by itself is one, though it says what is so already", async () => {
    const { member, ids } = await openRig();
    const { id } = await done(member.post("/api/v1/campaigns", { name: "Plain" }));
    const chosen = { execution_mode: "routing_plan" };
    await done(member.patch(`/api/v1/campaigns/${id}`, chosen));
    const patched = await done(member.patch(`/api/v1/campaigns/${id}`, { call_flow_id: ids.call_flow }));
    expect(patched).toMatchObject(chosen);
  });
});

describe("an array of rows", () => {
  type Row = Record<string, unknown>;
  const arrays: [title: string, kind: Kind, field: string, row: (ids: Company, place: number) => Row][] = [
    ["numbers of a campaign", "campaign", "number_group_items", (ids) => ({ number_id: ids.spare_number })],
    ["IVR payout rules", "campaign", "ivr_payout_rules", () => ({ payout: 5 })],
    ["routes", "routing_plan", "routes", (ids) => ({ action: "route-to-target", target_id: ids.target })],
    ["formula links", "rtb_group", "rtb_formulas", (ids) => ({ rtb_formula_id: ids.rtb_formula })],
    ["choices", "ivr", "menu", (ids, place) => ({ digit: String(place), destination: { ivr_id: ids.ivr } })],
    ["steps", "call_flow", "steps", (ids, place) => ({ type: place === 0 ? "ivr" : "hangup", ivr_id: ids.ivr })],
  ];

  it.each(arrays)("of %s keeps the ids it is sent, new ones too, and gives one to rows without", async (...array) => {
    const [, kind, field, rowOf] = array;
    const { member, ids } = await openRig();
    const rows = [{ ...rowOf(ids, 0), id: "mine" }, rowOf(ids, 1)];
    const patched = await done(member.patch(pathOf(ids, kind), { [field]: rows }));
    const [mine, given] = patched[field].map(({ id }: Row) => id);
    expect([mine, given]).toEqual(["mine", expect.stringMatching(/^[\da-f-]{36}$/)]);
    const turned = await done(member.patch(pathOf(ids, kind), { [field]: patched[field].toReversed() }));
    expect(turned[field].map(({ id }: Row) => id)).toEqual([given, mine]);
  });

  it.each(arrays)("of %s has ids of its own in a new document, a copy of another one too", async (...array) => {
    const [, kind, field, rowOf] = array;
    const { member, ids } = await openRig();
    const original = await done(member.patch(pathOf(ids, kind), { [field]: [{ ...rowOf(ids, 0), id: "mine" }] }));
    const body = { ...leastBody(ids, kind), [field]: original[field] };
    const copy = await done(member.post(`/api/v1/${paths[kind]}`, body));
    expect(copy[field]).toEqual([{ ...original[field][0], id: expect.stringMatching(/^[\da-f-]{36}$/) }]);
  });

  it.each(arrays)("of %s refuses two rows of one id, at the second", async (...array) => {
    const [, kind, field, rowOf] = array;
    const { member, ids } = await openRig();
    const rows = [{ ...rowOf(ids, 0), id: "a" }, rowOf(ids, 1), { ...rowOf(ids, 2), id: "a" }];
    const bodies = [{ ...leastBody(ids, kind), [field]: rows }, { [field]: rows }];
    for (const refused of [
      await member.post(`/api/v1/${paths[kind]}`, bodies[0]),
      await member.patch(pathOf(ids, kind), bodies[1]),
    ]) {
      expect(refused.status).toBe(422);
      expect(refused.body.detail).toMatchObject([{ loc: ["body", field, 2, "id"], type: "duplicate_id", input: "a" }]);
    }
  });

  it("of routes and of formula links may be written with the objects that a read shows, without their ids", async () => {
    const { member, ids } = await openRig();
    const plan = await done(member.get(pathOf(ids, "routing_plan")));
    const asRead = plan.routes.map(({ target_id, rtb_formula_id, rtb_group_id, ...row }: Row) => row);
    expect(same(await done(member.patch(pathOf(ids, "routing_plan"), { routes: asRead })))).toEqual(same(plan));
    const group = await done(member.get(pathOf(ids, "rtb_group")));
    const links = group.rtb_formulas.map(({ rtb_formula_id, ...row }: Row) => row);
    expect(same(await done(member.patch(pathOf(ids, "rtb_group"), { rtb_formulas: links })))).toEqual(same(group));
    expect(plan.routes).toMatchObject([
      { target: { id: ids.target, name: "Sunny target" }, rtb_formula: null, rtb_group: null, ivr: null },
      { target: null, rtb_formula: { id: ids.rtb_formula, name: "Sunny bids" } },
      { target: null, rtb_group: { id: ids.rtb_group, name: "Sunny group" } },
    ]);
  });

  it("of formula links says which one names no formula", async () => {
    const { member, ids } = await openRig();
    const rtb_formulas = [{ rtb_formula_id: ids.rtb_formula }, { maximum_bid_per_target: 5 }];
    const refused = await member.patch(pathOf(ids, "rtb_group"), { rtb_formulas });
    expect(refused.body.detail).toMatchObject([
      { loc: ["body", "rtb_formulas", 1, "rtb_formula_id"], type: "missing" },
    ]);
  });
});

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

describe("an external_id", () => {
  const withExternalId = kinds.filter((kind) => kind !== "custom_tag");

  it("belongs to one of a kind in an organization, until that one gives it up", async () => {
    const [owner, other] = [await openRig(), await openRig()];
    for (const kind of withExternalId) await expectUnique(kind, owner, other);
  });

  type Rig = Awaited<ReturnType<typeof openRig>>;
  async function expectUnique(kind: Kind, { member, ids }: Rig, other: Rig): Promise<void> {
    const base = `/api/v1/${paths[kind]}`;
    await done(member.patch(pathOf(ids, kind), { external_id: "crm-1" }));
    const body = { ...leastBody(ids, kind), external_id: "crm-1" };
    const refused = await member.post(base, body);
    expect([refused.status, refused.body.detail.code], kind).toEqual([409, "conflict"]);
    expect(refused.body.detail.message).toContain("crm-1");
    await done(other.member.post(base, { ...leastBody(other.ids, kind), external_id: "crm-1" }));

    const second = await done(member.post(base, { ...body, external_id: "crm-2" }));
    const taken = await member.patch(`${base}/${second.id}`, { external_id: "crm-1" });
    expect(taken.status).toBe(409);
    await done(member.patch(pathOf(ids, kind), { external_id: "crm-3" }));
    await done(member.patch(`${base}/${second.id}`, { external_id: "crm-1" }));
    await done(member.delete(`${base}/${second.id}`));
    await done(member.patch(pathOf(ids, kind), { external_id: "crm-1" }));
  }

  it("is not what is named where another field is taken", async () => {
    const [{ member, ids }, other] = [await openRig(), await openRig()];
    const taken = await done(member.get(pathOf(ids, "number")));
    const refused = await member.post("/api/v1/numbers", { number: taken.number });
    expect([refused.status, refused.body.detail.message]).toEqual([
      409,
      `There is a number with this number already: ${taken.number}.`,
    ]);
    const { inbound_rtb_id } = await done(member.get(pathOf(ids, "inbound_rtb")));
    await done(member.patch(pathOf(ids, "inbound_rtb"), { external_id: "same" }));
    const body = { ...leastBody(other.ids, "inbound_rtb"), inbound_rtb_id, external_id: "same" };
    const message = (await other.member.post("/api/v1/inbound-rtb", body)).body.detail.message;
    expect(message).toContain(`this inbound_rtb_id already: ${inbound_rtb_id}`);
  });

  it("may be the same on resources of different kinds", async () => {
    const { member, ids } = await openRig();
    for (const kind of withExternalId) await done(member.patch(pathOf(ids, kind), { external_id: "one-for-all" }));
  });

  it("that twenty ask for at once is one's", async () => {
    const { member } = await openRig();
    const asked = Array.from({ length: 20 }, () => member.post("/api/v1/buyers", { name: "a", external_id: "only" }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});

describe("a value that is unique", () => {
  it.each<[string, Kind, object]>([
    ["a phone number in an organization", "number", { number: "+18005550150" }],
    ["a custom tag in an organization", "custom_tag", { key: "sunny_tag" }],
  ])("as %s is, is refused a second time and free elsewhere", async (_what, kind, value) => {
    const [{ member, ids }, stranger] = [await openRig(), await join()];
    const refused = await member.post(`/api/v1/${paths[kind]}`, { ...leastBody(ids, kind), ...value });
    expect([refused.status, refused.body.detail.code]).toEqual([409, "conflict"]);
    const second = await done(member.post(`/api/v1/${paths[kind]}`, leastBody(ids, kind)));
    expect((await member.patch(`/api/v1/${paths[kind]}/${second.id}`, value)).status).toBe(409);
    await done(stranger.post(`/api/v1/${paths[kind]}`, value));
  });

  it("as the public id of an inbound RTB is, is refused on the whole platform", async () => {
    const [one, two] = [await openRig(), await openRig()];
    const { inbound_rtb_id } = await done(one.member.get(pathOf(one.ids, "inbound_rtb")));
    const body = { ...leastBody(two.ids, "inbound_rtb"), inbound_rtb_id };
    expect((await two.member.post("/api/v1/inbound-rtb", body)).status).toBe(409);
    expect((await two.member.patch(pathOf(two.ids, "inbound_rtb"), { inbound_rtb_id })).status).toBe(409);
  });
});

describe("an inbound RTB", () => {
  it("is found by its whole number and by its public id, for every operation", async () => {
    const { member, ids } = await openRig();
    const byNumber = await done(member.get(pathOf(ids, "inbound_rtb")));
    expect(byNumber.id).toBe(Number(ids.inbound_rtb));
    expect(byNumber.inbound_rtb_id).toMatch(/^inbound_rtb_\d+_[\da-z]{6}$/);
    const byName = `/api/v1/inbound-rtb/${byNumber.inbound_rtb_id}`;
    expect(await done(member.get(byName))).toEqual(byNumber);
    expect(await done(member.patch(byName, { rate_limit: 20 }))).toMatchObject({ id: byNumber.id, rate_limit: 20 });
    expect(await done(member.delete(byName))).toEqual({ success: true, id: byNumber.id });
    expect((await member.get(byName)).status).toBe(404);
  });

  it("is nobody else's by either", async () => {
    const [{ member, ids }, stranger] = [await openRig(), await join()];
    const { id, inbound_rtb_id } = await done(member.get(pathOf(ids, "inbound_rtb")));
    for (const given of [id, inbound_rtb_id, `0${id}`, "0", "nobody", "%00", "1e3"]) {
      const { status } = await stranger.get(`/api/v1/inbound-rtb/${given}`);
      expect([404, 422], String(given)).toContain(status);
    }
  });

  it("that receives on one number needs to know which", async () => {
    const { member, ids } = await openRig();
    for (const receive_mode of ["static_standard", "static_multi_bid"]) {
      const refused = await member.patch(pathOf(ids, "inbound_rtb"), { receive_mode });
      expect([refused.status, refused.body.detail[0]]).toMatchObject([
        422,
        { loc: ["body", "receive_number_id"], type: "missing" },
      ]);
    }
  });
});

describe("a custom tag", () => {
  it("cannot have a name of the platform's own", async () => {
    const { member, ids } = await openRig();
    const own = ["caller_id", "call_id", "payout", "payout_numeric", "state", "utm_source", "gclid", "visitor_ip"];
    for (const key of own) {
      for (const { status, body } of [
        await member.post("/api/v1/custom-tags", { key }),
        await member.patch(pathOf(ids, "custom_tag"), { key }),
      ]) {
        expect([status, body.detail.code], key).toEqual([409, "conflict"]);
        expect(body.detail.message).toContain(`[${key.toUpperCase()}]`);
      }
    }
  });
});

describe("a menu", () => {
  it("has a digit once, and says which is the second", async () => {
    const { member, ids } = await openRig();
    const menu = ["1", "#", "1", "#"].map((digit) => ({ digit, destination: { target_id: ids.target } }));
    const refused = [
      await member.post("/api/v1/ivrs", { ...leastBody(ids, "ivr"), menu }),
      await member.patch(pathOf(ids, "ivr"), { menu }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.detail]).toMatchObject([
        422,
        [
          { loc: ["body", "menu", 2, "digit"], type: "duplicate_digit", input: "1" },
          { loc: ["body", "menu", 3, "digit"], type: "duplicate_digit", input: "#" },
        ],
      ]);
    }
  });

  it("has all twelve digits at the most", async () => {
    const { member, ids } = await openRig();
    const menu = [..."0123456789*#"].map((digit) => ({ digit, destination: { ivr_id: ids.ivr } }));
    expect((await done(member.patch(pathOf(ids, "ivr"), { menu }))).menu).toMatchObject(menu);
  });
});

describe("a step of a call flow", () => {
  it("needs what its type does, and keeps nothing of another", async () => {
    const { member, ids } = await openRig();
    const all = { text: "Welcome.", ivr_id: ids.ivr, routing_plan_id: ids.routing_plan };
    const types = { say: "text", ivr: "ivr_id", routing_plan: "routing_plan_id" } as const;
    for (const [type, field] of Object.entries(types)) {
      const { [field]: value, ...others } = all;
      const refused = await member.patch(pathOf(ids, "call_flow"), { steps: [{ type, ...others }] });
      expect(refused.body.detail).toMatchObject([{ loc: ["body", "steps", 0, field], type: "missing" }]);
      const patched = await done(member.patch(pathOf(ids, "call_flow"), { steps: [{ id: "a", type, ...all }] }));
      expect(patched.steps).toEqual([{ id: "a", type, [field]: value }]);
    }
    const patched = await done(
      member.patch(pathOf(ids, "call_flow"), { steps: [{ id: "a", type: "hangup", ...all }] }),
    );
    expect(patched.steps).toEqual([{ id: "a", type: "hangup" }]);
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

  it("of a campaign leaves its numbers to the next one that lists them", async () => {
    const { member, ids } = await openRig();
    const item = { number_id: ids.spare_number };
    const made = [];
    for (const name of ["First", "Second"]) {
      made.push(await done(member.post("/api/v1/campaigns", { name, number_group_items: [item] })));
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
    const call = await done(member.post(simulator, { from: "+12125550123", to: "+18005550150" }));
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

describe("patches at the same time", () => {
  it("of different fields of one document lose nothing", async () => {
    const { member, ids } = await openRig();
    const path = pathOf(ids, "campaign");
    const changes: Record<string, unknown> = {
      ...{ name: "A", payout: 1, timezone: "UTC", conversion_scope: 2, qai_category_id: 3, tcpa_scrubbing: "default" },
      ...{
        call_flow_id: ids.call_flow,
        execution_mode: "call_flow",
        is_active: false,
        external_id: "x",
        advanced_caps: [{}],
      },
      ...{ preconverted_caller: true, preconverted_destination: true, preconverted_publisher: true },
      ...{ preconverted_campaign: true, disable_recordings: true, access_to_call_recordings: false },
      ...{ expose_ineligible_routes: true, ineligible_routes_fields: "reason", outgoing_webhooks: [] },
    };
    const fields = Object.entries(changes);
    expect(fields).toHaveLength(20);
    const patched = await Promise.all(fields.map(([name, value]) => member.patch(path, { [name]: value })));
    expect(patched.map(({ status }) => status)).toEqual(fields.map(() => 200));
    expect(await done(member.get(path))).toMatchObject(changes);
  });

  it("of one field leave one of the values that were sent", async () => {
    const { member, ids } = await openRig();
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
    await Promise.all(names.map((name) => done(member.patch(pathOf(ids, "buyer"), { name }))));
    expect(names).toContain((await done(member.get(pathOf(ids, "buyer")))).name);
  });
});

describe("a decision", () => {
  it("after the answer to a change is made on what was changed", async () => {
    const { member, ids } = await openRig();
    for (let round = 0; round < 5; round += 1) {
      const action = await decideAfter(member, pathOf(ids, "target"), { is_active: round % 2 === 1 });
      expect(action).toBe(round % 2 === 1 ? "dial" : "reject");
    }
  });

  async function decideAfter(member: Member, path: string, body: object): Promise<string> {
    await done(member.patch(path, body));
    const call = { from: "+12125550123", to: "+18005550150" };
    return (await done(member.post("/telephony/simulator/calls", call))).action;
  }
});
