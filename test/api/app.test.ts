import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { exampleConfig, openPlatform, trackingNumber } from "../platform.ts";

const calls = "/telephony/simulator/calls";
const history = "/api/v1/webhooks/outgoing-requests";
const aCall = { from: "+12125550123", to: trackingNumber };

async function openRig(settings: Record<string, string> = {}) {
  const rig = await openPlatform({ documents: (org) => exampleConfig("http://127.0.0.1:9", [], org), settings });
  /** POST of a body as it stands, by the first organization. */
  async function postRaw(path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) {
    const init = { method: "POST", headers: { "X-API-Key": rig.one.key, ...headers }, body };
    const response = await fetch(rig.url + path, init);
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  }
  return { ...rig, postRaw };
}
const json = { "Content-Type": "application/json" };

describe("an error", () => {
  it("has the specification's body: a code for programs and a message for people", async () => {
    const rig = await openRig();
    const { status, body, headers } = await rig.get("/no/such/path?key=secret", rig.one.key);
    expect(status).toBe(404);
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.has("x-powered-by")).toBe(false);
    expect(body).toEqual({ detail: { code: "not_found", message: "GET /no/such/path was not found." } });
  });

  it("of a method that a path does not take is 405 and says which it takes, with and without a key", async () => {
    const rig = await openRig();
    for (const [method, key] of [
      ["DELETE", rig.one.key],
      ["PUT", ""],
      ["PATCH", rig.one.key],
    ] as const) {
      const { status, headers, body } = await rig.call(method, history, { "X-API-Key": key });
      expect([status, headers.get("allow"), body.detail.code], method).toEqual([
        405,
        "GET, HEAD, OPTIONS",
        "method_not_allowed",
      ]);
    }
    const asked = await rig.call("OPTIONS", "/api/v1/targets/x", {});
    expect([asked.status, asked.headers.get("allow")]).toEqual([204, "GET, PATCH, DELETE, HEAD, OPTIONS"]);
  });

  it("of validation lists each fault at its place, with what was given", async () => {
    const rig = await openRig();
    const { status, body } = await rig.get(`${history}?limit=0&offset=-1&sort_direction=up`, rig.one.key);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([
      { loc: ["query", "limit"], type: "greater_than_equal", input: 0, ctx: { ge: 1 } },
      { loc: ["query", "offset"], type: "greater_than_equal", input: -1, ctx: { ge: 0 } },
      { loc: ["query", "sort_direction"], type: "enum", input: "up" },
    ]);
    for (const { msg } of body.detail) expect(typeof msg).toBe("string");
  });

  it("for want of a valid key is 401, before anything is looked at", async () => {
    const rig = await openRig();
    for (const headers of [{}, { "X-API-Key": "tl_wrong" }, { Authorization: `Bearer ${rig.one.key}` }]) {
      const read = await rig.call("GET", `${history}?limit=0`, headers);
      const written = await rig.call("POST", calls, headers, {});
      expect([read.status, read.body.detail.code]).toEqual([401, "unauthorized"]);
      expect([written.status, written.body.detail.code]).toEqual([401, "unauthorized"]);
    }
  });
});

describe("a body", () => {
  it("that cannot be read is 422 and says what to do", async () => {
    const rig = await openRig();
    const refused: [Record<string, string>, string, type: string, message: string][] = [
      [json, "{broken", "json_invalid", "not valid JSON"],
      [json, '"word"', "json_invalid", "must be a JSON object"],
      [{}, "", "missing", "Content-Type: application/json"],
      [{ "Content-Type": "application/x-www-form-urlencoded" }, "from=1", "missing", "application/json"],
      [{ "Content-Type": "text/plain" }, JSON.stringify(aCall), "missing", "application/json"],
      [{ "Content-Type": "application/json; charset=latin1" }, "{}", "charset_invalid", "UTF-8"],
      [{ ...json, "Content-Encoding": "lzma" }, "{}", "encoding_invalid", "gzip"],
      [{ ...json, "Content-Encoding": "gzip" }, "{}", "body_invalid", "cannot be read"],
    ];
    for (const [headers, text, type, message] of refused) {
      const { status, body } = await rig.postRaw(calls, headers, text);
      expect([status, body.detail.length], type).toEqual([422, 1]);
      expect(body.detail[0]).toMatchObject({ loc: ["body"], type });
      expect(body.detail[0].msg).toContain(message);
    }
  });

  it("over the limit is 413, also when it grows over it only as it is unpacked from gzip", async () => {
    const rig = await openRig({ MAX_BODY_BYTES: "2048" });
    const large = JSON.stringify({ ...aCall, tags: { a: "x".repeat(4096) } });
    const refused = await rig.postRaw(calls, json, large);
    expect([refused.status, refused.body.detail.code]).toEqual([413, "body_too_large"]);
    const bomb = new Uint8Array(gzipSync(large));
    expect(bomb.length).toBeLessThan(2048);
    expect((await rig.postRaw(calls, { ...json, "Content-Encoding": "gzip" }, bomb)).status).toBe(413);
    expect((await rig.postRaw(calls, json, JSON.stringify(aCall))).status).toBe(201);
    const packed = new Uint8Array(gzipSync(JSON.stringify(aCall)));
    expect((await rig.postRaw(calls, { ...json, "Content-Encoding": "gzip" }, packed)).status).toBe(201);
  });
});

describe("the request id", () => {
  it("is the one that was sent, and made where none was, or one that would not do", async () => {
    const rig = await openRig();
    const { headers } = await rig.call("GET", "/healthz", { "X-Request-Id": "order-66:a.b_c" });
    expect(headers.get("x-request-id")).toBe("order-66:a.b_c");
    const made = new Set<string | null>();
    const unfit = [undefined, "", "a b", "<script>", "x".repeat(129)];
    for (const given of unfit) {
      const { headers } = await rig.call("GET", "/no-such-path", given === undefined ? {} : { "X-Request-Id": given });
      expect(headers.get("x-request-id"), given).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
      made.add(headers.get("x-request-id"));
    }
    expect(made.size).toBe(unfit.length);
  });
});

describe("answers", () => {
  it("about a token are 503 while the identity provider gives no keys", async () => {
    const provider = createServer((_request, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void provider.close().closeAllConnections());
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;
    const rig = await openRig({ JWT_JWKS_URL: url, JWT_ISSUER: "https://id.example", JWT_AUDIENCE: "a" });
    // A token's header that names an algorithm and a key; nothing else of it is looked at before the keys are there.
    const token = `${Buffer.from('{"alg":"RS256","kid":"1"}').toString("base64url")}.e30.AAAA`;
    const { status, body, headers } = await rig.ask("calls today", token);
    expect([status, body.detail.code, headers.get("retry-after")]).toEqual([503, "sign_in_unavailable", "5"]);
  });
});
