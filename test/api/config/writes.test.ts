import { describe, expect, it } from "vitest";
import { type Company, foundCompany } from "../company.ts";
import { type Answer, done, usePlatform } from "../use-platform.ts";
import { type Kind, leastBody, paths } from "./company-paths.ts";

const { join } = usePlatform();
async function openRig() {
  const member = await join();
  return { member, ids: await foundCompany(member) };
}
const kinds = Object.keys(paths) as Kind[];
const pathOf = (ids: Company, kind: Kind): string => `/api/v1/${paths[kind]}/${ids[kind]}`;
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

describe("a field that a kind does not have", () => {
  const ignoredIn = ({ status, headers }: Answer) => [status, headers.get("x-ignored-fields")];

  it("is ignored and named, with the one that it may be meant for, and its place in rows", async () => {
    const { member, ids } = await openRig();
    const created = await member.post("/api/v1/publishers", { name: "ZZ", foo: 1, payuot: 5 });
    expect(ignoredIn(created)).toEqual([201, '"foo", "payuot";did-you-mean="payout"']);
    const route = { action: "route-to-target", target_id: ids.target };
    const routes = [route, { ...route, priorty: 1 }];
    const patched = await member.patch(pathOf(ids, "routing_plan"), { routes });
    expect(ignoredIn(patched)).toEqual([200, '"routes.1.priorty";did-you-mean="routes.1.priority"']);
    const paused = await member.post(`${pathOf(ids, "publisher")}/pause`, { duration: 5 });
    expect(ignoredIn(paused)).toEqual([200, '"duration";did-you-mean="duration_minutes"']);
  });

  it("is none that a read of the kind shows, on a patch and on a copy", async () => {
    const { member, ids } = await openRig();
    for (const kind of kinds) {
      const read = await done(member.get(pathOf(ids, kind)));
      expect(ignoredIn(await member.patch(pathOf(ids, kind), read)), kind).toEqual([200, null]);
      const copied = await member.post(`/api/v1/${paths[kind]}`, { ...read, ...leastBody(ids, kind) });
      expect(copied.headers.get("x-ignored-fields"), kind).toBeNull();
    }
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

  it.each(arrays)("of %s keeps the ids it is sent in a new document, of another one too", async (...array) => {
    const [, kind, field, rowOf] = array;
    const { member, ids } = await openRig();
    const original = await done(member.patch(pathOf(ids, kind), { [field]: [{ ...rowOf(ids, 0), id: "mine" }] }));
    // A number is one active campaign's.
    if (field === "number_group_items") await done(member.patch(pathOf(ids, kind), { is_active: false }));
    const made = await done(
      member.post(`/api/v1/${paths[kind]}`, { ...leastBody(ids, kind), [field]: original[field] }),
    );
    expect(made[field]).toEqual(original[field]);
    await done(member.delete(`/api/v1/${paths[kind]}/${made.id}`));
    const { id: _id, ...without } = original[field][0];
    const other = await done(member.post(`/api/v1/${paths[kind]}`, { ...leastBody(ids, kind), [field]: [without] }));
    expect(other[field]).toEqual([{ ...without, id: expect.stringMatching(/^[\da-f-]{36}$/) }]);
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
  it("as a custom tag in an organization is, is refused a second time and free elsewhere", async () => {
    const [kind, value] = ["custom_tag", { key: "sunny_tag" }] as const;
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

describe("patches at the same time", () => {
  it("of different fields of one document lose nothing", async () => {
    const { member, ids } = await openRig();
    const path = pathOf(ids, "campaign");
    const changes: Record<string, unknown> = {
      name: "A",
      payout: 1,
      timezone: "UTC",
      conversion_scope: 2,
      qai_category_id: 3,
      tcpa_scrubbing: "default",
      call_flow_id: ids.call_flow,
      execution_mode: "call_flow",
      is_active: false,
      external_id: "x",
      advanced_caps: [{}],
      preconverted_caller: true,
      preconverted_destination: true,
      preconverted_publisher: true,
      preconverted_campaign: true,
      disable_recordings: true,
      access_to_call_recordings: false,
      expose_ineligible_routes: true,
      ineligible_routes_fields: "reason",
      outgoing_webhooks: [],
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
