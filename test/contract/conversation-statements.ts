import { describe, expect, it } from "vitest";
import type { Actor } from "../../api/config/audit-outbox.ts";
import type { Database } from "../../api/database/database.ts";
import { approve, withdrawQuestion } from "../../api/reporting/conversations/approvals.ts";
import {
  deleteApproved,
  findApproved,
  findApprovedById,
  listApproved,
  mostApproved,
} from "../../api/reporting/conversations/approved-rows.ts";
import {
  findMessage,
  insertMessage,
  listMessages,
  mostMessages,
  setFeedback,
} from "../../api/reporting/conversations/message-rows.ts";
import {
  deleteSession,
  findSession,
  insertSession,
  keptDays,
  listSessions,
  mostSessions,
  type Owner,
  sweepSessions,
  touchSession,
} from "../../api/reporting/conversations/session-rows.ts";
import {
  createUsageRecorder,
  listGreatest,
  listUsage,
  totalUsage,
} from "../../api/reporting/conversations/usage-rows.ts";
import { rightsOfRole } from "../../api/serve/rights.ts";
import type { Answer } from "../../assistant/answer.ts";
import type { ModelReport, Prices } from "../../assistant/planning.ts";
import type { StandingPlan } from "../../assistant/standing-plan.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { refuseUnreadable } from "../../ingest/unreadable.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../make.ts";
import { withNumbers } from "./with-numbers.ts";

const now = startOfTime;
const day = 24 * 60 * 60 * 1000;
const owner: Owner = { orgId: orgOne, userId: "zoë|1" };
const others: Owner[] = [
  { orgId: orgOne, userId: "zoë|2" },
  { orgId: orgTwo, userId: "zoë|1" },
];
const firstPage = { limit: 200, offset: 0, direction: "desc" } as const;

const anAnswer = (rows: number): Answer => ({
  answer: 'Zoë\'s "best" 🌊 \u0000',
  sql: "SELECT 1",
  explanation: "",
  interpretation: null,
  plan: null,
  follow_ups: [],
  data: {
    columns: [{ name: "calls", type: "integer", unit: "count" }],
    rows: Array.from({ length: rows }, (_, index) => ({ calls: index })),
    row_count: rows,
    truncated: false,
  },
  chart_suggestion: { type: "bar", x_axis: "campaign", y_axis: "calls", vega_lite: { mark: "bar" } },
  timing_ms: { plan: 1, query: 2, total: 3 },
  planner: "offline",
});
const aMessage = (id: string, at = now, rows = 1) => ({
  id,
  sessionId: "s1",
  question: "how many?",
  follows: false,
  answer: anAnswer(rows),
  now: at,
  approval: null,
});
const standing = (measure: string): StandingPlan => ({
  period: "last month",
  plan: {
    subject: "calls",
    measures: [measure],
    dimensions: [],
    grain: null,
    filters: [],
    having: [],
    order: null,
    limit: null,
    columns: [],
    share: false,
  } as unknown as StandingPlan["plan"],
});

const begin = (database: Database, who: Owner, id: string, at = now) =>
  database.transaction((db) => insertSession(db, who, { id, title: `Title of ${id}`, origin: "page", now: at }));
const say = (database: Database, message: ReturnType<typeof aMessage>) =>
  database.transaction((db) => insertMessage(db, owner, message));
const idsOf = async (database: Database, who: Owner) =>
  (await listSessions(database, who, firstPage)).sessions.map(({ id }) => id);

const aReport = (orgId: string, more: Partial<ModelReport> = {}): ModelReport => ({
  orgId,
  purpose: "question",
  outcome: "plan",
  elapsedMs: 1,
  usage: { input_tokens: 1000, output_tokens: 100, requests: 1 },
  repairs: 0,
  ...more,
});

