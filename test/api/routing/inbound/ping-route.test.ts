import { v4 as uuidv4 } from "uuid";
import { describe, expect, it } from "vitest";
import type { ConfigInput } from "../../../../api/config/registry.ts";
import { pingAnswerSchema } from "../../../../api/routing/inbound/ping-response.ts";
import { type Company, foundCompany, phonesOf } from "../../company.ts";
import { done, type Member, usePlatform } from "../../use-platform.ts";
import { openBuyer } from "../rtb/buyer.ts";

const perMinute = 60;
const { rig, join } = usePlatform({
  settings: { RTB_RATE_LIMIT_PER_MIN: String(perMinute), ALLOW_PRIVATE_DESTINATIONS: "true" },
});

interface Publisher {
  readonly member: Member;
  readonly ids: Company;
  /** As somebody who knows nothing but the address. */
  send(method: string, given?: { query?: string; body?: string; headers?: Record<string, string> }): Promise<Response>;
}

async function openPublisher(): Promise<Publisher> {
  const member = await join();
  const ids = await foundCompany(member);
  await done(member.patch(`/api/v1/inbound-rtb/${ids.inbound_rtb}`, { rate_limit: 1000 }));
  const send: Publisher["send"] = (method, { query = "", body, headers = {} } = {}) =>
    fetch(`${rig().url}/inbound_rtb/${ids.public_inbound_rtb}${query}`, { method, headers, ...(body ? { body } : {}) });
  return { member, ids, send };
}

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

describe("a ping over HTTP", () => {
  it("is answered without a key, by GET and POST alike, JSON or form, the body before the query", async () => {
    const { send } = await openPublisher();
    const first = await send("GET", { query: "?CallerID=2125550123&zip=10001&subid=a" });
    const answer = pingAnswerSchema.parse(await first.json());
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer).toMatchObject({ success: true, allocated_count: 1, eligible_routes: [{ payout: 30 }] });
    const same = { caller_id: "+12125550123", zip_code: "10001", subid: "a" };
    const repeats = [
      await send("POST", { body: JSON.stringify(same), headers: json }),
      await send("POST", { body: JSON.stringify(same), headers: { "Content-Type": "text/plain" } }),
      await send("POST", { body: new URLSearchParams(same).toString(), headers: form }),
      await send("POST", {
        query: "?cid=2125550999&zip=90210",
        body: JSON.stringify({ cid: "2125550123", zip: 10001, subid: "a" }),
        headers: json,
      }),
      await send("POST", { query: "?cid=2125550123&zip=10001&subid=a" }),
    ];
    for (const repeat of repeats) expect(await repeat.json()).toEqual({ ...answer, cached: true });
  });

  it("has the client's request id, or one of ours", async () => {
    const { send } = await openPublisher();
    const own = await send("GET", { headers: { "X-Request-Id": "mine-1" } });
    expect(own.headers.get("x-request-id")).toBe("mine-1");
    expect((await send("GET")).headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });

  it("is 404 at an endpoint that nobody has, or no longer", async () => {
    const { member, ids, send } = await openPublisher();
    const nobody = await fetch(`${rig().url}/inbound_rtb/nobody?cid=2125550123`);
    expect([nobody.status, await nobody.json()]).toEqual([
      404,
      { detail: { code: "not_found", message: expect.any(String) } },
    ]);
    await done(member.patch(`/api/v1/inbound-rtb/${ids.inbound_rtb}`, { inbound_rtb_id: "renamed-since" }));
    expect((await send("GET")).status).toBe(404);
    expect((await fetch(`${rig().url}/inbound_rtb/renamed-since`)).status).toBe(200);
    await done(member.delete(`/api/v1/inbound-rtb/${ids.inbound_rtb}`));
    expect((await fetch(`${rig().url}/inbound_rtb/renamed-since`)).status).toBe(404);
    for (const path of ["/inbound_rtb", "/inbound_rtb/", "/inbound_rtb/a/b", "/inbound_rtb?cid=1"]) {
      expect((await fetch(rig().url + path)).status).toBe(404);
    }
    expect((await fetch(`${rig().url}/inbound_rtb/%E0%A4%A`)).status).toBe(400);
  });

  it("is 405 by another method, and says which there are", async () => {
    const { send } = await openPublisher();
    for (const method of ["PUT", "PATCH", "DELETE", "HEAD"]) {
      const refused = await send(method);
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, OPTIONS"]);
    }
    const options = await send("OPTIONS");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, POST, OPTIONS"]);
  });

  it.each([
    ["broken JSON", json, "{broken", "json_invalid"],
    ["a list", json, "[]", "dict_type"],
    ["nothing", json, "null", "dict_type"],
    ["a text", { "Content-Type": "text/plain" }, "caller_id", "missing"],
    ["packed bytes", { ...json, "Content-Encoding": "gzip" }, "{}", "encoding_invalid"],
  ])("is 422 with a body that cannot be read: %s", async (_what, headers, body, type) => {
    const { send } = await openPublisher();
    const refused = await send("POST", { body, headers });
    expect([refused.status, await refused.json()]).toMatchObject([422, { detail: [{ loc: ["body"], type }] }]);
  });

  it("is 413 with a body of more than 64 KiB, told or not", async () => {
    const { send } = await openPublisher();
    const fitting = JSON.stringify({ padding: "x".repeat(64 * 1024 - 14) });
    expect((await send("POST", { body: fitting, headers: json })).status).toBe(200);
    const refused = await send("POST", { body: `${fitting} `, headers: json });
    expect([refused.status, await refused.json()]).toMatchObject([413, { detail: { code: "body_too_large" } }]);
    const untold = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`${fitting} `));
        controller.close();
      },
    });
    const { status } = await fetch(`${rig().url}/inbound_rtb/${(await openPublisher()).ids.public_inbound_rtb}`, {
      method: "POST",
      headers: json,
      body: untold,
      duplex: "half",
    } as RequestInit);
    expect(status).toBe(413);
  });

  it("is 429 beyond the endpoint's rate, and beyond the organization's", async () => {
    const { member, ids, send } = await openPublisher();
    await done(member.patch(`/api/v1/inbound-rtb/${ids.inbound_rtb}`, { rate_limit: 2, rate_period: "hour" }));
    const answers: Response[] = [];
    for (let index = 0; index < 3; index += 1) answers.push(await send("GET"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await answers[2]?.json()).toEqual({
      detail: { code: "rate_limited", message: expect.stringContaining("2 pings") },
    });
    const retryAfter = answers[2]?.headers.get("retry-after");
    expect(Number(retryAfter)).toBeGreaterThan(3500);
    const own = ["limit", "remaining", "reset"].map((name) => answers[2]?.headers.get(`x-ratelimit-${name}`));
    expect(own).toEqual(["2", "0", retryAfter]);
    const others = await Promise.all(Array.from({ length: perMinute }, () => send("GET")));
    const beyond = others.filter(({ headers }) => Number(headers.get("retry-after")) <= 60);
    expect(beyond).not.toEqual([]);
    expect(beyond[0]?.headers.get("x-ratelimit-limit")).toBe(String(perMinute));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([429]));
  });
});

