import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orgOne, orgTwo } from "../../../make.ts";
import { openConversations } from "../conversations/conversation-server.ts";

const dayMs = 24 * 60 * 60 * 1000;
let rig: Awaited<ReturnType<typeof openConversations>>;
beforeAll(async () => {
  rig = await openConversations();
});
afterAll(() => rig.close());

/** Asks a question and saves it; what was answered, and what was saved. */
async function save(query: string, name = query) {
  const { body: answer } = await rig.ask({ query });
  const { status, body } = await rig.send("POST", "/saved", { body: { name, query, plan: answer.plan } });
  expect(status, JSON.stringify(body)).toBe(201);
  return { answer, saved: body };
}
const fetched = async (id: string) => (await rig.fetch(`/reports/saved/${id}`)).body;

describe("a saved question", () => {
  it("is answered for the holder of a key as it was for the analyst", async () => {
    const { answer, saved } = await save("calls by campaign last month");
    expect(saved).toMatchObject({
      query: "calls by campaign last month",
      created_by: "user:analyst",
      moves: true,
    });
    const { data, plan, sql, name } = await fetched(saved.id);
    expect({ data, plan, sql, name }).toEqual({
      data: answer.data,
      plan: answer.plan,
      sql: answer.sql,
      name: "calls by campaign last month",
    });
    expect(data.rows.length).toBeGreaterThan(0);
  });

  it("is of the period that its words mean on the day on which it is fetched", async () => {
    const moving = [await save("calls last month"), await save("calls today"), await save("calls all time")];
    const compared = await save("calls this month vs last month");
    const { plan } = compared.answer;
    const { body: fixed } = await rig.send("POST", "/saved", { body: { name: "fixed", plan } });
    expect([compared.saved.moves, fixed.moves]).toEqual([true, false]);
    rig.clock.advance(31 * dayMs);
    const [lastMonth, today, allTime] = await Promise.all(moving.map(({ saved }) => fetched(saved.id)));
    const [before] = moving;
    expect(lastMonth.plan.period.from).toBe(before?.answer.plan.period.to);
    expect(Date.parse(today.plan.period.to)).toBe(rig.clock.now());
    expect(allTime.plan.period).toBeNull();
    expect((await fetched(compared.saved.id)).plan.compare.from).toBe(plan.period.from);
    expect((await rig.send("GET", `/saved/${compared.saved.id}`)).body.plan.compare.from).toBe(plan.period.from);
    const unmoved = await fetched(fixed.id);
    expect([unmoved.plan.period, unmoved.plan.compare]).toEqual([plan.period, plan.compare]);
  });

  it("that is saved a while after its answer moves all the same", async () => {
    const { body: answer } = await rig.ask({ query: "calls last 24 hours" });
    rig.clock.advance(10 * 60 * 1000);
    const { body: saved } = await rig.send("POST", "/saved", { body: { name: "late", plan: answer.plan } });
    expect(saved).toMatchObject({ moves: true, query: null });
    expect(Date.parse((await fetched(saved.id)).plan.period.to)).toBe(rig.clock.now());
  });

  it("is listed and opened by anybody of the organization, renamed and deleted by its owner, by nobody else", async () => {
    const { answer, saved } = await save("calls yesterday", "to be renamed");
    const path = `/saved/${saved.id}`;
    const other = { user: "colleague" };
    const seen = { ...saved, may_change: false };
    expect((await rig.send("GET", path, other)).body).toEqual({ ...seen, plan: answer.plan });
    expect((await rig.send("GET", "/saved", other)).body.data).toContainEqual(seen);
    const { may_change: _of, ...forKeys } = saved;
    expect((await rig.fetch("/reports/saved?limit=200")).body.data).toContainEqual(forKeys);
    const renamed = await rig.send("PATCH", path, { body: { name: " Yesterday " } });
    expect(renamed.body).toMatchObject({ id: saved.id, name: "Yesterday", query: "calls yesterday", may_change: true });

    const refused = await rig.send("PATCH", path, { ...other, body: { name: "mine now" } });
    expect([refused.status, refused.body.detail.code]).toEqual([403, "forbidden"]);
    expect((await rig.send("DELETE", path, other)).status).toBe(403);
    expect((await rig.send("GET", path)).body).toMatchObject({ name: "Yesterday" });

    const stranger = { org: orgTwo };
    expect((await rig.send("GET", "/saved", stranger)).body.data).toEqual([]);
    expect((await rig.fetch("/reports/saved", stranger)).body.meta.total).toBe(0);
    const tries = [
      rig.send("GET", path, stranger),
      rig.send("PATCH", path, { ...stranger, body: { name: "stolen" } }),
      rig.send("DELETE", path, stranger),
      rig.fetch(`/reports/saved/${saved.id}`, stranger),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);

    expect((await rig.send("DELETE", path)).body).toEqual({ success: true, id: saved.id });
    expect((await rig.fetch(`/reports/saved/${saved.id}`)).status).toBe(404);
    expect((await rig.send("DELETE", path, other)).status).toBe(404);
  });

  it("is renamed and deleted by an admin of the organization, and by none of another", async () => {
    const { saved } = await save("calls last week", "the analyst's");
    const path = `/saved/${saved.id}`;
    const boss = { user: "boss", admin: true };
    const stranger = { ...boss, org: orgTwo };
    expect((await rig.send("PATCH", path, { ...stranger, body: { name: "stolen" } })).status).toBe(404);
    expect((await rig.send("DELETE", path, stranger)).status).toBe(404);
    const renamed = await rig.send("PATCH", path, { ...boss, body: { name: "for the board" } });
    expect(renamed.body).toMatchObject({ name: "for the board", created_by: "user:analyst", may_change: true });
    expect((await rig.send("DELETE", path, boss)).status).toBe(200);
  });

  it("stands in the audit log with who created, renamed and deleted it, and what it was", async () => {
    const { saved } = await save("calls by buyer last week", "by buyer");
    const path = `/saved/${saved.id}`;
    await rig.send("PATCH", path, { body: { name: "buyers" } });
    // Nothing that changes, and nothing that is refused.
    await rig.send("PATCH", path, { body: { name: "buyers" } });
    await rig.send("PATCH", path, { user: "colleague", body: { name: "mine now" } });
    await rig.send("DELETE", path, { user: "boss", admin: true });
    const records = await rig.audited(saved.id);
    const told = records.map(({ actor_id, action, entity_name, changes }) => [
      actor_id,
      action,
      entity_name,
      ...changes.map(({ field, old, new: changed }) => (field === "plan" ? [field] : [field, old, changed])),
    ]);
    expect(told).toEqual([
      ["analyst", "create", "by buyer", ["name", null, "by buyer"], ["query", null, saved.query], ["plan"]],
      ["analyst", "update", "buyers", ["name", "by buyer", "buyers"]],
      ["boss", "delete", "buyers", ["name", "buyers", null], ["query", saved.query, null], ["plan"]],
    ]);
    expect(records[0]).toMatchObject({ entity_type: "saved_question", org_id: orgOne, actor_type: "user" });
  });

  it("that a later version can no longer run is listed, opened without a plan, and said to be outdated", async () => {
    const { saved } = await save("calls by state yesterday");
    await rig.database.query("UPDATE saved_questions SET doc = $1 WHERE id = $2", ['{"query": 1}', saved.id]);
    const shown = { ...saved, query: null, moves: false };
    expect((await rig.send("GET", "/saved")).body.data).toContainEqual(shown);
    expect((await rig.send("GET", `/saved/${saved.id}`)).body).toEqual({ ...shown, plan: null });
    const { status, body } = await rig.fetch(`/reports/saved/${saved.id}`);
    expect([status, body.detail.code]).toEqual([409, "question_outdated"]);
  });

  it("needs a name, and a plan that can be run", async () => {
    const { body: answer } = await rig.ask({ query: "calls yesterday" });
    const faults = [
      { name: "", plan: answer.plan },
      { name: "x".repeat(256), plan: answer.plan },
      { name: "no plan" },
      { name: "no measure", plan: { ...answer.plan, measures: ["secrets"] } },
      { name: "an injection", plan: { ...answer.plan, dimensions: ["1; DROP TABLE calls"] } },
    ];
    for (const body of faults) expect((await rig.send("POST", "/saved", { body })).status, body.name).toBe(422);
  });
});