/** Sessions of the assistant, their messages, approved questions, and what a language model took. */
export function describeConversations(open: () => Promise<Database>): void {
  it("what a language model took adds up by organization, day and model; a price may come later", async () => {
    const database = await open();
    const recorder = (prices: Prices | null, at = now) =>
      createUsageRecorder({
        database,
        clock: { now: () => at, sleep: () => Promise.resolve() },
        model: "own",
        prices,
        onTrouble: (error) => {
          throw error;
        },
      });
    const [free, paid, nextDay] = [recorder(null), recorder({ input: 1, output: 10 }), recorder(null, now + day)];
    free.record(aReport(orgOne));
    await free.close();
    paid.record(aReport(orgOne, { purpose: "summary" }));
    paid.record(aReport(orgTwo));
    paid.record(aReport(orgTwo, { outcome: "resting", usage: { input_tokens: 0, output_tokens: 0, requests: 0 } }));
    nextDay.record(aReport(orgOne));
    await Promise.all([paid.close(), nextDay.close()]);
    const [first, second, third] = [0, 1, 2].map((days) => isoTime(now + days * day).slice(0, 10));
    const days = { from: first ?? "", until: third ?? "" };
    const one = { questions: 1, requests: 1, input_tokens: 1000, output_tokens: 100, cost_usd: null };
    expect(await listUsage(database, orgOne, days)).toEqual([
      { day: first, model: "own", ...one, requests: 2, input_tokens: 2000, output_tokens: 200, cost_usd: 0.002 },
      { day: second, model: "own", ...one },
    ]);
    expect(await totalUsage(database, orgOne, days)).toMatchObject({ questions: 2, requests: 3, cost_usd: 0.002 });
    expect(await listGreatest(database, { from: days.from, most: 1 })).toMatchObject({
      greatest: [{ orgId: orgOne, input_tokens: 3000 }],
      all: { questions: 3, input_tokens: 4000, cost_usd: 0.004 },
    });
  });

  describe("conversations", () => {
    it("are their owner's alone", async () => {
      const database = await open();
      await begin(database, owner, "s1");
      await say(database, aMessage("m1"));
      for (const other of others) {
        expect(await findSession(database, other, "s1")).toBeNull();
        expect(await touchSession(database, other, { id: "s1", origin: "page", now })).toBe(false);
        expect(await idsOf(database, other)).toEqual([]);
        expect(await findMessage(database, other, "m1")).toBeNull();
        expect(
          await listMessages(database, other, { ...firstPage, sessionId: "s1", onUnreadable: refuseUnreadable }),
        ).toEqual({
          messages: [],
          total: 0,
        });
        expect(await setFeedback(database, other, { id: "m1", useful: true, comment: null })).toBe(false);
        expect(await database.transaction((db) => deleteSession(db, other, "s1"))).toBe(false);
      }
      await begin(database, owner, "s1");
      expect(await idsOf(database, owner)).toEqual(["s1"]);
      expect(await findMessage(database, owner, "m1")).toMatchObject({ feedback: null, rowsKept: true });
    });

    it("may have the name of another user's", async () => {
      const database = await open();
      await begin(database, owner, "s1");
      await say(database, aMessage("m1"));
      for (const [index, other] of others.entries()) {
        await begin(database, other, "s1", now + day);
        const first = { ...aMessage(`first of ${index}`, now + 1), follows: true };
        await database.transaction((db) => insertMessage(db, other, first));
        await database.query(
          `${withNumbers(1, mostMessages)}
           INSERT INTO assistant_messages (id, session_id, org_id, user_id, created_at, question, follows, answer)
           SELECT concat('m', n, ' of ${index}'), session_id, org_id, user_id, $2, question, follows, answer
           FROM assistant_messages, numbers WHERE id = $1`,
          [first.id, secondsIn(1)],
        );
        await database.transaction((db) => insertMessage(db, other, aMessage(`last of ${index}`, now + 2000)));
        expect(await findMessage(database, other, first.id)).toBeNull();
      }
      const messagesOf = async (who: Owner) =>
        (await listMessages(database, who, { ...firstPage, sessionId: "s1", onUnreadable: refuseUnreadable })).total;
      expect(await Promise.all([owner, ...others].map(messagesOf))).toEqual([1, mostMessages, mostMessages]);
      // Only its own expires.
      await database.transaction((db) => sweepSessions(db, now + keptDays * day + 1));
      expect(await Promise.all([owner, ...others].map(messagesOf))).toEqual([0, mostMessages, mostMessages]);
      expect(await Promise.all([owner, ...others].map((who) => idsOf(database, who)))).toEqual([[], ["s1"], ["s1"]]);
      for (const other of others) {
        expect(await database.transaction((db) => deleteSession(db, other, "s1"))).toBe(true);
      }
      expect(await Promise.all(others.map(messagesOf))).toEqual([0, 0]);
    });

    it("keep answers as they were, and large ones without their rows", async () => {
      const database = await open();
      await begin(database, owner, "s1");
      await say(database, aMessage("m1"));
      await say(database, aMessage("m2", now, 10_000));
      const [small, large] = [await findMessage(database, owner, "m1"), await findMessage(database, owner, "m2")];
      expect([small?.rowsKept, small?.answer]).toEqual([true, anAnswer(1)]);
      expect(large).toMatchObject({
        rowsKept: false,
        answer: { sql: "SELECT 1", data: { rows: [], row_count: 10_000 } },
      });
      expect(large?.answer.chart_suggestion?.vega_lite).toBeNull();
    });

    it("are listed by where they were last asked in, with those of which nobody knows", async () => {
      const database = await open();
      for (const [index, id] of ["s1", "s2", "s3"].entries()) await begin(database, owner, id, now + index);
      await database.query("UPDATE assistant_sessions SET origin = NULL WHERE id = 's1'", []);
      expect(await touchSession(database, owner, { id: "s2", origin: "api", now: now + day })).toBe(true);
      const from = async (origin?: "page" | "api") => {
        const { sessions, total } = await listSessions(database, owner, { ...firstPage, origin });
        return [total, ...sessions.map(({ id }) => id)];
      };
      expect(await from("page")).toEqual([2, "s3", "s1"]);
      expect(await from("api")).toEqual([2, "s2", "s1"]);
      expect(await from()).toEqual([3, "s2", "s3", "s1"]);
      expect(await findSession(database, owner, "s2")).toMatchObject({ origin: "api" });
    });

    it("come by their last questions, and go with all that was asked", async () => {
      const database = await open();
      for (const [index, id] of ["s1", "s2", "s3"].entries()) await begin(database, owner, id, now + index);
      await say(database, aMessage("m1"));
      expect(await touchSession(database, owner, { id: "s1", origin: "page", now: now + day })).toBe(true);
      expect(await idsOf(database, owner)).toEqual(["s1", "s3", "s2"]);
      const one = { limit: 1, offset: 1, direction: "asc" } as const;
      expect(await listSessions(database, owner, one)).toMatchObject({ sessions: [{ id: "s3" }], total: 3 });
      expect(await database.transaction((db) => deleteSession(db, owner, "s1"))).toBe(true);
      expect([await findSession(database, owner, "s1"), await findMessage(database, owner, "m1")]).toEqual([
        null,
        null,
      ]);
    });

    it("are listed without messages that cannot be read, which are told of", async () => {
      const database = await open();
      await begin(database, owner, "s1");
      await say(database, aMessage("odd"));
      await database.query("UPDATE assistant_messages SET answer = '{\"answer\":{}}'");
      await say(database, aMessage("good", now + 1000));
      const told: string[] = [];
      const onUnreadable = (error: unknown) => void told.push(String(error));
      const { messages } = await listMessages(database, owner, { ...firstPage, sessionId: "s1", onUnreadable });
      expect(messages.map(({ id }) => id)).toEqual(["good"]);
      expect(told).toEqual([expect.stringMatching(/^UnreadableError: assistant_messages odd cannot be read/)]);
    });

    it(`are ${mostSessions} of a user, of ${mostMessages} questions each: the oldest make room`, async () => {
      const database = await open();
      await begin(database, owner, "s0");
      await database.query(
        `${withNumbers(1, mostSessions - 1)} INSERT INTO assistant_sessions (id, org_id, user_id, title, created_at, updated_at)
         SELECT concat('s', n), org_id, user_id, title, $1, $1
         FROM assistant_sessions, numbers`,
        [secondsIn(1)],
      );
      await begin(database, owner, "one more", now + 2000);
      expect([(await idsOf(database, owner)).length, await findSession(database, owner, "s0")]).toEqual([
        mostSessions,
        null,
      ]);
      await say(database, aMessage("m0"));
      await database.query(
        `${withNumbers(1, mostMessages - 1)}
         INSERT INTO assistant_messages (id, session_id, org_id, user_id, created_at, question, follows, answer)
         SELECT concat('m', n), session_id, org_id, user_id, $1, question, follows, answer
         FROM assistant_messages, numbers`,
        [secondsIn(1)],
      );
      await say(database, aMessage("the last", now + 2000));
      const { messages, total } = await listMessages(database, owner, {
        ...firstPage,
        direction: "asc",
        sessionId: "s1",
        onUnreadable: refuseUnreadable,
      });
      expect([total, messages[0]?.id, messages.at(-1)?.id]).toEqual([mostMessages, "m1", "the last"]);
    });

    it(`are deleted ${keptDays} days after their last questions`, async () => {
      const database = await open();
      await begin(database, owner, "s1");
      await say(database, aMessage("m1"));
      const sweep = (at: number) => database.transaction((db) => sweepSessions(db, at));
      await sweep(now + keptDays * day);
      expect(await findMessage(database, owner, "m1")).not.toBeNull();
      await sweep(now + keptDays * day + 1);
      expect([await findSession(database, owner, "s1"), await findMessage(database, owner, "m1")]).toEqual([
        null,
        null,
      ]);
    });
  });

  describe("approved questions", () => {
    interface Said {
      readonly org?: OrgId;
      readonly user?: string;
      readonly admin?: boolean;
      readonly at?: number;
    }
    const actorOf = ({ org = orgOne, user = "zoë", admin = false }: Said): Actor => ({
      caller: {
        orgId: org,
        actor: { type: "user", id: user, name: null },
        admin,
        rights: rightsOfRole(admin ? "admin" : "analyst"),
      },
      requestId: null,
      sourceIp: null,
    });
    const say = (database: Database, question: string, plan = standing("revenue"), said: Said = {}) =>
      database.transaction((db) => approve(db, { actor: actorOf(said), question, plan, now: said.at ?? now }));
    const takeBack = (database: Database, question: string, said: Said = {}) =>
      database.transaction((db) => withdrawQuestion(db, { actor: actorOf(said), question, now: said.at ?? now }));

    it("are each organization's, whatever their capitals and marks, until they are withdrawn", async () => {
      const database = await open();
      const question = "Money by  campaign?";
      await say(database, question);
      expect(await findApproved(database, orgOne, "money by campaign")).toMatchObject({ plan: standing("revenue") });
      expect(await findApproved(database, orgTwo, question)).toBeNull();
      await say(database, question, standing("profit"));
      expect(await findApproved(database, orgOne, question)).toMatchObject({ plan: standing("profit") });
      await takeBack(database, question, { org: orgTwo });
      expect(await findApproved(database, orgOne, question)).not.toBeNull();
      await takeBack(database, question);
      expect(await findApproved(database, orgOne, question)).toBeNull();
    });

    it("are changed and withdrawn by who approved them, and by admins", async () => {
      const database = await open();
      const question = "money";
      const [user, boss] = [{ user: "ann" }, { user: "boss", admin: true }];
      const standingPlan = async () => (await findApproved(database, orgOne, question))?.plan?.plan.measures;
      await say(database, question, standing("revenue"), user);
      expect(await say(database, question, standing("profit"))).toBe("approved_otherwise");
      await takeBack(database, question);
      expect(await standingPlan()).toEqual(["revenue"]);
      expect(await say(database, question, standing("profit"), boss)).toBeNull();
      expect(await standingPlan()).toEqual(["profit"]);
      await takeBack(database, question, user);
      expect(await standingPlan()).toEqual(["profit"]);
      await takeBack(database, question, boss);
      expect(await standingPlan()).toBeUndefined();
    });

    it("that were changed after they were read are not deleted", async () => {
      const database = await open();
      await say(database, "money");
      const read = await findApproved(database, orgOne, "money");
      if (read === null) throw new Error("it was approved");
      await say(database, "money", standing("profit"), { at: now + 1000 });
      expect(await deleteApproved(database, orgOne, read)).toBe(false);
      const current = await findApprovedById(database, orgOne, read.id);
      if (current === null) throw new Error("it was approved");
      expect(await deleteApproved(database, orgTwo, current)).toBe(false);
      expect(await deleteApproved(database, orgOne, current)).toBe(true);
      expect(await deleteApproved(database, orgOne, current)).toBe(false);
    });

    it("are listed by when they were approved, as they were asked last, each organization's own", async () => {
      const database = await open();
      const plan = standing("revenue");
      for (const [index, question] of ["Zoë's?", "two", "three"].entries())
        await say(database, question, plan, { at: now + index });
      await say(database, "zoë's", plan, { at: now + 1000 });
      await say(database, "two", plan, { org: orgTwo });
      const questions = async (page: { limit: number; offset: number; direction: "asc" | "desc" }, org = orgOne) => {
        const { approved, total } = await listApproved(database, org, page);
        return [approved.map(({ question }) => question), total];
      };
      expect(await questions(firstPage)).toEqual([["zoë's", "three", "two"], 3]);
      expect(await questions({ limit: 1, offset: 1, direction: "asc" })).toEqual([["three"], 3]);
      const { approved } = await listApproved(database, orgOne, firstPage);
      expect(approved[0]).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        question: "zoë's",
        approvedBy: "user:zoë",
        approvedAt: secondsIn(1),
        plan: expect.objectContaining({ period: "last month" }),
      });
      expect(await questions(firstPage, orgTwo)).toEqual([["two"], 1]);
    });

    it("that nobody kept the words of are known by their plans, until an admin approves them again", async () => {
      const database = await open();
      const question = "money";
      await say(database, question);
      await database.query("UPDATE approved_questions SET question = NULL, approved_by = NULL, doc = $1", ['{"a": 1}']);
      expect(await findApproved(database, orgOne, question)).toMatchObject({
        question: null,
        approvedBy: null,
        plan: null,
      });
      expect(await say(database, question)).toBe("approved_otherwise");
      expect(await say(database, question, standing("revenue"), { admin: true })).toBeNull();
      expect(await findApproved(database, orgOne, question)).toMatchObject({ question, approvedBy: "user:zoë" });
    });

    it("may be as long as any question, in any script", async () => {
      const database = await open();
      // Nothing repeats in it, so that it takes its 6,000 bytes in an index, too.
      const question = Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join("");
      await say(database, question);
      expect(await findApproved(database, orgOne, question)).toMatchObject({ plan: standing("revenue") });
      expect(await findApproved(database, orgOne, question.slice(0, -1))).toBeNull();
    });

    it(`are ${mostApproved} of an organization: one's own oldest makes room, and an admin's anybody's`, async () => {
      const database = await open();
      const doc = JSON.stringify(standing("revenue"));
      await database.transaction(async (db) => {
        for (let n = 0; n < mostApproved; n++)
          await db.query(
            `INSERT INTO approved_questions (org_id, question_sha256, approved_by, doc, approved_at)
             VALUES ($1, $2, 'user:ann', $3, $4)`,
            [orgOne, `hash ${n}`, doc, `2026-10-01T00:00:00.${1000 + n}`],
          );
      });
      const oldest = async () => {
        const sql = "SELECT question_sha256 AS hash FROM approved_questions ORDER BY approved_at LIMIT 1";
        return (await database.query(sql))[0]?.["hash"];
      };
      expect(await say(database, "one more")).toBe("no_room");
      expect([await findApproved(database, orgOne, "one more"), await oldest()]).toEqual([null, "hash 0"]);
      expect(await say(database, "one more", standing("revenue"), { user: "ann" })).toBeNull();
      expect([await findApproved(database, orgOne, "one more"), await oldest()]).toEqual([expect.anything(), "hash 1"]);
      expect(await say(database, "another", standing("revenue"), { admin: true })).toBeNull();
      expect(await oldest()).toBe("hash 2");
      expect(await say(database, "the last", standing("revenue"))).toBeNull();
      expect([await findApproved(database, orgOne, "another"), await oldest()]).toEqual([null, "hash 2"]);
    });
  });
}
