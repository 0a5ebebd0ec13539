import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { CallId } from "../../../ingest/primitives.ts";
import { aDialing, anIncoming, signalsOfCall } from "../../make.ts";
import { openTestReceiver } from "../../platform.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform({
  settings: { ALLOW_PRIVATE_DESTINATIONS: "true", WEBHOOK_RETRY_SECONDS: "3600" },
});

const path = "/api/v1/outgoing-webhooks";
const template = {
  name: "CRM",
  event_type_id: "call.completed",
  headers: { "X-Call": "[CALL_ID]" },
  body: { revenue: "[REVENUE_PAID_OUT_NUMERIC]", keyword: "[KEYWORD]", lead: "[LEAD_TYPE]" },
};
const create = (member: Member, url: string, given: object = {}) =>
  done(member.post(path, { ...template, url: `${url}/[CALL_ID]?from=[CALLER_ID]`, ...given }));

/** Tells the platform of a call that was over before it heard of it, with these webhooks attached. */
async function tellOfCall(member: Member, callId: string, webhooks: readonly string[]): Promise<void> {
  const whose = { org_id: member.id, call_id: callId as CallId, tags: { lead_type: "solar" } };
  const [, , ...rest] = signalsOfCall(16, whose);
  const signals = [anIncoming({ ...whose, webhook_ids: [...webhooks] }), aDialing(whose), ...rest];
  await rig().platform.log.publish(
    signals.map((signal) => ({ topic: "call-signals", key: callId, value: JSON.stringify(signal) })),
  );
  await vi.waitFor(
    async () => expect((await member.get(`/api/v1/reports/calls/${callId}/timeline`)).status).toBe(200),
    15_000,
  );
}
const records = async (member: Member, query = "") =>
  (await done(member.get(`/api/v1/webhooks/outgoing-requests?sort_direction=asc${query}`))).data;

describe("a preview", () => {
  it("fills the template for an invented call, says what stayed literal, and sends nothing", async () => {
    const member = await join();
    const receiver = await openTestReceiver();
    const { id } = await create(member, receiver.url);
    expect(await done(member.post(`${path}/${id}/preview`))).toEqual({
      call_id: "example-call",
      event_type_id: "call.completed",
      method: "POST",
      error: null,
      url: `${receiver.url}/example-call?from=%2B12125550123`,
      headers: { "content-type": "application/json", "x-call": "example-call" },
      body: '{"revenue":30,"keyword":"[KEYWORD]","lead":"example"}',
      unpopulated: ["KEYWORD"],
    });
    expect(receiver.received).toEqual([]);
  });

  it("fills it for a stored call, and is 404 for one of nobody or of another organization", async () => {
    const [member, stranger] = [await join(), await join()];
    const { id } = await create(member, "https://crm.example");
    await tellOfCall(member, "call-p", []);
    const { url, body } = await done(member.post(`${path}/${id}/preview`, { call_id: "call-p" }));
    expect([url, JSON.parse(body).lead]).toEqual(["https://crm.example/call-p?from=%2B12125550123", "solar"]);
    expect((await member.post(`${path}/${id}/preview`, { call_id: "nobody's" })).status).toBe(404);
    const theirs = await create(stranger, "https://crm.example");
    expect((await stranger.post(`${path}/${theirs.id}/preview`, { call_id: "call-p" })).status).toBe(404);
  });
});

describe("a test", () => {
  it("sends once and answers with the record, which is in the history, too", async () => {
    const member = await join();
    const receiver = await openTestReceiver(() => ({ status: 503, body: "closed" }));
    const { id } = await create(member, receiver.url);
    await done(member.post(`${path}/${id}/pause`));
    const record = await done(member.post(`${path}/${id}/test`));
    expect(record).toMatchObject({
      outgoing_webhook_config_id: id,
      attempt: 1,
      trigger: "manual",
      outcome: "refused",
      error_class: "http_5xx",
      response_status_code: 503,
      response_body: "closed",
      next_attempt_at: null,
      remote_address: "127.0.0.1",
      dns_ms: null,
      connect_ms: expect.any(Number),
      first_byte_ms: expect.any(Number),
      event_type: { id: "call.completed", name: "Call completed", internal_name: "call.completed" },
    });
    expect(receiver.received.map((request) => request.path)).toEqual(["/example-call?from=%2B12125550123"]);
    const stored = `/api/v1/webhooks/outgoing-requests/${record.id}`;
    await vi.waitFor(
      async () => expect((await member.get(stored)).body).toEqual({ ...record, may_redeliver: true }),
      15_000,
    );
  });
});

