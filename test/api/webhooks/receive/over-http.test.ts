import { beforeAll, describe, expect, it } from "vitest";
import { wholeTopic } from "../../../whole-topic.ts";
import { done } from "../../use-platform.ts";
import { call, eventually, newCaller, type Path, paths, recordsOf, useReceiver, type World } from "./over-http.ts";

const { rig, joinWithWebhooks, lastOf, completed } = useReceiver({
  MAX_BODY_BYTES: "4096",
  WEBHOOK_RATE_LIMIT_PER_MIN: "300",
});

/** Requests of all organizations that were refused without a record. */
async function refusedBy(reason: string): Promise<number> {
  const text = await (await fetch(`${rig().url}/metrics`)).text();
  const name = `trunkline_incoming_webhooks_refused_total{reason="${reason}"} `;
  const line = text.split("\n").find((each) => each.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
}

let world: World;
beforeAll(async () => {
  world = await joinWithWebhooks();
});

describe("the key of an incoming webhook", () => {
  it("must be in the query, once, and of a webhook of this type", async () => {
    const { send, keys } = await joinWithWebhooks();
    const key = keys.get("call-data") ?? "";
    const body = { caller_id: newCaller() };
    const refused = [
      await send("call-data", body, { query: "" }),
      await send("call-data", body, { key: "" }),
      await send("call-data", body, { key: `${key}x` }),
      await send("call-data", body, { query: `?svc_auth_key=${key}&svc_auth_key=${key}` }),
      await send("call-data", body, { query: "", headers: { "X-API-Key": world.member.key, Authorization: key } }),
      await send("call-data", body, { query: "", headers: { svc_auth_key: key } }),
      await send("update-tags", { ...body, add: { a: "1" } }, { key }),
      await send("call-data", "{broken", { key: "wrong" }),
    ];
    for (const { status, body: answer } of refused) {
      expect([status, answer.detail.code]).toEqual([401, "unauthorized"]);
    }
    expect((await send("call-data", body)).body).toEqual({ success: true, matched: false });
  });

  it("is in the address that the configuration shows, by which requests come", async () => {
    const { member } = await joinWithWebhooks();
    const path = "/api/v1/incoming-webhooks";
    const made = await done(member.post(path, { name: "Shown", type: "update_fields" }));
    expect(made.url).toBe(`${rig().url}/update-fields?svc_auth_key=${made.auth_key}`);
    const { data } = await done(member.get(path));
    expect([await done(member.get(`${path}/${made.id}`)), data[0]]).toEqual([made, made]);
    expect((await done(member.patch(`${path}/${made.id}`, made))).url).toBe(made.url);
    await rig().platform.settled();
    const body = JSON.stringify({ caller_id: newCaller(), fields: {} });
    expect((await fetch(made.url, { method: "POST", body })).status).toBe(200);
    const { url, auth_key } = await done(member.post(`${path}/${made.id}/rotate-key`));
    expect(url).toBe(made.url.replace(made.auth_key, auth_key));
  });

  it("is dead once it was changed, and at once", async () => {
    const { member, send, keys } = await joinWithWebhooks();
    const { data } = await done(member.get("/api/v1/incoming-webhooks?type=call_data"));
    const { auth_key } = await done(member.post(`/api/v1/incoming-webhooks/${data[0].id}/rotate-key`));
    await rig().platform.settled();
    expect((await send("call-data", { caller_id: newCaller() }, { key: keys.get("call-data") ?? "" })).status).toBe(
      401,
    );
    expect((await send("call-data", { caller_id: newCaller() }, { key: auth_key })).status).toBe(200);
  });
});

describe("a request of an incoming webhook", () => {
  it("is a POST, of JSON or a form that says who is meant", async () => {
    const { send } = world;
    expect((await send("call-data", undefined, { method: "GET" })).status).toBe(405);
    expect((await send("call-data", undefined, { method: "OPTIONS" })).headers.get("allow")).toBe("POST, OPTIONS");
    const wrong: [Path, unknown, Record<string, string>?][] = [
      ["call-data", "{broken"],
      ["call-data", "[]"],
      ["call-data", ""],
      ["call-data", "caller_id=5", { "Content-Type": "text/plain" }],
      ["call-data", {}],
      ["call-data", { caller_id: "nobody" }],
      ["call-data", { caller_id: 12125550123 }],
      ["call-data", { caller_id: newCaller(), transaction_id: "x".repeat(256) }],
      ["update-revenue", { revenue: 5 }],
      ["update-revenue", { caller_id: newCaller() }],
      ["update-revenue", { caller_id: newCaller(), revenue: -1 }],
      ["update-revenue", { caller_id: newCaller(), revenue: "much" }],
      ["update-revenue", { caller_id: newCaller(), revenue: "0x10" }],
      ["update-revenue", { caller_id: newCaller(), converted: "perhaps" }],
      ["update-revenue", { caller_id: newCaller(), converted: false, revenue: 5 }],
      ["update-tags", { caller_id: newCaller() }],
      ["update-tags", { caller_id: newCaller(), add: { a: { b: 1 } } }],
      ["update-tags", { caller_id: newCaller(), add: { a: "\u0000" } }],
      ["update-fields", { caller_id: newCaller() }],
      ["update-fields", { caller_id: newCaller(), fields: { notes: "x".repeat(1025) } }],
    ];
    for (const [path, body, headers] of wrong) {
      const answer = await send(path, body, headers && { headers });
      expect(answer.status, JSON.stringify([path, body, answer.body])).toBe(422);
      expect(answer.body.detail[0].loc[0]).toBe("body");
    }
    const large = await send("call-data", { caller_id: newCaller(), note: "x".repeat(4096) });
    expect([large.status, large.body.detail.code]).toEqual([413, "body_too_large"]);
  });

  it("is counted against the limit of its organization, whatever its type", async () => {
    const { send } = await joinWithWebhooks();
    const answers = await Promise.all(
      Array.from({ length: 302 }, (_, index) => send(paths[index % 4] ?? "call-data", "{broken")),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(300);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body.detail.code)).toEqual(["rate_limited", "rate_limited"]);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("beyond the limit or without a valid key is counted and not stored, whatever path a valid key comes by", async () => {
    const { member, send, keys } = await joinWithWebhooks();
    const key = keys.get("call-data") ?? "";
    const before = { rate: await refusedBy("rate_limit"), key: await refusedBy("key") };
    const answers = await Promise.all(
      Array.from({ length: 310 }, (_, index) =>
        send(index % 2 === 0 ? "update-tags" : "call-data", "{broken", { key }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    for (const each of ["", `${key}x`]) expect((await send("call-data", "{broken", { key: each })).status).toBe(401);
    expect(await refusedBy("rate_limit")).toBe(before.rate + 10);
    expect(await refusedBy("key")).toBe(before.key + 2);
    await send("call-data", "{broken", { key });
    const statuses = new Map<number, number>();
    for await (const { value } of wholeTopic(rig().platform.log, "webhook-deliveries")) {
      const { org_id, response_status_code: status } = JSON.parse(value);
      if (org_id === member.id) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const [ok, wrongPath] = [422, 401].map((status) => answers.filter((answer) => answer.status === status).length);
    expect(statuses).toEqual(
      new Map([
        [422, ok],
        [401, wrongPath],
      ]),
    );
  });

  it("has one record each within the limit, a refused one too, without the secrets that it was sent with", async () => {
    const { member, send, keys } = await joinWithWebhooks();
    const caller_id = newCaller();
    const callId = await call(member, caller_id);
    await completed(callId);
    const headers = { "X-Api-Key": "hidden", "X-Trace": "seen" };
    const extras = { lead_score: 87, custom_data: { form: "spring" } };
    await send("call-data", { transaction_id: "t-1", caller_id, ...extras, lead_type: "solar" }, { headers });
    await send("call-data", "{broken");
    await send("update-tags", "{}", { key: keys.get("call-data") ?? "" });
    await send("call-data", { transaction_id: "t-1", caller_id });
    await eventually(async () => expect(await recordsOf(member)).toHaveLength(4));
    const [first, broken, foreign, repeated] = await recordsOf(member);
    expect(first).toMatchObject({
      webhook_config_name: "Our call-data",
      webhook_config_type: "call_data",
      call_log_id: callId,
      method: "POST",
      path: "/call-data",
      query_string: "svc_auth_key=***",
      transaction_id: "t-1",
      response_status_code: 200,
    });
    expect(JSON.parse(first.body)).toMatchObject(extras);
    expect(first.headers).toMatchObject({ "x-api-key": "***", "x-trace": "seen" });
    expect(JSON.parse(first.response_body)).toMatchObject({ matched: true, call_id: callId });
    expect(broken).toMatchObject({ body: "{broken", response_status_code: 422, transaction_id: null });
    expect(foreign).toMatchObject({ path: "/update-tags", response_status_code: 401, body: null });
    expect(repeated.response_headers).toMatchObject({ "Idempotent-Replayed": "true" });
    expect(repeated.response_body).toBe(first.response_body);
    for (const record of await recordsOf(member)) {
      expect(JSON.stringify(record)).not.toContain(keys.get("call-data"));
      expect(Date.parse(record.updated_at) - Date.parse(record.created_at)).toBe(record.response_time_ms);
    }
  });
});

describe("updates over HTTP", () => {
  it("put money, tags and fields into the call, by its id or its caller, from JSON or a form", async () => {
    const { member, send } = world;
    const caller_id = newCaller();
    const call_id = await call(member, caller_id);
    await completed(call_id);
    const revenue = await send("update-revenue", { call_id, revenue: 45.5, reason: "sold" });
    expect(revenue.body).toEqual({
      success: true,
      matched: true,
      call_id,
      before: { revenue: 30, payout: 20, converted: true },
      after: { revenue: 45.5, payout: 20, converted: true },
    });
    const form = { headers: { "Content-Type": "application/x-www-form-urlencoded" } };
    const national = caller_id.slice(2);
    const tags = await send(
      "update-tags",
      `caller_id=${national}&add[Lead_Score]=7.50&tags={"a":"1"}&remove=none`,
      form,
    );
    expect(tags.body).toEqual({
      success: true,
      matched: true,
      call_id,
      before: { none: null, lead_score: null, a: null },
      after: { none: null, lead_score: "7.5", a: "1" },
    });
    const fields = await send("update-fields", {
      call_id,
      fields: { caller_zip: "10001-1234", caller_state: "new york", disposition: "sold", caller_name: "x" },
    });
    expect(fields.body).toMatchObject({
      after: { caller_zip: "10001", caller_state: "NY", disposition: "sold" },
      ignored: ["caller_name"],
    });
    await eventually(async () => {
      expect(await lastOf(call_id)).toMatchObject({
        event: "call.updated",
        status: "completed",
        revenue: 45.5,
        profit: 25.5,
        revenue_overridden: true,
        caller_zip: "10001",
        caller_state: "NY",
        tags: { lead_score: "7.5", a: "1", disposition: "sold" },
      });
    });
  });

  it("find nothing of another organization", async () => {
    const caller_id = newCaller();
    const call_id = await call(world.member, caller_id);
    await completed(call_id);
    const { send } = await joinWithWebhooks();
    for (const subject of [{ call_id }, { caller_id }]) {
      const answer = await send("update-tags", { ...subject, add: { a: "1" } });
      expect(answer.body).toEqual({ success: true, matched: false });
    }
  });

  it("reach a live call before its next decision", async () => {
    const { member, send } = world;
    const caller_id = newCaller();
    const call_id = await call(member, caller_id, { seconds: null });
    const answer = await send("call-data", { caller_id, lead_type: "roof" });
    expect(answer.body).toMatchObject({ matched: true, call_id, after: { lead_type: "roof" } });
    await eventually(async () => expect((await lastOf(call_id))?.tags).toEqual({ lead_type: "roof" }));
  });
});

describe("a webhook that campaigns name", () => {
  it("is about their calls alone, and about all where none names it", async () => {
    const { member, keys, send } = await joinWithWebhooks();
    const { data: webhooks } = await done(member.get("/api/v1/incoming-webhooks"));
    const incoming_webhooks = webhooks.map(({ id }: { id: string }) => id);
    const other = await done(member.post("/api/v1/campaigns", { name: "Another", incoming_webhooks }));
    await rig().platform.settled();
    const caller_id = newCaller();
    const callId = await call(member, caller_id);
    await completed(callId);
    expect(keys.size).toBe(4);
    const fields = { fields: { notes: "mine" } };
    const unmatched = { success: true, matched: false };
    expect((await send("update-fields", { call_id: callId, ...fields })).body).toMatchObject(unmatched);
    expect((await send("update-fields", { caller_id, ...fields })).body).toMatchObject(unmatched);
    expect((await send("update-revenue", { caller_id, revenue: 1 })).body).toMatchObject(unmatched);
    // Waits for a call of the other campaign.
    expect((await send("call-data", { caller_id, lead_type: "waits" })).body).toMatchObject(unmatched);
    const next = await call(member, caller_id);
    await completed(next);
    expect((await lastOf(next)).tags).toEqual({});
    await done(member.patch(`/api/v1/campaigns/${other.id}`, { incoming_webhooks: null }));
    await rig().platform.settled();
    expect((await send("update-fields", { caller_id, ...fields })).body).toMatchObject({
      matched: true,
      call_id: next,
    });
    expect((await send("update-fields", { call_id: callId, ...fields })).body).toMatchObject({ call_id: callId });
  });
});

describe("data of a caller who has not called", () => {
  it("is for the next call, and for that one alone", async () => {
    const { member, send } = world;
    const caller_id = newCaller();
    await send("call-data", { caller_id, lead_type: "early", lead_score: 5, unknown: "x" });
    await send("call-data", { caller_id, Lead_Type: "late", custom_data: { lead_score: 6 } });
    const first = await call(member, caller_id);
    await completed(first);
    expect((await lastOf(first)).tags).toEqual({ lead_type: "late", lead_score: "6" });
    const second = await call(member, caller_id);
    await completed(second);
    expect((await lastOf(second)).tags).toEqual({});
  });
});

it("data and the call that come in the same instant meet, whichever is first", async () => {
  const { member, send } = world;
  for (let round = 0; round < 8; round += 1) {
    const caller_id = newCaller();
    const [callId] = await Promise.all([
      call(member, caller_id),
      send("call-data", { caller_id, lead_type: `of ${round}` }),
    ]);
    await completed(callId);
    await eventually(async () => expect((await lastOf(callId)).tags).toEqual({ lead_type: `of ${round}` }));
  }
});

describe("a transaction", () => {
  it("that comes 200 times at once is done once, and answered the same or told to wait", {
    tags: ["slow"],
  }, async () => {
    const { member, send } = world;
    const caller_id = newCaller();
    const call_id = await call(member, caller_id);
    await completed(call_id);
    const before = (await lastOf(call_id)).version;
    const body = { transaction_id: `many-${call_id}`, caller_id, add: { a: "1" } };
    const answers = await Promise.all(Array.from({ length: 200 }, () => send("update-tags", body)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(200 - done.length);
    expect(done.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    const again = await send("update-tags", { ...body, add: { a: "2" } });
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, done[0]?.text, "true"]);
    await send("update-tags", { call_id, add: { last: "1" } });
    await eventually(async () => expect((await lastOf(call_id)).tags).toEqual({ a: "1", last: "1" }));
    expect((await lastOf(call_id)).version).toBe(before + 2);
  });
});
