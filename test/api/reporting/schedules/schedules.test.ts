import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createMailer } from "../../../../api/outbound/mailer.ts";
import { isoTime } from "../../../../ingest/clock.ts";
import { aCall } from "../../../assistant/example-data.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { openTestReceiver } from "../../../platform.ts";
import { openSmtpServer, readParts } from "../../../smtp-server.ts";
import { openConversations } from "../conversations/conversation-server.ts";

type Given = NonNullable<Parameters<typeof openConversations>[0]>;
const minuteMs = 60_000;

/** The assistant's operations, a question that is saved, and a receiver of webhooks. */
async function openRig(given: Given = {}) {
  const rig = await openConversations(given);
  onTestFinished(() => rig.close());
  const answer = { status: 200 };
  const receiver = await openTestReceiver(() => ({ status: answer.status }));
  const { clock, runner } = rig;

  async function save(query = "calls by campaign last month", user = {}): Promise<string> {
    const { body: asked } = await rig.ask({ query }, user);
    return (await rig.send("POST", "/saved", { ...user, body: { name: query, query, plan: asked.plan } })).body.id;
  }
  const webhook = { kind: "webhook", url: `${receiver.url}/secret-path` };
  async function schedule(given: Record<string, unknown> = {}, user = {}) {
    const saved_question_id = given["saved_question_id"] ?? (await save(undefined, user));
    const body = { saved_question_id, timing: { every: "hour" }, deliver_to: webhook, ...given };
    const { status, body: made } = await rig.send("POST", "/schedules", { ...user, body });
    expect(status, JSON.stringify(made)).toBe(201);
    return made;
  }
  /** Moves time on, and lets everything that is due happen. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await runner.poll();
    await runner.idle();
  }
  const sent = () => receiver.received.map(({ body }) => JSON.parse(body));
  const read = async (id: string, user = {}) => (await rig.send("GET", `/schedules/${id}`, user)).body;
  const runs = async (id: string) => (await rig.send("GET", `/schedules/${id}/runs`)).body.data;
  const patch = (id: string, body: unknown, user = {}) => rig.send("PATCH", `/schedules/${id}`, { ...user, body });
  return { ...rig, answer, receiver, webhook, save, schedule, pass, sent, read, runs, patch };
}
type Rig = Awaited<ReturnType<typeof openRig>>;

const hour = 60 * minuteMs;

describe("a scheduled answer", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await openRig();
  });

  it("is asked and sent at its times, signed, and stands in its history", async () => {
    const made = await rig.schedule();
    expect(made).toMatchObject({
      name: "calls by campaign last month",
      in_words: "every hour",
      state: "active",
      next_run_at: isoTime(rig.clock.now() + hour),
      last_result: null,
      signing_secret: expect.stringMatching(/^whsec_/),
    });
    await rig.pass(hour - 1);
    expect(rig.sent()).toEqual([]);
    await rig.pass(1);
    const [request] = rig.receiver.received;
    const [body] = rig.sent();
    expect(body).toMatchObject({ type: "answer", schedule_id: made.id, condition: null, row_count: body.rows.length });
    expect(body.rows.length).toBeGreaterThan(1);
    expect(body.url).toMatch(/^https:\/\/trunkline\.example\/#ask\?question=calls/);
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = request?.headers ?? {};
    const key = Buffer.from(made.signing_secret.replace("whsec_", ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${at}.${request?.body}`).digest("base64");
    expect(signature).toBe(`v1,${expected}`);
    expect(await rig.runs(made.id)).toMatchObject([
      { id, status: "delivered", kind: "answer", triggered_by: "schedule", attempts: 1, error: null },
    ]);
    expect(await rig.read(made.id)).toMatchObject({ last_result: "delivered", last_run_at: isoTime(rig.clock.now()) });
    await rig.pass(hour);
    expect(rig.sent()).toHaveLength(2);
    expect(rig.results).toEqual(["delivered", "delivered"]);
  });

  it("that is late by a night is sent once, and then at its times again", async () => {
    const { id } = await rig.schedule();
    await rig.pass(9.5 * hour);
    await rig.pass(minuteMs);
    expect(rig.sent()).toHaveLength(1);
    expect(await rig.read(id)).toMatchObject({ next_run_at: "2026-11-22T01:00:00.000Z" });
  });

  it("that cannot be delivered is tried again with the same content, until it is", async () => {
    rig.answer.status = 503;
    const { id } = await rig.schedule();
    await rig.pass(hour);
    const [pending] = await rig.runs(id);
    expect(pending).toMatchObject({ status: "pending", attempts: 1, error: "The receiver answered 503." });
    expect(pending.next_attempt_at).toBe(isoTime(rig.clock.now() + minuteMs));
    await rig.pass(minuteMs - 1);
    expect(rig.sent()).toHaveLength(1);
    rig.answer.status = 200;
    await rig.pass(1);
    const [first, second] = rig.receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(await rig.runs(id)).toMatchObject([{ status: "delivered", attempts: 2, error: null }]);
    expect((await rig.read(id)).last_result).toBe("delivered");
  });

  it("that keeps failing is paused, says why, and goes on when it is resumed", async () => {
    rig.answer.status = 410;
    const { id } = await rig.schedule();
    for (let run = 0; run < 5; run += 1) await rig.pass(hour);
    expect(await rig.read(id)).toMatchObject({ state: "paused", pause_reason: "failing", next_run_at: null });
    await rig.pass(3 * hour);
    expect(rig.sent()).toHaveLength(5);
    rig.answer.status = 200;
    const { body } = await rig.patch(id, { paused: false });
    expect(body).toMatchObject({ state: "active", pause_reason: null, paused_at: null });
    await rig.pass(hour);
    expect(rig.sent()).toHaveLength(6);
    expect(await rig.read(id)).toMatchObject({ state: "active", last_result: "delivered" });
  });

  it("is paused when its question is deleted", async () => {
    const saved_question_id = await rig.save();
    const { id } = await rig.schedule({ saved_question_id });
    await rig.send("DELETE", `/saved/${saved_question_id}`);
    await rig.pass(hour);
    expect(await rig.read(id)).toMatchObject({ saved_question: null, state: "paused", pause_reason: "question_gone" });
    expect(await rig.runs(id)).toMatchObject([{ status: "failed", error: "The saved question was deleted." }]);
    expect((await rig.patch(id, { paused: false })).status).toBe(422);
  });

  it("that was not sent yet is not sent when it is paused", async () => {
    rig.answer.status = 503;
    const { id } = await rig.schedule();
    await rig.pass(hour);
    expect((await rig.patch(id, { paused: true })).body).toMatchObject({ state: "paused", pause_reason: "user" });
    rig.answer.status = 200;
    await rig.pass(2 * hour);
    expect(rig.sent()).toHaveLength(1);
    expect(await rig.runs(id)).toMatchObject([{ status: "cancelled" }]);
  });

  it("is sent once by several processes", async () => {
    await rig.schedule();
    const others = [rig.openRunner(), rig.openRunner()];
    rig.clock.advance(hour);
    await Promise.all([rig.runner, ...others].map((runner) => runner.poll()));
    await Promise.all([rig.runner, ...others].map((runner) => runner.idle()));
    expect(rig.sent()).toHaveLength(1);
  });

  it("goes on where a process has died, once its lease has ended", async () => {
    rig.answer.status = 503;
    const { id } = await rig.schedule();
    await rig.pass(hour);
    rig.answer.status = 200;
    // As a process leaves it that has begun the second attempt.
    const leased = isoTime(rig.clock.now() + 3 * minuteMs);
    await rig.database.query("UPDATE schedule_runs SET leased_until = $1", [leased]);
    await rig.pass(2 * minuteMs);
    expect(rig.sent()).toHaveLength(1);
    await rig.pass(2 * minuteMs);
    expect(rig.sent()).toHaveLength(2);
    expect(await rig.runs(id)).toMatchObject([{ status: "delivered" }]);
  });

  it("is taken up at once by a process that knows that it is alone", async () => {
    rig.answer.status = 503;
    const { id } = await rig.schedule();
    await rig.pass(hour);
    rig.answer.status = 200;
    await rig.database.query("UPDATE schedule_runs SET leased_until = '2099-01-01T00:00:00.000Z'");
    const restarted = rig.openRunner();
    await restarted.release();
    rig.clock.advance(minuteMs);
    await restarted.poll();
    await restarted.idle();
    expect(await rig.runs(id)).toMatchObject([{ status: "delivered" }]);
  });

  it("is sent by hand once, whatever its time and state, and no more than thirty times an hour", async () => {
    const { id } = await rig.schedule();
    await rig.patch(id, { paused: true });
    const { status, body } = await rig.send("POST", `/schedules/${id}/send`);
    expect([status, body]).toMatchObject([200, { status: "delivered", triggered_by: "manual", kind: "answer" }]);
    rig.answer.status = 500;
    const failed = (await rig.send("POST", `/schedules/${id}/send`)).body;
    expect(failed).toMatchObject({ status: "failed", error: "The receiver answered 500." });
    expect(await rig.read(id)).toMatchObject({ state: "paused", last_result: null });
    for (let times = 2; times < 30; times += 1) await rig.send("POST", `/schedules/${id}/send`);
    const refused = await rig.send("POST", `/schedules/${id}/send`);
    expect([refused.status, refused.body.detail.code]).toEqual([429, "too_many_sent"]);
    expect(rig.sent()).toHaveLength(30);
  });

  it("is sent by hand no more often where many ask at once, or schedules are made anew", async () => {
    const saved_question_id = await rig.save();
    const { id } = await rig.schedule({ saved_question_id });
    const asked = await Promise.all(Array.from({ length: 40 }, () => rig.send("POST", `/schedules/${id}/send`)));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(30);
    await rig.send("DELETE", `/schedules/${id}`);
    const { id: another } = await rig.schedule({ saved_question_id });
    expect((await rig.send("POST", `/schedules/${another}/send`)).status).toBe(429);
    expect(rig.sent()).toHaveLength(30);
    rig.clock.advance(hour);
    expect((await rig.send("POST", `/schedules/${another}/send`)).status).toBe(200);
  });

  it("is sent three hundred times an hour at the most of all schedules, however often their times are set anew", async () => {
    const { id } = await rig.schedule();
    const sendable = () => rig.database.query("UPDATE schedule_sends SET sent = 299 WHERE triggered_by = 'schedule'");
    const minutely = async () => {
      const minute = new Date(rig.clock.now() + minuteMs).getUTCMinutes();
      await rig.patch(id, { timing: { every: "hour", minute } });
      await rig.pass(minuteMs);
    };
    await minutely();
    await sendable();
    await minutely();
    await minutely();
    expect(rig.sent()).toHaveLength(2);
    const [refused] = await rig.runs(id);
    expect(refused).toMatchObject({ status: "pending", error: expect.stringContaining("300 answers") });
    await rig.pass(hour);
    expect(rig.sent()).toHaveLength(3);
  });

  it("keeps the history of ninety days", async () => {
    const { id } = await rig.schedule({ timing: { every: "month", on: 1, at: "08:00" } });
    for (let month = 0; month < 6; month += 1) await rig.pass(31 * 24 * hour);
    const kept = await rig.runs(id);
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(5);
  });

  it("is deleted with its history", async () => {
    const { id } = await rig.schedule();
    await rig.pass(hour);
    expect((await rig.send("DELETE", `/schedules/${id}`)).status).toBe(200);
    expect((await rig.send("GET", `/schedules/${id}`)).status).toBe(404);
    expect(await rig.database.query("SELECT id FROM schedule_runs")).toEqual([]);
    await rig.pass(hour);
    expect(rig.sent()).toHaveLength(1);
  });
});

describe("an alert", () => {
  it("is told when its condition begins to hold and when it ends to, and is quiet in between", async () => {
    const rig = await openRig();
    const saved_question_id = await rig.save("calls by campaign today");
    const condition = { kind: "figure", column: "calls", operator: "at_least", value: 5 };
    const made = await rig.schedule({ saved_question_id, condition, timing: { every: "minutes", minutes: 5 } });
    expect(made.in_words).toBe("every 5 minutes, when calls at least 5");
    await rig.pass(5 * minuteMs);
    expect(rig.sent()).toEqual([]);
    expect(await rig.read(made.id)).toMatchObject({ last_result: "quiet", alerting_since: null });
    const started_at = isoTime(rig.clock.now());
    const calls = Array.from({ length: 5 }, (_, index) =>
      JSON.stringify({
        ...aCall(0, orgOne),
        id: `new-${index}`,
        call_id: `new-${index}`,
        started_at,
        created_at: started_at,
      }),
    );
    const range = { partition: 0, firstOffset: 1000, nextOffset: 1000 + calls.length };
    await rig.warehouse.store({ topic: "call-events", ...range, values: calls });
    await rig.pass(5 * minuteMs);
    await rig.pass(5 * minuteMs);
    expect(rig.sent()).toMatchObject([{ type: "alert_started", condition: "calls at least 5", row_count: 1 }]);
    expect((await rig.read(made.id)).alerting_since).toBe(isoTime(rig.clock.now() - 5 * minuteMs));
    // Another day begins.
    await rig.pass(24 * hour);
    await rig.pass(5 * minuteMs);
    expect(rig.sent().map(({ type }) => type)).toEqual(["alert_started", "alert_ended"]);
    expect((await rig.read(made.id)).alerting_since).toBeNull();
    expect((await rig.runs(made.id)).map(({ kind }: { kind: string }) => kind)).toEqual([
      "alert_ended",
      "alert_started",
    ]);
  });

  it("is about a figure that its question has", async () => {
    const rig = await openRig();
    const saved_question_id = await rig.save();
    const condition = { kind: "figure", column: "revenue", operator: "below", value: 1 };
    const body = { saved_question_id, timing: { every: "hour" }, deliver_to: rig.webhook, condition };
    const refused = await rig.send("POST", "/schedules", { body });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toMatchObject([
      { loc: ["body", "condition", "column"], msg: "is no column of figures: the answer has calls" },
    ]);
  });
});

describe("a mail", () => {
  async function openMailRig(given: Given = {}) {
    const server = await openSmtpServer((address) =>
      address.startsWith("gone") ? { code: 550, message: "no such mailbox" } : null,
    );
    const mailer = createMailer({ url: server.url, from: "reports@trunkline.example" });
    const rig = await openRig({ mailer, ...given });
    onTestFinished(async () => {
      await mailer.close();
      await server.close();
    });
    return { ...rig, server };
  }

  it("has the answer, a link and the rows", async () => {
    const rig = await openMailRig();
    const { signing_secret } = await rig.schedule({ deliver_to: { kind: "mail", to: ["ann@customer.example"] } });
    expect(signing_secret).toBeNull();
    await rig.pass(hour);
    const [mail] = rig.server.received;
    expect(mail?.to).toEqual(["ann@customer.example"]);
    expect(mail?.source).toContain("Subject: calls by campaign last month");
    expect(readParts(mail?.source ?? "")).toContain("https://trunkline.example/#ask?question=calls");
  });

  it("that nobody takes has failed for good", async () => {
    const rig = await openMailRig();
    const { id } = await rig.schedule({ deliver_to: { kind: "mail", to: ["gone@customer.example"] } });
    await rig.pass(hour);
    expect(await rig.runs(id)).toMatchObject([
      { status: "failed", attempts: 1, error: expect.stringContaining("no such") },
    ]);
  });

  it("goes to the domains alone that the installation allows", async () => {
    const rig = await openMailRig({ mailDomains: ["customer.example"] });
    const saved_question_id = await rig.save();
    const to = ["ann@customer.example", "eve@elsewhere.example", "eve@customer.example.elsewhere.example"];
    const body = { saved_question_id, timing: { every: "hour" }, deliver_to: { kind: "mail", to } };
    const refused = await rig.send("POST", "/schedules", { body });
    expect(refused.status).toBe(422);
    expect(refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc.at(-1))).toEqual([1, 2]);
  });

  it("is refused where the installation sends none", async () => {
    const rig = await openRig();
    const body = {
      saved_question_id: await rig.save(),
      timing: { every: "hour" },
      deliver_to: { kind: "mail", to: ["ann@customer.example"] },
    };
    const refused = await rig.send("POST", "/schedules", { body });
    expect([refused.status, refused.body.detail.code]).toEqual([409, "mail_not_set_up"]);
    expect((await rig.send("GET", "/schedules")).body.can_mail).toBe(false);
  });
});

describe("schedules", () => {
  it("are seen by all of their organization without the webhook's path, changed by their makers and admins", async () => {
    const rig = await openRig();
    const { id } = await rig.schedule();
    const colleague = { user: "colleague" };
    const seen = (await rig.send("GET", "/schedules", colleague)).body;
    expect(seen.data).toMatchObject([{ id, may_change: false, deliver_to: { url: `${rig.receiver.url}/***` } }]);
    expect((await rig.read(id)).deliver_to.url).toBe(rig.webhook.url);
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/send"],
    ] as const) {
      const refused = await rig.send(method, `/schedules/${id}${path}`, { ...colleague, body: {} });
      expect(refused.status).toBe(403);
    }
    expect((await rig.patch(id, { name: "Ours" }, { user: "boss", admin: true })).body.name).toBe("Ours");
    for (const path of ["", "/runs"]) {
      expect((await rig.send("GET", `/schedules/${id}${path}`, { org: orgTwo })).status).toBe(404);
    }
    expect((await rig.send("POST", `/schedules/${id}/send`, { org: orgTwo, admin: true })).status).toBe(404);
    expect((await rig.send("GET", "/schedules", { org: orgTwo })).body.data).toEqual([]);
  });

  it("go on when their maker may no longer change them, until an admin ends them", async () => {
    const rig = await openRig();
    const { id } = await rig.schedule();
    const maker = { viewer: true };
    expect((await rig.read(id, maker)).may_change).toBe(false);
    for (const method of ["PATCH", "DELETE"])
      expect((await rig.send(method, `/schedules/${id}`, { ...maker, body: {} })).status).toBe(403);
    await rig.pass(hour);
    expect(rig.sent()).toHaveLength(1);
    expect((await rig.send("DELETE", `/schedules/${id}`, { user: "boss", admin: true })).status).toBe(200);
    await rig.pass(hour);
    expect(rig.sent()).toHaveLength(1);
  });

  it("ask their own organization's questions alone", async () => {
    const rig = await openRig();
    const theirs = await rig.save("calls by campaign last month", { org: orgTwo });
    const body = { saved_question_id: theirs, timing: { every: "hour" }, deliver_to: rig.webhook };
    expect((await rig.send("POST", "/schedules", { body, org: orgOne })).status).toBe(422);
  });

  it("stand in the audit log, without what is secret of them", async () => {
    const rig = await openRig();
    const { id } = await rig.schedule();
    await rig.patch(id, { paused: true });
    await rig.patch(id, { paused: false });
    await rig.patch(id, { deliver_to: { ...rig.webhook, url: `${rig.receiver.url}/other-secret` } });
    await rig.send("DELETE", `/schedules/${id}`);
    const records = await rig.audited(id);
    expect(records.map(({ action }) => action)).toEqual(["create", "pause", "resume", "update", "delete"]);
    expect(JSON.stringify(records)).not.toMatch(/secret-path|other-secret|whsec_/);
  });

  it("give a new signing secret with a new address alone", async () => {
    const rig = await openRig();
    const { id } = await rig.schedule();
    expect((await rig.patch(id, { deliver_to: rig.webhook })).body.signing_secret).toBeNull();
    const moved = await rig.patch(id, { deliver_to: { kind: "webhook", url: `${rig.receiver.url}/b` } });
    expect(moved.body.signing_secret).toMatch(/^whsec_/);
  });

  it("that ask every few minutes have a condition, and there are a hundred at the most", async () => {
    const rig = await openRig();
    const saved_question_id = await rig.save();
    const body = { saved_question_id, timing: { every: "minutes", minutes: 5 }, deliver_to: rig.webhook };
    expect((await rig.send("POST", "/schedules", { body })).body.detail).toMatchObject([{ loc: ["body", "timing"] }]);
    for (let made = 0; made < 100; made += 1) await rig.schedule({ saved_question_id });
    const hourly = { ...body, timing: { every: "hour" } };
    expect((await rig.send("POST", "/schedules", { body: hourly })).status).toBe(409);
  });

  it("of one organization do not hold up another's", async () => {
    const rig = await openRig();
    const saved_question_id = await rig.save();
    for (let made = 0; made < 20; made += 1) await rig.schedule({ saved_question_id, name: `mine ${made}` });
    await rig.schedule({ name: "theirs" }, { org: orgTwo });
    await rig.pass(hour);
    await vi.waitFor(() => expect(rig.sent()).toHaveLength(21));
    expect(rig.sent().findIndex(({ name }) => name === "theirs")).toBeLessThan(5);
  });
});