describe("a signing secret", () => {
  it("is shown once, signs every request from then on, and is not in the audit log", async () => {
    const member = await join();
    const receiver = await openTestReceiver();
    const { id, is_signed } = await create(member, receiver.url);
    expect(is_signed).toBe(false);
    await done(member.post(`${path}/${id}/test`));
    const { signing_secret: first } = await done(member.post(`${path}/${id}/signing-secret`));
    const { signing_secret: second, previous_secret_until } = await done(member.post(`${path}/${id}/signing-secret`));
    expect(Date.parse(previous_secret_until)).toBeGreaterThan(Date.now());
    const record = await done(member.post(`${path}/${id}/test`));
    const [unsigned, signed] = receiver.received;
    expect(unsigned?.headers).not.toHaveProperty("webhook-signature");
    const content = `${record.delivery_id}.${signed?.headers["webhook-timestamp"]}.${signed?.body}`;
    const by = (secret: string) =>
      createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
        .update(content)
        .digest("base64");
    expect(signed?.headers["webhook-signature"]).toBe(`v1,${by(second)} v1,${by(first)}`);
    expect(record.headers["webhook-signature"]).toBe("***");
    const shown = await done(member.get(`${path}/${id}`));
    expect(shown).toMatchObject({ is_signed: true, previous_secret_until });
    const audit = () => done(member.get(`/api/v1/audit-logs?entity_id=${id}&action=rotate_key`));
    await vi.waitFor(async () => expect((await audit()).data).toHaveLength(2), 15_000);
    for (const secret of [first, second]) {
      expect(JSON.stringify([shown, await audit(), record])).not.toContain(secret.slice(6));
    }
    expect(await done(member.delete(`${path}/${id}/signing-secret`))).toMatchObject({ is_signed: false });
  });

  it("survives what a client writes back", async () => {
    const member = await join();
    const { id } = await create(member, "https://crm.example");
    await done(member.post(`${path}/${id}/signing-secret`));
    await done(member.patch(`${path}/${id}`, { ...(await done(member.get(`${path}/${id}`))), is_signed: false }));
    expect(await done(member.get(`${path}/${id}`))).toMatchObject({ is_signed: true });
  });
});