describe("a ping, its auction and its call", () => {
  it("asks the group's buyers, offers the winner's bid, and the call goes there on the terms that were quoted", async () => {
    const { member, ids, send } = await openPublisher();
    const bidding = (bid: number) =>
      openBuyer(() => ({ body: JSON.stringify({ bid, duration: 60, phone: "+18885550155" }) }));
    const [high, low] = [await bidding(42.5), await bidding(35)];
    const about = { org_id: member.id, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
    const formula = (id: string, url: string) => {
      const step = { url, method: "POST", api_response: {}, body_type: "json" } as const;
      const mapped_response = { bid: "bid", duration: "duration", phone_number: "phone" };
      return {
        type: "rtb_formula",
        doc: { ...about, id, rtb_name: id, buyer_id: ids.buyer, steps: [step], mapped_response },
      } satisfies ConfigInput;
    };
    const [winner, loser] = [uuidv4(), uuidv4()];
    const links = [loser, winner].map((id) => ({ id: uuidv4(), rtb_formula_id: id }));
    const routes = [
      { id: uuidv4(), action: "route-to-target", target_id: ids.target },
      { id: uuidv4(), action: "route-to-rtb-group", rtb_group_id: ids.rtb_group },
    ];
    await member.save([
      formula(winner, high.url),
      formula(loser, low.url),
      { type: "rtb_group", doc: { ...about, id: ids.rtb_group, name: "Group", rtb_formulas: links } },
      { type: "routing_plan", doc: { ...about, id: ids.routing_plan, name: "Plan", routes } },
      {
        type: "number",
        doc: { ...about, id: ids.spare_number, number: phonesOf(member.id).spare, number_pool_id: ids.number_pool },
      },
    ]);
    await done(member.patch(`/api/v1/inbound-rtb/${ids.inbound_rtb}`, { payout_percentage: 80 }));
    const answer = pingAnswerSchema.parse(await (await send("GET", { query: "?cid=2125550123" })).json());
    expect(answer).toMatchObject({ total_routes: 2, allocated_count: 2 });
    const [best, second] = answer.eligible_routes;
    expect([best?.payout, best?.duration, second?.payout]).toEqual([34, 60, 24]);
    expect([high.asked.length, low.asked.length]).toEqual([1, 1]);
    const call = await done(member.post("/telephony/simulator/calls", { from: "+12125550123", to: best?.number }));
    expect(call).toMatchObject({ action: "dial", destination: { target_id: winner, number: "+18885550155" } });
    expect(call.terms.publisher_terms).toMatchObject({ payout: 34, percentage: null, condition_seconds: 60 });
    const next = await done(member.post(`/telephony/simulator/calls/${call.call_id}/events`, { type: "busy" }));
    // The target owes 30, less than the 34 that were promised: nobody else may take the call.
    expect(next).toMatchObject({ action: "hangup" });
    const late = await done(member.post("/telephony/simulator/calls", { from: "+12125550123", to: best?.number }));
    expect(late).toMatchObject({ action: "reject", reason: "allocation_expired" });
    const other = await done(member.post("/telephony/simulator/calls", { from: "+12125550999", to: second?.number }));
    expect(other).toMatchObject({ action: "reject", reason: "caller_mismatch" });
  });
});
