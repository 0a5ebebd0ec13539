import { describe, expect, it } from "vitest";
import { type Member, usePlatform } from "../use-platform.ts";
import { bearer, connect, connectModern } from "./mcp-client.ts";

const limit = 40;
const publicUrl = "https://reports.example";
const { rig, join } = usePlatform({
  settings: { ASSISTANT_RATE_LIMIT_PER_MIN: String(limit), API_RATE_LIMIT_PER_MIN: "3", PUBLIC_URL: publicUrl },
});

const accepting = { Accept: "application/json, text/event-stream" };
const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const post = (member: Member, headers: Record<string, string> = {}, body: unknown = listing) =>
  member.send("POST", "/mcp", { headers: { ...accepting, ...bearer(member.token), ...headers }, body });

describe("the Model Context Protocol", () => {
  it("speaks to clients that begin with a handshake, and to those that say their version each time", async () => {
    const headers = bearer((await join()).token);
    const [handshake, modern] = [await connect(rig().url, headers), await connectModern(rig().url, headers)];
    expect(modern.tools.map(({ name }) => name)).toEqual(handshake.tools.map(({ name }) => name));
    for (const { client, use } of [handshake, modern]) {
      expect(client.getServerVersion()).toMatchObject({ name: "trunkline", title: "Trunkline" });
      expect(client.getInstructions()).toMatch(/^Reports of a pay-per-call platform/);
      expect((await use("catalog")).answer.subjects[0].name).toBe("calls");
    }
  });

  it("keeps nothing of a client: no session, and each request stands alone", async () => {
    const { status, headers, body } = await post(await join());
    expect([status, headers.get("Mcp-Session-Id")]).toEqual([200, null]);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(body.result.tools.length).toBeGreaterThan(5);
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  it.each([
    ["a version that is none", { "MCP-Protocol-Version": "1999-01-01" }],
    ["a version that its body does not say", { "MCP-Protocol-Version": "2026-07-28" }],
  ])("refuses %s with 400", async (_what, headers) => {
    const { status, body } = await post(await join(), headers);
    expect([status, body.jsonrpc]).toEqual([400, "2.0"]);
  });

  it("holds no stream of changes open, as there are none", async () => {
    const member = await join();
    const version = "2026-07-28";
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { _meta, notifications: { toolsListChanged: true } };
    const headers = { "MCP-Protocol-Version": version, "Mcp-Method": "subscriptions/listen" };
    const { body } = await post(member, headers, { ...listing, method: "subscriptions/listen", params });
    expect(body.error).toBeDefined();
  });

  it("takes a Host that is no address", async () => {
    const { status } = await post(await join(), { Host: 'a"b' });
    expect(status).toBe(200);
  });

  it.each([
    ["another origin", "https://evil.example", 403],
    ["a name that was made to resolve here", "http://evil.example:3000", 403],
    ["an origin that is hidden", "null", 403],
    ["this machine", "http://localhost:6274", 200],
    ["the installation's own address", publicUrl, 200],
  ])("answers a web page of %s accordingly", async (_what, origin, expected) => {
    const { status } = await post(await join(), { Origin: origin });
    expect(status).toBe(expected);
  });

  it("takes no batch, which would count as one", async () => {
    expect((await post(await join(), {}, [listing, listing])).status).toBe(422);
  });

  it("refuses a message that is nested too deep to be read by recursion", async () => {
    const member = await join();
    const deep = `{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": ${'{"a": '.repeat(50_000)}1${"}".repeat(50_000)}}`;
    const headers = { ...accepting, ...bearer(member.token), "Content-Type": "application/json" };
    const response = await fetch(`${rig().url}/mcp`, { method: "POST", headers, body: deep });
    expect([response.status, await response.json()]).toMatchObject([422, { detail: [{ type: "too_deep" }] }]);
  });

  it("counts against the assistant's limit, and takes POST alone", async () => {
    const member = await join();
    const answers = await Promise.all(Array.from({ length: limit + 1 }, () => post(member)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ headers }) => Number(headers.get("Retry-After")) > 0)).toEqual([true]);
    const headers = bearer(member.token);
    expect((await member.send("GET", "/reporting_ai/suggestions", { headers })).status).toBe(429);
    for (const method of ["GET", "DELETE"]) {
      const { status, headers: answered } = await member.send(method, "/mcp", { headers });
      expect([status, answered.get("Allow")]).toEqual([405, "POST"]);
    }
  });
});

describe("a call of a tool", () => {
  it("counts against the limit of its operation, too, as over HTTP", async () => {
    const member = await join();
    const { use } = await connect(rig().url, bearer(member.token));
    const answers = [await use("calls"), await use("calls"), await use("calls"), await use("calls")];
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, true]);
    expect(answers[3]?.said).toMatch(/^More than 3 requests a minute: try again in \d+ s\. \(rate_limited\)$/);
    const headers = bearer(member.token);
    expect((await member.send("GET", "/v1/calls", { headers })).status).toBe(429);
    expect((await use("deliveries")).isError).toBe(false);
  });
});

describe("the credentials of the tools", () => {
  it.each([
    ["none", {}, 'Bearer realm="Trunkline"'],
    [
      "a token that was made up",
      bearer("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."),
      'Bearer realm="Trunkline", error="invalid_token", error_description="This access token is not valid, or it has expired."',
    ],
  ])("are asked for where there are %s", async (_what, headers, challenge) => {
    const { status, headers: answered } = await fetchPost(headers);
    expect([status, answered.get("WWW-Authenticate")]).toEqual([401, challenge]);
  });

  it("are not to be had here, which the metadata says as there is no identity provider", async () => {
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const response = await fetch(rig().url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        detail: { code: "no_authorization_server", message: expect.stringContaining("npm run keys -- token") },
      });
    }
  });

  it("may be an API key, for what keys may ask over HTTP: no questions of a user's", async () => {
    const member = await join({ admin: false });
    const { client, tools, use } = await connect(rig().url, { "X-API-Key": member.key });
    expect(client.getInstructions()).not.toMatch(/\bask\b/);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["calls", "call", "deliveries", "saved_questions", "saved_answer"]));
    for (const name of ["ask", "query_plan", "catalog"]) expect(names).not.toContain(name);
    expect((await use("calls")).answer.data).toEqual([]);
    await expect(use("ask", { query: "calls today" })).rejects.toThrow(/Unknown tool: ask/);
  });

  it("show and run no tool beyond the scopes of a key", async () => {
    const { id } = await join();
    const { platform, url } = rig();
    const { key } = await platform.apiKeys.issue(id, "test", {
      limits: { scopes: ["deliveries:read"], allow_from: null },
    });
    await platform.settled();
    const { tools, use } = await connect(url, { "X-API-Key": key });
    const deliveries = ["deliveries", "delivery", "received_requests", "received_request"];
    expect(tools.map(({ name }) => name)).toEqual(deliveries);
    const { isError, said } = await use("calls");
    expect([isError, said]).toEqual([true, "This API key lacks the scope reports:read. (insufficient_scope)"]);
  });

  it("are a wrong API key no more than a wrong token", async () => {
    const { status } = await fetchPost({ "X-API-Key": "tl_wrong" });
    expect(status).toBe(401);
  });
});

const fetchPost = (headers: Record<string, string>) =>
  fetch(`${rig().url}/mcp`, {
    method: "POST",
    headers: { ...accepting, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(listing),
  });
