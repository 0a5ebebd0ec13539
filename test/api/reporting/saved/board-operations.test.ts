import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orgOne, orgTwo } from "../../../make.ts";
import { openConversations } from "../conversations/conversation-server.ts";

let rig: Awaited<ReturnType<typeof openConversations>>;
beforeAll(async () => {
  rig = await openConversations();
});
afterAll(() => rig.close());

type Analyst = NonNullable<Parameters<typeof rig.send>[2]>;
let users = 0;
/** A user whom no other test knows. */
const someone = (): Analyst => ({ user: `user-${++users}` });

/** Asks a question and saves it, for the whole organization; returns its id. */
async function save(query: string, analyst: Analyst = {}): Promise<string> {
  const { body: answer } = await rig.ask({ query }, analyst);
  const { status, body } = await rig.send("POST", "/saved", {
    ...analyst,
    body: { name: query, query, plan: answer.plan },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}
const pin = (board: string, saved_question_ids: unknown, analyst: Analyst = {}) =>
  rig.send("PATCH", `/boards/${board}`, { ...analyst, body: { saved_question_ids } });
const boards = async (analyst: Analyst = {}) => (await rig.send("GET", "/boards", analyst)).body;
type Shown = { readonly questions: readonly { readonly id: string }[] };
const idsOf = ({ questions }: Shown) => questions.map(({ id }) => id);

describe("a board", () => {
  it("has nothing until something is pinned to it", async () => {
    const user = someone();
    const { own, organization } = await boards(user);
    expect(own).toEqual({ questions: [], updated_by: null, updated_at: null, may_change: true });
    expect(organization).toMatchObject({ may_change: false });
    expect((await boards({ ...user, admin: true })).organization).toMatchObject({ may_change: true });
  });

  it("of a user shows the questions in the order that they were given, to nobody else", async () => {
    const [user, colleague] = [someone(), someone()];
    const [first, second] = [await save("calls today"), await save("revenue by campaign last month")];
    const { status, body } = await pin("own", [second, first], user);
    expect([status, idsOf(body)]).toEqual([200, [second, first]]);
    expect(body.questions[0]).toMatchObject({ name: "revenue by campaign last month", moves: true, may_change: false });
    expect((await boards(user)).own).toEqual(body);
    expect(idsOf((await boards(colleague)).own)).toEqual([]);
    expect(idsOf((await pin("own", [first], user)).body)).toEqual([first]);
    expect(idsOf((await pin("own", [], user)).body)).toEqual([]);
  });

  it("of the organization is changed by its admins, seen by all of it, and audited", async () => {
    const id = await save("calls by publisher last week");
    const refused = await pin("organization", [id], someone());
    expect([refused.status, refused.body.detail.code]).toEqual([403, "forbidden"]);
    const admin = { user: "boss", admin: true };
    const { body } = await pin("organization", [id], admin);
    expect(body).toMatchObject({ updated_by: "user:boss", may_change: true });
    expect(idsOf((await boards(someone())).organization)).toEqual([id]);
    expect(idsOf((await boards({ org: orgTwo })).organization)).toEqual([]);
    expect(await rig.audited(orgOne)).toMatchObject([{ action: "update", entity_type: "board", actor_id: "boss" }]);
    await pin("organization", [id], admin);
    expect(await rig.audited(orgOne)).toHaveLength(1);
  });

  it("loses a question that is deleted", async () => {
    const user = someone();
    const [gone, kept] = [await save("calls yesterday"), await save("payout last week")];
    await pin("own", [gone, kept], user);
    await rig.send("DELETE", `/saved/${gone}`);
    expect(idsOf((await boards(user)).own)).toEqual([kept]);
  });

  it("takes no question that is unknown or another organization's, none twice, and not too many", async () => {
    const user = someone();
    const [own, theirs] = [await save("calls this month"), await save("calls this month", { org: orgTwo })];
    const { status, body } = await pin("own", [own, theirs, "nothing"], user);
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ["body", "saved_question_ids", 1],
      ["body", "saved_question_ids", 2],
    ]);
    expect((await pin("own", [own, own], user)).status).toBe(422);
    expect(
      (
        await pin(
          "own",
          Array.from({ length: 25 }, (_, index) => `q-${index}`),
          user,
        )
      ).status,
    ).toBe(422);
    expect(idsOf((await boards(user)).own)).toEqual([]);
  });
});

describe("the answer of a saved question", () => {
  it("is that of today, for users of its organization, and is no conversation", async () => {
    const user = someone();
    const id = await save("calls by campaign last month");
    const { status, body } = await rig.send("GET", `/saved/${id}/answer`, user);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: "calls by campaign last month" });
    expect(body.data.rows.length).toBeGreaterThan(0);
    expect((await rig.send("GET", "/sessions", user)).body.data).toEqual([]);
    expect((await rig.send("GET", `/saved/${id}/answer`, { org: orgTwo })).status).toBe(404);
  });
});