describe("a redelivery", () => {
  it("of one record tells its receiver once more, with the delivery's id", async () => {
    const member = await join();
    const receiver = await openTestReceiver();
    const { id } = await create(member, receiver.url);
    await tellOfCall(member, "call-r", [id]);
    await vi.waitFor(async () => expect(await records(member)).toHaveLength(1), 15_000);
    const [first] = await records(member);
    const again = `/api/v1/webhooks/outgoing-requests/${first.id}/redeliver`;
    expect(await done(member.post(again))).toMatchObject({ success: true, outgoing_webhook_config_id: id });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 15_000);
    expect(new Set(receiver.received.map((request) => JSON.stringify(request.body))).size).toBe(1);
    await vi.waitFor(async () => expect(await records(member)).toHaveLength(2), 15_000);
    expect((await member.post(again.replace(first.id, "nobody's"))).status).toBe(404);
  });

  it("is made by keys and by admins among users; others are not offered it", async () => {
    const member = await join();
    const receiver = await openTestReceiver();
    const { id } = await create(member, receiver.url);
    const call = `call-${member.id}`;
    await tellOfCall(member, call, [id]);
    await vi.waitFor(async () => expect(await records(member)).toHaveLength(1), 15_000);
    const [first] = await records(member);
    const record = `/v1/webhooks/outgoing-requests/${first.id}`;
    const as = async (role: "admin" | "analyst") => {
      const token = await rig().platform.issueToken?.({ userId: `the ${role}`, orgId: member.id, role }, 600);
      const headers = { headers: { Authorization: `Bearer ${token ?? ""}` } };
      const [one, details] = [
        await done(member.send("GET", record, headers)),
        await done(member.send("GET", `/v1/reports/calls/${call}/details`, headers)),
      ];
      const { status, body } = await member.send("POST", `${record}/redeliver`, headers);
      return { offered: [one.may_redeliver, details.may_redeliver], status, code: body.detail?.code };
    };
    expect(await as("analyst")).toEqual({ offered: [false, false], status: 403, code: "forbidden" });
    expect(await as("admin")).toEqual({ offered: [true, true], status: 200, code: undefined });
    await vi.waitFor(async () => expect(await records(member)).toHaveLength(2), 15_000);
    expect(receiver.received).toHaveLength(2);
  });

  it("of many is counted, made and told of, each delivery once, and leaves out what came through", async () => {
    const member = await join();
    let isUp = false;
    const receiver = await openTestReceiver(({ path: asked }) => ({
      status: isUp || asked.includes("well") ? 200 : 404,
    }));
    const { id } = await create(member, receiver.url);
    for (const call of ["call-a", "call-b", "well"]) await tellOfCall(member, `${call}-${member.id}`, [id]);
    await vi.waitFor(async () => expect(await records(member)).toHaveLength(3), 15_000);
    const filter = { webhook_id: id };
    const ask = (body: object) => done(member.post("/api/v1/webhooks/redeliveries", body));
    expect(await ask({ filter, dry_run: true })).toMatchObject({ id: null, state: "counted", count: 2 });
    expect(await ask({ filter: { ...filter, include_delivered: true }, dry_run: true })).toMatchObject({ count: 3 });
    expect(await ask({ filter: { ...filter, outcome: "timeout" }, dry_run: true })).toMatchObject({ count: 0 });
    isUp = true;
    const started = await ask({ filter });
    expect(started).toMatchObject({ state: "running", count: 2 });
    const progress = `/api/v1/webhooks/redeliveries/${started.id}`;
    await vi.waitFor(
      async () =>
        expect(await done(member.get(progress))).toMatchObject({ state: "done", queued: 2, delivered: 2, failed: 0 }),
      15_000,
    );
    expect(receiver.received).toHaveLength(5);
    await vi.waitFor(async () => expect(await ask({ filter, dry_run: true })).toMatchObject({ count: 0 }), 15_000);
  });

  it("of many that was cancelled leaves undelivered what was not under way", async () => {
    const member = await join();
    const receiver = await openTestReceiver(() => ({ status: 404 }));
    const { id } = await create(member, receiver.url);
    await tellOfCall(member, `call-c-${member.id}`, [id]);
    await vi.waitFor(async () => expect(await records(member)).toHaveLength(1), 15_000);
    await done(member.post(`${path}/${id}/pause`));
    const { id: redelivery } = await done(member.post("/api/v1/webhooks/redeliveries", { filter: { webhook_id: id } }));
    const progress = `/api/v1/webhooks/redeliveries/${redelivery}`;
    await vi.waitFor(async () => expect(await done(member.get(progress))).toMatchObject({ queued: 1 }), 15_000);
    const stats = `/api/v1/webhooks/outgoing-stats?webhook_id=${id}`;
    const waiting = async () => (await done(member.get(stats))).data[0].waiting;
    await vi.waitFor(async () => expect(await waiting()).toMatchObject({ count: 1 }), 15_000);
    const { oldest_at, expires_at } = await waiting();
    expect(Date.parse(expires_at) - Date.parse(oldest_at)).toBe(30 * 86_400_000);
    const list = async (query: string) => (await done(member.get(`/api/v1/webhooks/redeliveries${query}`))).data;
    expect(await list(`?webhook_id=${id}`)).toMatchObject([{ id: redelivery, state: "running", count: 1 }]);
    expect(await list("?webhook_id=another")).toEqual([]);
    expect(await done(member.delete(progress))).toMatchObject({ state: "cancelled", delivered: 0, failed: 0 });
    await done(member.delete(`${path}/${id}/pause`));
    expect(await done(member.get(progress))).toMatchObject({ state: "cancelled" });
    expect((await (await join()).get(progress)).status).toBe(404);
    expect(receiver.received).toHaveLength(1);
  });

  it("of what a deleted or unknown webhook was told is refused", async () => {
    const member = await join();
    const unknown = await member.post("/api/v1/webhooks/redeliveries", { filter: { webhook_id: "unknown" } });
    expect([unknown.status, unknown.body.detail[0].type]).toEqual([422, "reference_not_found"]);
  });

  it.each([
    { filter: { status: "failed" }, dry_run: true },
    { filter: { call_id: "none" }, dryrun: true },
  ])("is refused where a name is unknown, as it would send more than was meant: %j", async (body) => {
    const refused = await (await join()).post("/api/v1/webhooks/redeliveries", body);
    expect([refused.status, refused.body.detail[0].msg]).toEqual([422, expect.stringContaining("must not have")]);
  });

  it.each([
    ...["start_date", "end_date", "webhook_id", "event_type_id", "call_id", "outcome", "include_delivered"].map(
      (name) => ({ body: { filter: { outcome: "refused", [name]: null }, dry_run: true }, loc: ["filter", name] }),
    ),
    { body: { filter: { call_id: "none" }, dry_run: null }, loc: ["dry_run"] },
  ])("is refused where a value is null, as it would send more than was meant: $body", async ({ body, loc }) => {
    const refused = await (await join()).post("/api/v1/webhooks/redeliveries", body);
    const fault = { loc: ["body", ...loc], type: "none_forbidden" };
    expect([refused.status, refused.body.detail]).toMatchObject([422, [fault]]);
  });
});

describe("the state of deliveries", () => {
  it("is shown on the webhook, and its owner resumes what was paused because the receiver was gone", {
    tags: ["slow"],
  }, async () => {
    const member = await join();
    let status = 410;
    const receiver = await openTestReceiver(() => ({ status }));
    const { id, ...fresh } = await create(member, receiver.url);
    expect(fresh).toMatchObject({ delivery_state: "ok", delivery_reason: null, failing_since: null, is_paused: false });
    await tellOfCall(member, "call-g", [id]);
    const read = () => done(member.get(`${path}/${id}`));
    const paused = { delivery_state: "paused", delivery_reason: "gone", is_paused: true, paused_by: "system:deliver" };
    await vi.waitFor(async () => expect(await read()).toMatchObject(paused), 15_000);
    await tellOfCall(member, "call-h", [id]);
    status = 200;
    expect(await done(member.delete(`${path}/${id}/pause`))).toMatchObject({ delivery_state: "ok", is_paused: false });
    await vi.waitFor(
      () => expect(receiver.received.map((request) => request.path.slice(0, 7))).toEqual(["/call-g", "/call-h"]),
      15_000,
    );
  });
});
