import { describe, expect, it } from "vitest";
import { signatureOf } from "../../../api/telephony/twilio/access.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const perMinute = 5;
const publicUrl = "https://calls.example";
const { rig, join } = usePlatform({
  settings: {
    FAILED_SIGN_INS_PER_MIN: String(perMinute),
    TRUST_PROXY: "1",
    PUBLIC_URL: publicUrl,
    TWILIO_AUTH_TOKEN: "token",
    JAMBONZ_USERNAME: "switch",
    JAMBONZ_PASSWORD: "secret",
  },
});

interface Surface {
  readonly method?: string;
  readonly refused: number;
  /** Beyond the limit. */
  readonly late: 401 | 429;
  /** Whether who is right passes beyond the limit. */
  readonly passes: boolean;
  /** The path and headers of a request by these credentials. */
  sent(member: Member, isRight: boolean): Promise<{ path: string; headers?: Record<string, string>; body?: string }>;
}

const basic = (password: string) => `Basic ${Buffer.from(`switch:${password}`).toString("base64")}`;
const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

const surfaces: Readonly<Record<string, Surface>> = {
  "an API key": {
    refused: 401,
    late: 401,
    passes: true,
    sent: async ({ key }, isRight) => ({
      path: "/api/v1/buyers",
      headers: { "X-API-Key": isRight ? key : "tl_wrong" },
    }),
  },
  "an access token": {
    refused: 401,
    late: 429,
    passes: true,
    sent: async ({ token }, isRight) => ({
      path: "/reporting_ai/sessions",
      headers: { Authorization: `Bearer ${isRight ? token : "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."}` },
    }),
  },
  "an access token of a model's tools": {
    method: "POST",
    refused: 401,
    late: 429,
    passes: true,
    sent: async ({ token }, isRight) => ({
      path: "/mcp",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      headers: {
        ...json,
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${isRight ? token : "wrong"}`,
      },
    }),
  },
  "the key of an incoming webhook": {
    method: "POST",
    refused: 401,
    late: 401,
    passes: true,
    async sent(member, isRight) {
      const { data } = await done(member.get("/api/v1/incoming-webhooks"));
      const body = JSON.stringify({ caller_id: "+12125550123" });
      return { path: `/call-data?svc_auth_key=${isRight ? data[0].auth_key : "wrong"}`, headers: json, body };
    },
  },
  "a carrier's signature": {
    method: "POST",
    refused: 403,
    late: 429,
    passes: true,
    async sent(_member, isRight) {
      const [path, fields] = ["/telephony/twilio/status", { CallSid: "CA404", CallStatus: "completed" }];
      const signature = signatureOf(isRight ? "token" : "wrong", publicUrl + path, fields);
      const body = new URLSearchParams(fields).toString();
      return { path, headers: { ...form, "X-Twilio-Signature": signature }, body };
    },
  },
  "a switch's password": {
    method: "POST",
    refused: 401,
    late: 429,
    passes: false,
    sent: async (_member, isRight) => ({
      path: "/telephony/jambonz/status",
      headers: { ...json, Authorization: basic(isRight ? "secret" : "guess") },
      body: JSON.stringify({ call_sid: "c", call_status: "completed" }),
    }),
  },
};

let addresses = 0;

describe("wrong credentials", () => {
  it.each(Object.entries(surfaces))(
    "of %s are answered as they shall be beyond the limit of their address",
    async (_name, surface) => {
      const member = await join();
      await done(member.post("/api/v1/incoming-webhooks", { name: "Leads", type: "call_data" }));
      addresses += 1;
      const address = `198.51.100.${addresses}`;
      async function send(isRight: boolean, from = address) {
        const { path, headers, body } = await surface.sent(member, isRight);
        const response = await fetch(rig().url + path, {
          method: surface.method ?? "GET",
          headers: { ...headers, "X-Forwarded-For": from },
          ...(body === undefined ? {} : { body }),
        });
        return { status: response.status, headers: response.headers, text: await response.text() };
      }
      expect((await send(true)).status).toBeLessThan(300);
      for (let left = perMinute; left > 0; left -= 1) expect((await send(false)).status).toBe(surface.refused);
      const late = await send(false);
      expect(late.status).toBe(surface.late);
      const { code, message } = JSON.parse(late.text).detail;
      if (surface.late === 429) {
        expect([code, message]).toEqual(["rate_limited", expect.stringContaining(address)]);
        expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
      } else {
        // As the specification has it, however often it is tried.
        expect([code, late.headers.get("retry-after")]).toEqual(["unauthorized", null]);
      }
      expect((await send(true)).status < 300).toBe(surface.passes);
      expect((await send(false, `203.0.113.${addresses}`)).status).toBe(surface.refused);
      expect((await send(true, `192.0.2.${addresses}`)).status).toBeLessThan(300);
    },
  );

  it("are counted by how they sign in", async () => {
    const { sent } = surfaces["an API key"] ?? expect.fail();
    const { path, headers = {} } = await sent(await join(), false);
    await fetch(rig().url + path, { headers });
    const metrics = await (await fetch(`${rig().url}/metrics`)).text();
    expect(metrics).toMatch(/^trunkline_failed_sign_ins_total\{scheme="api_key"\} [1-9]/m);
  });
});
