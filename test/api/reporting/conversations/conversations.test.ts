import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { offlinePlanner, type Planner, type Planning } from "../../../../assistant/planning.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { openConversations } from "./conversation-server.ts";

let open: Awaited<ReturnType<typeof openConversations>>;
let users = 0;
/** A user who has asked nothing yet. */
const aUser = () => ({ user: `user-${++users}` });
beforeAll(async () => {
  open = await openConversations();
});
afterAll(() => open.close());

const revenueByCampaign = "revenue by campaign last month";
const minuteMs = 60_000;

describe("a session", () => {
  it("is listed for the page where it was last asked in there", async () => {
    const user = aUser();
    const { body: program } = await open.ask({ query: revenueByCampaign }, user);
    open.clock.advance(minuteMs);
    const { body: person } = await open.ask({ query: revenueByCampaign, origin: "page" }, user);
    const idsOf = async (query: string) =>
      (await open.send("GET", `/sessions${query}`, user)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf("?origin=page")).toEqual([person.session_id]);
    expect(await idsOf("")).toEqual([person.session_id, program.session_id]);
    open.clock.advance(minuteMs);
    await open.ask({ query: "by publisher", session_id: program.session_id, origin: "page" }, user);
    expect(await idsOf("?origin=page")).toEqual([program.session_id, person.session_id]);
  });

  it("is found by what its title or one of its questions has in it, as it stands and in any case", async () => {
    const [user, other] = [aUser(), aUser()];
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    await open.ask({ query: "calls over 100% of 5_5 by publisher", session_id: first.session_id }, user);
    open.clock.advance(minuteMs);
    const { body: second } = await open.ask({ query: "how many calls were there today?" }, user);
    await open.ask({ query: revenueByCampaign }, other);
    const found = async (text: string) => {
      const { body } = await open.send("GET", `/sessions?search=${encodeURIComponent(text)}`, user);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await found("BY CAMPAIGN")).toEqual([first.session_id]);
    expect(await found("calls")).toEqual([second.session_id, first.session_id]);
    expect(await found("100% of 5_5")).toEqual([first.session_id]);
    expect(await found("100%5")).toEqual([]);
    expect(await found("nobody asked this")).toEqual([]);
    expect((await open.send("GET", "/sessions?search=%20", user)).status).toBe(422);
  });

  it("begins with a question, goes on by its id, and keeps both questions with their answers", async () => {
    const user = aUser();
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    open.clock.advance(minuteMs);
    const { body: second } = await open.ask({ query: "by publisher instead", session_id: first.session_id }, user);
    expect(second).toMatchObject({ session_id: first.session_id, plan: { dimensions: ["publisher"] } });
    const sessions = (await open.send("GET", "/sessions", user)).body;
    expect(sessions).toMatchObject({ meta: { total: 1 }, data: [{ id: first.session_id, title: revenueByCampaign }] });
    const path = `/sessions/${first.session_id}/messages`;
    const { body: kept } = await open.send("GET", `${path}?sort_direction=asc`, user);
    expect(kept.data).toEqual([
      { ...first, query: revenueByCampaign, created_at: expect.any(String), rows_kept: true, feedback: null },
      { ...second, query: "by publisher instead", created_at: expect.any(String), rows_kept: true, feedback: null },
    ]);
    expect((await open.send("GET", `${path}?limit=1`, user)).body.data[0].message_id).toBe(second.message_id);
  });

  it("begins by an id that its user chose, and goes on by it", async () => {
    const user = aUser();
    const session_id = `crm/lead ${"ü".repeat(119)}`;
    const { body: first } = await open.ask({ query: revenueByCampaign, session_id }, user);
    const { body: second } = await open.ask({ query: "by publisher instead", session_id }, user);
    expect([first.session_id, second.session_id]).toEqual([session_id, session_id]);
    expect(second.plan).toMatchObject({ measures: ["revenue"], dimensions: ["publisher"] });
    const sessions = (await open.send("GET", "/sessions", user)).body;
    expect(sessions).toMatchObject({ meta: { total: 1 }, data: [{ id: session_id, title: revenueByCampaign }] });
    const { body: kept } = await open.send("GET", `/sessions/${encodeURIComponent(session_id)}/messages`, user);
    expect(kept.meta.total).toBe(2);
    const tooLong = await open.ask({ query: revenueByCampaign, session_id: "x".repeat(129) }, user);
    expect([tooLong.status, tooLong.body.detail[0].loc]).toEqual([422, ["body", "session_id"]]);
  });

  it("is one when two questions begin it at once", async () => {
    const user = aUser();
    const both = [revenueByCampaign, "calls last week"].map((query) => open.ask({ query, session_id: "both" }, user));
    for (const { body } of await Promise.all(both)) {
      expect(body).toMatchObject({ session_id: "both", message_id: expect.any(String) });
    }
    expect((await open.send("GET", "/sessions", user)).body.meta.total).toBe(1);
    expect((await open.send("GET", "/sessions/both/messages", user)).body.meta.total).toBe(2);
  });

  it.each([[null], [""], [undefined]])("gets an id of its own for %j", async (session_id) => {
    const { status, body } = await open.ask({ query: revenueByCampaign, session_id }, aUser());
    expect([status, body.session_id]).toEqual([200, expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  it("is followed up past an answer without a plan", async () => {
    const user = aUser();
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    await open.ask({ query: "delete all calls", session_id: first.session_id }, user);
    const { body } = await open.ask({ query: "by publisher instead", session_id: first.session_id }, user);
    expect(body.plan.dimensions).toEqual(["publisher"]);
  });

  it.each([
    ["another user of the organization", { user: "somebody-else" }],
    ["a user of the same name in another organization", { org: orgTwo }],
  ])("is nothing to %s", async (_who, other) => {
    const user = aUser();
    const stranger = { ...user, ...other };
    const { body: mine } = await open.ask({ query: revenueByCampaign }, user);
    const tries = [
      open.send("GET", `/sessions/${mine.session_id}/messages`, stranger),
      open.send("DELETE", `/sessions/${mine.session_id}`, stranger),
      open.send("POST", `/messages/${mine.message_id}/feedback`, { ...stranger, body: { useful: true } }),
    ];
    for (const { status, body } of await Promise.all(tries)) {
      expect([status, body.detail.code]).toEqual([404, "not_found"]);
    }
    expect((await open.send("GET", "/sessions", stranger)).body.data).not.toContainEqual(
      expect.objectContaining({ id: mine.session_id }),
    );
    const { body } = await open.send("GET", `/sessions/${mine.session_id}/messages`, user);
    expect(body.data).toMatchObject([{ message_id: mine.message_id, feedback: null }]);
  });

  it("has a name that is its user's own, whoever else uses it", async () => {
    const mine = aUser();
    const users = [mine, aUser(), { ...mine, org: orgTwo }];
    const session_id = `default of ${mine.user}`;
    const path = `/sessions/${encodeURIComponent(session_id)}`;
    const queries = [revenueByCampaign, "calls by state last week", "payout by buyer last month"];
    const asked = await Promise.all(users.map((user, index) => open.ask({ query: queries[index], session_id }, user)));
    for (const { status, body } of asked) expect([status, body.session_id]).toEqual([200, session_id]);
    for (const [index, user] of users.entries()) {
      const { body } = await open.send("GET", `${path}/messages`, user);
      expect(body.data).toMatchObject([{ query: queries[index], message_id: asked[index]?.body.message_id }]);
      expect((await open.send("GET", "/sessions", user)).body).toMatchObject({
        meta: { total: 1 },
        data: [{ id: session_id, title: queries[index] }],
      });
    }
    expect((await open.send("DELETE", path, users[1] ?? mine)).status).toBe(200);
    const { body: next } = await open.ask({ query: "by publisher instead", session_id }, mine);
    expect(next.plan).toMatchObject({ measures: ["revenue"], dimensions: ["publisher"] });
    expect((await open.send("GET", `${path}/messages`, mine)).body.meta.total).toBe(2);
  });

  it("is gone with its messages once it is deleted, and begins anew when its id is used again", async () => {
    const user = aUser();
    const { body: asked } = await open.ask({ query: revenueByCampaign }, user);
    const path = `/sessions/${asked.session_id}`;
    expect((await open.send("DELETE", path, user)).body).toEqual({ success: true, id: asked.session_id });
    const again = [open.send("DELETE", path, user), open.send("GET", `${path}/messages`, user)];
    const feedback = open.send("POST", `/messages/${asked.message_id}/feedback`, { ...user, body: { useful: true } });
    for (const { status } of await Promise.all([...again, feedback])) expect(status).toBe(404);
    const more = await open.ask({ query: "calls last week", session_id: asked.session_id }, user);
    expect([more.status, more.body.session_id]).toEqual([200, asked.session_id]);
    expect((await open.send("GET", `${path}/messages`, user)).body.data).toMatchObject([{ query: "calls last week" }]);
  });
});

describe("a history that the client sends", () => {
  it("is followed up by its last plan, rather than the session's", async () => {
    const user = aUser();
    const { body: calls } = await open.ask({ query: "calls by state last week" }, user);
    const { body: revenue } = await open.ask({ query: revenueByCampaign }, user);
    const history = [{ query: "calls by state last week", plan: calls.plan }];
    const given = { query: "only last month", session_id: revenue.session_id, conversation_history: history };
    expect((await open.ask(given, user)).body.plan).toMatchObject({ dimensions: ["state"] });
  });

  it.each([
    ["questions", [{ query: revenueByCampaign }]],
    [
      "a chat",
      [
        { role: "user", content: revenueByCampaign },
        { role: "assistant", content: "Solar East brought most." },
      ],
    ],
  ])("without plans is read again: %s", async (_how, history) => {
    const given = { query: "by publisher instead", conversation_history: history };
    const { body } = await open.ask(given, aUser());
    expect(body.plan).toMatchObject({ measures: ["revenue"], dimensions: ["publisher"] });
  });
});

describe("a history that another program wrote", () => {
  const outdated = { subject: "calls", figures: ["revenue"] };

  it.each([
    ["a plan of another shape", { query: revenueByCampaign, plan: outdated }],
    ["a plan that is no object", { role: "user", content: revenueByCampaign, plan: "revenue" }],
    ["fields of other types", { query: revenueByCampaign, role: 5, content: [{ type: "text", text: "?" }], sql: {} }],
    ["fields that are too long", { query: revenueByCampaign, role: "a".repeat(41), sql: "a".repeat(1_000_000) }],
    ["fields that are not known", { query: revenueByCampaign, cost: 0.2, id: null }],
  ])("is read as far as it can be: with %s", async (_how, turn) => {
    const { body: calls } = await open.ask({ query: "calls by state last week" }, aUser());
    const history = [{ query: "calls by state last week", plan: calls.plan }, turn];
    const given = { query: "by publisher instead", conversation_history: "plan" in turn ? history : [turn] };
    const { status, body } = await open.ask(given, aUser());
    expect(status).toBe(200);
    expect(body.plan).toMatchObject({ measures: ["revenue"], dimensions: ["publisher"] });
  });

  it("is refused where its turns are no objects", async () => {
    const { status } = await open.ask({ query: revenueByCampaign, conversation_history: [5] }, aUser());
    expect(status).toBe(422);
  });
});

describe("a history of any length", () => {
  it("is none when it is null", async () => {
    const user = aUser();
    const { body: first } = await open.ask({ query: revenueByCampaign, conversation_history: null }, user);
    const more = { query: "by publisher instead", session_id: first.session_id, conversation_history: null };
    const { status, body } = await open.ask(more, user);
    expect([status, body.plan.dimensions]).toEqual([200, ["publisher"]]);
  });

  it("is cut to its newest hundred turns", async () => {
    const user = aUser();
    const { body: calls } = await open.ask({ query: "calls by state last week" }, user);
    const talk = Array.from({ length: 99 }, () => ({ role: "assistant", content: "Anything else?" }));
    const history = [{ query: "calls by state last week", plan: calls.plan }, ...talk];
    const dimensionsAfter = async (conversation_history: object[]) => {
      const { status, body } = await open.ask({ query: "only last month", conversation_history }, user);
      expect(status).toBe(200);
      return body.plan?.dimensions;
    };
    expect(await dimensionsAfter(history)).toEqual(["state"]);
    expect(await dimensionsAfter([...history, { role: "user", content: "Thanks" }])).not.toEqual(["state"]);
    expect(await dimensionsAfter([...talk, ...history])).toEqual(["state"]);
  });
});

describe("an answer by SQL", () => {
  const sql = "SELECT campaign_name, count(*) AS calls FROM calls GROUP BY 1 HAVING count(*) > 1";
  const question = "campaigns whose second call was dearer than their first";
  const heard: Planning[] = [];
  /** A model that writes SQL for one question; all else is left to the rules. */
  const planner: Planner = {
    async plan(planning) {
      heard.push(planning);
      if (planning.text !== question) return offlinePlanner.plan(planning);
      const result = { columns: [{ name: "calls", type: "integer" as const }], rows: [{ calls: 2 }], truncated: false };
      return { outcome: { kind: "selected", sql, reading: "Such campaigns.", result }, planner: "llm" };
    },
  };
  let server: Awaited<ReturnType<typeof openConversations>>;
  beforeAll(async () => {
    server = await openConversations({ planner });
  });
  afterAll(() => server.close());

  it("is what the next question of its session refers to, not the plan before it", async () => {
    const user = aUser();
    const { body: planned } = await server.ask({ query: revenueByCampaign }, user);
    const { session_id } = planned;
    expect((await server.ask({ query: question, session_id }, user)).body).toMatchObject({ plan: null, sql });
    const { body } = await server.ask({ query: "only Texas", session_id }, user);
    expect(heard.at(-1)).toMatchObject({ text: "only Texas", previousSql: sql });
    expect(heard.at(-1)?.previous).toBeUndefined();
    expect(body).toMatchObject({ plan: null, sql: "", answer: expect.stringMatching(/cannot change SQL by rules/) });
    // What has no answer is not referred to.
    await server.ask({ query: "by publisher instead", session_id }, user);
    expect(heard.at(-1)).toMatchObject({ previousSql: sql });
  });

  it("is referred to in a history that the client sends", async () => {
    const history = [
      { query: revenueByCampaign, plan: (await server.ask({ query: revenueByCampaign }, aUser())).body.plan },
      { query: question, sql },
    ];
    await server.ask({ query: "only Texas", conversation_history: history }, aUser());
    expect(heard.at(-1)).toMatchObject({ previousSql: sql });
    await server.ask({ query: "only Texas", conversation_history: history.toReversed() }, aUser());
    expect(heard.at(-1)).toMatchObject({ previous: { measures: ["revenue"] } });
    expect(heard.at(-1)?.previousSql).toBeUndefined();
  });

  it("leaves a question of its own as it is", async () => {
    const history = [{ query: question, sql }];
    const { body } = await server.ask({ query: revenueByCampaign, conversation_history: history }, aUser());
    expect(body).toMatchObject({ plan: { measures: ["revenue"], dimensions: ["campaign"] } });
  });
});

describe("a plan that is sent", () => {
  it("is answered as it is, with a question in words when none is given", async () => {
    const user = aUser();
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    const plan = { ...first.plan, dimensions: ["buyer"] };
    const { body } = await open.ask({ plan, session_id: first.session_id }, user);
    expect(body.plan).toEqual(plan);
    const { body: kept } = await open.send("GET", `/sessions/${first.session_id}/messages?limit=1`, user);
    expect(kept.data[0].query).toMatch(/^Revenue by buyer last month/);
  });

  it("has its period changed by words", async () => {
    const { body: first } = await open.ask({ query: revenueByCampaign }, aUser());
    const { body } = await open.ask({ plan: first.plan, period: "last 7 days" }, aUser());
    expect(body.plan).toMatchObject({ measures: ["revenue"], period: { label: "last 7 days" } });
    const { body: all } = await open.ask({ plan: first.plan, period: null }, aUser());
    expect(all.plan.period).toBeNull();
  });

  it("has the period that it is compared with changed by words, and taken away", async () => {
    const { body: first } = await open.ask({ query: revenueByCampaign }, aUser());
    const { body: before } = await open.ask({ plan: first.plan, compare: "the period before" }, aUser());
    expect(before.plan).toMatchObject({
      period: { label: "last month" },
      compare: { label: "the period before", from: "2026-09-01T04:00:00.000Z", to: first.plan.period.from },
    });
    const both = { plan: before.plan, period: "last week", compare: "a year earlier" };
    const { body: year } = await open.ask(both, aUser());
    expect(year.plan.compare.label).toBe("last week a year earlier");
    expect((await open.ask({ plan: before.plan, period: "last week" }, aUser())).body.plan.compare).toBeNull();
    expect((await open.ask({ plan: before.plan, compare: null }, aUser())).body.plan.compare).toBeNull();
  });

  it.each([
    ["no period", {}, "the good old days", /no period to compare with/],
    ["nothing, beside all data", { period: null }, "a year earlier", /name a period first/],
    ["a period, for each group of a series", { grain: "day", order: null }, "last week", /not for each group/],
  ])("is 422 to compare with words that name %s", async (_what, change, compare, words) => {
    const { body: first } = await open.ask({ query: revenueByCampaign }, aUser());
    const { status, body } = await open.ask({ plan: { ...first.plan, ...change }, compare }, aUser());
    expect([status, body.detail[0]?.loc]).toEqual([422, ["body", "compare"]]);
    expect(body.detail[0]?.msg).toMatch(words);
  });

  it.each([
    ["a measure that the catalog does not know", { measures: ["secrets"] }, undefined, "plan"],
    ["SQL for a dimension", { dimensions: ["1; DROP TABLE calls"] }, undefined, "plan"],
    ["another shape", { measures: "revenue" }, undefined, "plan"],
    ["words that name no period", {}, "the good old days", "period"],
    ["words with more than a period", {}, "last month by campaign", "period"],
  ])("is 422 for %s", async (_what, change, period, field) => {
    const { body: first } = await open.ask({ query: revenueByCampaign }, aUser());
    const { status, body } = await open.ask({ plan: { ...first.plan, ...change }, period }, aUser());
    expect([status, body.detail[0]?.loc]).toEqual([422, ["body", field]]);
  });

  it("is 422 to send neither a question nor a plan", async () => {
    expect((await open.ask({}, aUser())).status).toBe(422);
  });
});

describe("feedback", () => {
  const sayUseful = (message: string, useful: boolean, user: { user: string }) =>
    open.send("POST", `/messages/${message}/feedback`, { ...user, body: { useful, comment: " Fine. " } });

  it("is kept with the message", async () => {
    const user = aUser();
    const { body: asked } = await open.ask({ query: "calls by hour of day" }, user);
    expect((await sayUseful(asked.message_id, false, user)).body).toMatchObject({ useful: false, comment: "Fine." });
    const { body } = await open.send("GET", `/sessions/${asked.session_id}/messages`, user);
    expect(body.data[0].feedback).toEqual({ useful: false, comment: "Fine." });
  });

  it("has an approved plan answer the same question for the whole organization, until it is withdrawn", async () => {
    const [user, colleague] = [aUser(), aUser()];
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    const plan = { ...first.plan, measures: ["profit"] };
    const question = "moolah by campaign";
    const { body: approved } = await open.ask({ query: question, plan }, user);
    expect((await open.ask({ query: question }, colleague)).body.plan).toBeNull();
    expect((await sayUseful(approved.message_id, true, user)).body.remembered).toBe(true);
    expect((await open.ask({ query: `${question.toUpperCase()}?` }, colleague)).body.plan).toEqual(plan);
    expect((await open.ask({ query: question }, { ...colleague, org: orgTwo })).body.plan).toBeNull();
    await sayUseful(approved.message_id, false, user);
    expect((await open.ask({ query: question }, colleague)).body.plan).toBeNull();
  });

  /** Asks a question with a plan of its own. */
  const askOtherwise = async (query: string, measure: string, user: { user: string }) => {
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    return (await open.ask({ query, plan: { ...first.plan, measures: [measure] } }, user)).body;
  };

  it("leaves what another user approved, keeps what was said, and tells by whom it stays approved", async () => {
    const [user, colleague] = [aUser(), aUser()];
    const question = "our dough by campaign";
    const first = await askOtherwise(question, "profit", user);
    await sayUseful(first.message_id, true, user);
    const { body: asked } = await open.ask({ query: question }, colleague);
    const { id } = asked.approval;

    const against = await sayUseful(asked.message_id, false, colleague);
    const approval = { id, approved_by: `user:${user.user}`, approved_by_you: false };
    expect(against).toMatchObject({ status: 200, body: { remembered: false, not_remembered: null, approval } });
    const other = await askOtherwise(question, "payout", colleague);
    const otherwise = await sayUseful(other.message_id, true, colleague);
    expect(otherwise.body).toMatchObject({ remembered: false, not_remembered: "approved_otherwise", approval });
    expect((await open.ask({ query: question }, colleague)).body.plan).toEqual(first.plan);
    const { body: kept } = await open.send("GET", `/sessions/${asked.session_id}/messages`, colleague);
    expect(kept.data[0].feedback).toMatchObject({ useful: false });

    // The same answer is found right, and stays who approved it first.
    const { body: again } = await open.ask({ query: question }, colleague);
    expect((await sayUseful(again.message_id, true, colleague)).body).toMatchObject({ remembered: true, approval });
    expect((await open.audited(id)).map(({ actor_id, action }) => [actor_id, action])).toEqual([[user.user, "create"]]);
  });

  it("of an admin approves another answer and takes back what another user approved", async () => {
    const [user, boss] = [aUser(), { ...aUser(), admin: true }];
    const question = "our bread by campaign";
    const first = await askOtherwise(question, "profit", user);
    const { id } = (await sayUseful(first.message_id, true, user)).body.approval;
    const other = await askOtherwise(question, "payout", boss);
    expect((await sayUseful(other.message_id, true, boss)).body).toMatchObject({
      remembered: true,
      approval: { id, approved_by: `user:${boss.user}`, approved_by_you: true },
    });
    expect((await open.ask({ query: question }, user)).body.plan).toEqual(other.plan);
    expect((await sayUseful(first.message_id, false, user)).body.approval).toMatchObject({ id });
    expect((await sayUseful(other.message_id, false, boss)).body.approval).toBeNull();

    const records = await open.audited(id);
    const told = records.map(({ actor_id, action, entity_name, changes }) => [
      actor_id,
      action,
      entity_name,
      changes.map(({ field }) => field),
    ]);
    expect(told).toEqual([
      [user.user, "create", question, ["question", "plan", "approved_by"]],
      [boss.user, "update", question, ["plan", "approved_by"]],
      [boss.user, "delete", question, ["question", "plan", "approved_by"]],
    ]);
    expect(records[1]).toMatchObject({ entity_type: "approved_question", org_id: orgOne, actor_type: "user" });
  });

  it("keeps the period's words, not its dates", async () => {
    const user = aUser();
    const question = "our month by campaign";
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    const { body: approved } = await open.ask({ query: question, plan: first.plan }, user);
    await sayUseful(approved.message_id, true, user);
    const month = 31 * 24 * 60 * minuteMs;
    open.clock.advance(month);
    onTestFinished(() => open.clock.advance(-month));
    const { body: later } = await open.ask({ query: question }, user);
    expect(later.plan.period).toMatchObject({ label: "last month", from: first.plan.period.to });
  });

  it("remembers what came after another question and means the same by itself", async () => {
    const user = aUser();
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    const query = "payout by publisher last 30 days";
    const { body: next } = await open.ask({ query, session_id: first.session_id }, user);
    expect((await sayUseful(next.message_id, true, user)).body.remembered).toBe(true);
    expect((await open.ask({ query }, user)).body.approval).not.toBeNull();
  });

  it("remembers no follow-up, whose words say nothing alone", async () => {
    const user = aUser();
    const { body: first } = await open.ask({ query: revenueByCampaign }, user);
    const { body: next } = await open.ask({ query: "by publisher instead", session_id: first.session_id }, user);
    expect((await sayUseful(next.message_id, true, user)).body.remembered).toBe(false);
  });
});

describe("approved questions", () => {
  const approved = async (question: string, user: { user: string }) => {
    // So that it is the latest.
    open.clock.advance(minuteMs);
    const { body: answer } = await open.ask({ query: question }, user);
    await open.send("POST", `/messages/${answer.message_id}/feedback`, { ...user, body: { useful: true } });
    const { body } = await open.send("GET", "/approved?limit=1", user);
    return { answer, row: body.data[0] };
  };

  it("are listed for the organization, with who found them right and what they are answered by today", async () => {
    const [user, colleague] = [aUser(), aUser()];
    const { answer, row } = await approved("payout by buyer last month", user);
    expect(row).toEqual({
      id: expect.any(String),
      query: "payout by buyer last month",
      plan: answer.plan,
      summary: expect.stringMatching(/^Payout by buyer last month/),
      approved_by: `user:${user.user}`,
      approved_at: new Date(open.clock.now()).toISOString(),
      approved_by_you: true,
      may_change: true,
    });
    const { body } = await open.send("GET", "/approved?limit=1", colleague);
    expect(body.data).toEqual([{ ...row, approved_by_you: false, may_change: false }]);
    expect(body.meta).toMatchObject({ limit: 1, count: 1, total: expect.any(Number) });
    expect((await open.send("GET", "/approved?limit=201", user)).status).toBe(422);
  });

  it("are named by the answers that they give, also when those are read again", async () => {
    const [user, colleague] = [aUser(), aUser()];
    const { answer, row } = await approved("profit by state last month", user);
    expect(answer.approval).toBeNull();
    const { body: later } = await open.ask({ query: "Profit by state last month?" }, colleague);
    const { id, approved_by, approved_at } = row;
    expect(later.approval).toEqual({ id, approved_by, approved_at, approved_by_you: false });
    const { body: kept } = await open.send("GET", `/sessions/${later.session_id}/messages`, colleague);
    expect(kept.data[0].approval).toEqual(later.approval);
    const { body: sent } = await open.ask({ query: "Profit by state last month?", plan: answer.plan }, colleague);
    expect(sent.approval).toBeNull();
  });

  it("are taken back by who approved them or an admin, once, and by nobody else", async () => {
    const [user, colleague] = [aUser(), aUser()];
    const { row } = await approved("revenue by state last month", user);
    const path = `/approved/${row.id}`;
    const stranger = { ...user, org: orgTwo };
    expect((await open.send("GET", "/approved", stranger)).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await open.send("DELETE", path, stranger)).status).toBe(404);
    expect((await open.send("DELETE", path, { ...stranger, admin: true })).status).toBe(404);
    const refused = await open.send("DELETE", path, colleague);
    expect([refused.status, refused.body.detail.code]).toEqual([403, "forbidden"]);
    expect((await open.send("DELETE", path, user)).body).toEqual({ success: true, id: row.id });
    expect((await open.send("DELETE", path, user)).status).toBe(404);
    const { row: other } = await approved("payout by state last month", user);
    const asAdmin = { ...colleague, admin: true };
    expect((await open.send("DELETE", `/approved/${other.id}`, asAdmin)).status).toBe(200);
    expect((await open.ask({ query: "revenue by state last month" }, user)).body.approval).toBeNull();
    const { body } = await open.send("GET", "/approved?limit=200", user);
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(row.id);
  });
});

describe("the export of an answer", () => {
  const fetchFile = (message: string, format: string, user: { user: string; org?: OrgId }) =>
    fetch(`${open.url}/reporting_ai/messages/${message}/export?format=${format}`, { headers: open.tokenOf(user) });

  it("has its rows as CSV and as Parquet", async () => {
    const user = aUser();
    const { body } = await open.ask({ query: "calls by campaign last month" }, user);
    const csv = await fetchFile(body.message_id, "csv", user);
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="answer.csv"');
    const lines = (await csv.text()).trim().split(/\r?\n/);
    expect(lines).toHaveLength(body.data.row_count + 1);
    expect(lines[0]).toBe("campaign,calls");
    const parquet = await (await fetchFile(body.message_id, "parquet", user)).arrayBuffer();
    expect(Buffer.from(parquet).toString("latin1").slice(0, 4)).toBe("PAR1");
    expect(Buffer.from(parquet).toString("latin1").slice(-4)).toBe("PAR1");
  });

  it("reads rows that were too many to keep again by the plan", async () => {
    const user = aUser();
    const { body } = await open.ask({ query: "calls by hour and state last month" }, user);
    const kept = (await open.send("GET", `/sessions/${body.session_id}/messages`, user)).body.data[0];
    expect([kept.rows_kept, kept.data.rows]).toEqual([false, []]);
    const lines = (await (await fetchFile(body.message_id, "csv", user)).text()).trim().split(/\r?\n/);
    expect(lines.length - 1).toBeGreaterThanOrEqual(body.data.row_count);
  });

  it("is nobody else's", async () => {
    const user = aUser();
    const { body } = await open.ask({ query: "calls by campaign last month" }, user);
    for (const other of [aUser(), { ...user, org: orgTwo }]) {
      expect((await fetchFile(body.message_id, "csv", other)).status).toBe(404);
    }
  });
});

describe("progress", () => {
  const events = async (body: unknown) => {
    const response = await fetch(`${open.url}/reporting_ai/query`, {
      method: "POST",
      headers: { ...open.tokenOf(aUser()), "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const told = [...text.matchAll(/^event: (\w+)\ndata: (.+)$/gm)];
    return { response, text, told: told.map(([, event = "", data = ""]) => ({ event, data: JSON.parse(data) })) };
  };

  it("is told step by step, the answer at the end", async () => {
    const { response, told } = await events({ query: revenueByCampaign });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(told.map(({ event }) => event)).toEqual(["planning", "querying", "charting", "done"]);
    const done = told.at(-1)?.data;
    expect(done).toMatchObject({ plan: { dimensions: ["campaign"] }, session_id: expect.any(String) });
    expect(told[1]?.data).toEqual({ reading: done.interpretation.summary, sql: done.sql });
    expect(told[2]?.data).toEqual({ data: done.data });
  });

  it("does not stand in the way of a status when nothing has begun", async () => {
    const { response, text } = await events({ plan: { subject: "nothing" } });
    expect([response.status, JSON.parse(text).detail[0].loc]).toEqual([422, ["body", "plan"]]);
  });
});

it("answers without its session when that cannot be kept", async () => {
  const broken = await openConversations();
  await broken.database.query("DROP TABLE assistant_messages");
  const { status, body } = await broken.ask({ query: revenueByCampaign }, { org: orgOne });
  expect(status).toBe(200);
  expect(body).toMatchObject({ session_id: null, message_id: null, plan: { dimensions: ["campaign"] } });
  expect(broken.troubles).toHaveLength(1);
  await broken.close();
});
