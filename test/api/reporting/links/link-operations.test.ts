import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longestDoc, mostLinks } from "../../../../api/reporting/links/link-rows.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { openConversations } from "../conversations/conversation-server.ts";

const dayMs = 24 * 60 * 60 * 1000;
let rig: Awaited<ReturnType<typeof openConversations>>;
beforeAll(async () => {
  rig = await openConversations();
});
afterAll(() => rig.close());

type Analyst = NonNullable<Parameters<typeof rig.send>[2]>;
const share = (query: string, plan: unknown, analyst: Analyst = {}) =>
  rig.send("POST", "/links", { ...analyst, body: { query, plan } });
const open = (id: string, analyst: Analyst = {}) => rig.send("GET", `/links/${id}`, analyst);
const planOf = async (query: string) => (await rig.ask({ query })).body.plan;
const countLinks = async () =>
  Number((await rig.database.query("SELECT count(*) AS links FROM shared_links"))[0]?.["links"]);

describe("a short link", () => {
  it("asks for last month of the day on which it is opened, and tells which month was meant", async () => {
    const plan = await planOf("revenue by campaign last month");
    const { status, body: link } = await share("revenue by campaign last month", plan);
    expect([status, link.moves]).toEqual([201, true]);
    expect(link.id).toMatch(/^[\w-]{12}$/);
    rig.clock.advance(31 * dayMs);
    const { body } = await open(link.id, { user: "colleague" });
    expect(body).toMatchObject({
      query: "revenue by campaign last month",
      created_by: "user:analyst",
      shared_plan: plan,
    });
    expect(body.plan.period.from).toBe(plan.period.to);
    expect({ ...body.plan, period: plan.period }).toEqual(plan);
  });

  it("keeps dates that were named", async () => {
    const plan = await planOf("calls from 2026-10-05 to 2026-10-09");
    const { body: link } = await share("those days", plan);
    rig.clock.advance(31 * dayMs);
    expect((await open(link.id)).body.plan.period).toEqual(plan.period);
  });

  it("is the same for the same question, and only for its organization", async () => {
    const plan = await planOf("calls by publisher last week");
    const [first, second] = [await share("calls", plan), await share("calls", plan, { user: "colleague" })];
    expect(second.body.id).toBe(first.body.id);
    expect((await share("calls by publisher", plan)).body.id).not.toBe(first.body.id);
    expect((await open(first.body.id, { org: orgTwo })).status).toBe(404);
  });

  it("expires half a year after it was shared last, and is cleaned up", async () => {
    const plan = await planOf("calls last week");
    const { body: link } = await share("calls last week", plan);
    rig.clock.advance(100 * dayMs);
    await share("calls last week", plan);
    rig.clock.advance(179 * dayMs);
    expect((await open(link.id)).status).toBe(200);
    rig.clock.advance(2 * dayMs);
    expect((await open(link.id)).status).toBe(404);
    await share("calls today", await planOf("calls today"));
    expect(await countLinks()).toBe(1);
  });

  it("takes no plan that cannot be run, none that is too long, and not too many", async () => {
    const plan = await planOf("calls last week");
    expect((await share("calls", { ...plan, measures: ["beauty"] })).status).toBe(422);
    const values = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(1000, "x"));
    const long = { ...plan, filters: [{ field: "campaign", op: "is", values }] };
    expect(JSON.stringify(long).length).toBeGreaterThan(longestDoc);
    const { status, body } = await share("calls", long);
    expect([status, body.detail[0].msg]).toEqual([422, "is too long for a short link"]);
    const rows = Array.from({ length: mostLinks }, (_, index) => `('${orgOne}', 'x${index}', 'u', 'a', '9999', '{}')`);
    await rig.database.query(
      `INSERT INTO shared_links (org_id, id, created_by, created_at, expires_at, doc) VALUES ${rows.join(", ")}`,
    );
    expect((await share("one more", plan)).status).toBe(409);
    expect((await share("calls", plan, { org: orgTwo })).status).toBe(201);
    expect((await open("x1")).status).toBe(404);
  });
});
