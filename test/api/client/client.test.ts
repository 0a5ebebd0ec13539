// @module-tag slow
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { exampleConfig, openPlatform, openTestReceiver, trackingNumber } from "../../platform.ts";
import { startDemo } from "../commands/demo-process.ts";
import { buildClient, compile, freshProject, installedProject, packageFolder, run } from "./fresh-project.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

// It does not exist before it is built, so that its types cannot be known here: the guide's tour is what is held to them.
const built = () => import(join(packageFolder, "dist", "index.js"));

beforeAll(buildClient, 180_000);

describe("the package", () => {
  it("takes its guide's tour by types alone, and the demo answers it", async () => {
    const guide = readFileSync(join(packageFolder, "README.md"), "utf8");
    const [, tour = ""] = /```ts\n([\s\S]+?)```/.exec(guide) ?? [];
    const folder = freshProject({ "tour.ts": tour });
    expect(compile(folder)).toEqual([]);
    const demo = startDemo(join(folder, "data"), { DEMO_CALLS: "50" });
    await demo.ready();
    const said = run(process.execPath, ["tour.js"], folder);
    expect(said).toMatch(/^dial/);
    expect(said).toContain("call.completed");
    expect(said).toContain("SELECT");
    expect(said).toMatch(/404 \{ code: 'not_found'/);
    expect(said).toMatch(/422 invalid_input body\.name/);
  }, 120_000);

  it("serves a customer's program, installed by npm, from config to questions by types alone", async () => {
    const program = readFileSync(new URL("integration.ts", import.meta.url), "utf8");
    // What would hide that a type is wrong; the linter refuses any.
    expect(program).not.toMatch(/^(?!import).*\bas (?!const\b)|@ts-/m);
    const folder = installedProject({ "integration.ts": program });
    expect(compile(folder)).toEqual([]);
    const demo = startDemo(join(folder, "data"), { DEMO_CALLS: "200" });
    await demo.ready();
    expect(run(process.execPath, ["integration.js"], folder)).toBe("integrated\n");
  }, 180_000);

  it("refuses what the API does not have", () => {
    const wrong = [
      'client.GET("/api/v1/nothing")',
      'client.POST("/api/v1/buyers", { body: { nam: "x" } })',
      'rowsOf(client, "/api/v1/reports/calls/{call_id}")',
      'rowsOf(client, "/api/v1/reports/calls", { query: { status: "sleeping" } })',
    ];
    const head = `import { createTrunkline, rowsOf } from "trunkline-client";
const client = createTrunkline({ baseUrl: "" });
`;
    const found = compile(freshProject({ "tour.ts": head + wrong.map((line) => `${line};\n`).join("") }));
    for (const [index] of wrong.entries()) expect(found.join("\n")).toContain(`tour.ts(${index + 3},`);
  }, 60_000);
});

/** A server that gives these answers, one after the other; null ends the connection without one. */
async function openScripted(answers: readonly ({ status: number; after?: string } | null)[]) {
  const requests: { readonly method: string | undefined; readonly body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const answer = answers[requests.length];
    requests.push({ method: request.method, body: await text(request) });
    if (answer == null) return void request.socket.destroy();
    const { status, after } = answer;
    response.writeHead(status, { "Content-Type": "application/json", ...(after && { "Retry-After": after }) });
    response.end(JSON.stringify(status < 300 ? { ok: true } : { detail: { code: "refused", message: "Not now." } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { createTrunkline, unwrap } = await built();
  const { port } = server.address() as AddressInfo;
  const client = createTrunkline({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "a key", retry: { limit: 2 } });
  return { client, unwrap, requests };
}

const soon = { after: "0" };

describe("a request", () => {
  it("is sent again with its body after 429, whatever it is", async () => {
    const { client, requests } = await openScripted([{ status: 429, ...soon }, { status: 200 }]);
    const { data } = await client.POST("/api/v1/buyers", { body: { name: "Sunny" } });
    expect(data).toEqual({ ok: true });
    expect(requests.map(({ body }) => body)).toEqual(['{"name":"Sunny"}', '{"name":"Sunny"}']);
  });

  it("that posts is not sent again after 503 or without an answer: it may have had its effect", async () => {
    const { client, requests } = await openScripted([{ status: 503, ...soon }, null, { status: 200 }]);
    const post = () => client.POST("/api/v1/buyers", { body: { name: "Sunny" } });
    expect(await post()).toMatchObject({ error: { detail: { code: "refused" } }, response: { status: 503 } });
    await expect(post()).rejects.toThrow();
    expect(requests).toHaveLength(2);
  });

  it("with a transaction_id is, and one that only reads", async () => {
    const { client, requests } = await openScripted([{ status: 503, ...soon }, { status: 200 }]);
    const body = { transaction_id: "crm-1", call_id: "call-1" };
    expect((await client.POST("/payout-adjustment", { body })).data).toEqual({ ok: true });
    expect(requests).toHaveLength(2);
    const reading = await openScripted([{ status: 503, ...soon }, { status: 504, ...soon }, { status: 200 }]);
    expect((await reading.client.GET("/api/v1/buyers")).data).toEqual({ ok: true });
  });

  it("that stays refused throws what the API said, by unwrap", async () => {
    const refused = { status: 429, ...soon };
    const { client, unwrap, requests } = await openScripted([refused, refused, refused]);
    const asked = client.GET("/api/v1/buyers").then(unwrap);
    await expect(asked).rejects.toMatchObject({ name: "ApiError", status: 429, code: "refused", message: "Not now." });
    expect(requests).toHaveLength(3);
  });
});

describe("of a platform", () => {
  const events = ["call.completed"] as const;

  it("every row of a list comes once, by offsets and by cursors", async () => {
    const { url, one, platform } = await openPlatform({
      documents: (org) => exampleConfig("http://localhost:1", [], org),
    });
    const { createTrunkline, rowsOf, unwrap } = await built();
    const client = createTrunkline({ baseUrl: url, apiKey: one.key });
    await platform.settled();
    const targets = [];
    for await (const { id } of rowsOf(client, "/api/v1/targets", { query: { limit: 1 } })) targets.push(id);
    expect(targets.toSorted()).toEqual([`${one.id}-first`, `${one.id}-second`]);
    const placed: string[] = [];
    for (const last of [1, 2, 3, 4, 5]) {
      const body = { from: `+1212555010${last}`, to: trackingNumber };
      placed.push(unwrap(await client.POST("/telephony/simulator/calls", { body })).call_id);
    }
    await vi.waitFor(async () => {
      const found = [];
      for await (const { call_id } of rowsOf(client, "/api/v1/reports/calls", { query: { limit: 2 } }))
        found.push(call_id);
      expect(found.toSorted()).toEqual(placed.toSorted());
    }, 15_000);
  });

  it("a webhook's signature is checked, and one over another body refused", async () => {
    const receiver = await openTestReceiver();
    const { url, one, platform } = await openPlatform({ documents: (org) => exampleConfig(receiver.url, events, org) });
    const { createTrunkline, unwrap, Webhook, WebhookVerificationError } = await built();
    await platform.settled();
    const { key } = await platform.apiKeys.issue(one.id, "admin", { isAdmin: true });
    await platform.settled();
    const client = createTrunkline({ baseUrl: url, apiKey: key });
    const params = { path: { webhook_id: `${one.id}-call.completed` } };
    const path = "/api/v1/outgoing-webhooks/{webhook_id}";
    const { signing_secret } = unwrap(await client.POST(`${path}/signing-secret`, { params }));
    unwrap(await client.POST(`${path}/test`, { params }));
    const [delivered] = receiver.received;
    const webhook = new Webhook(signing_secret);
    expect(webhook.verify(delivered?.body, delivered?.headers)).toMatchObject({ event: "call.completed" });
    const signedBy = Object.entries(delivered?.headers ?? {}).map(
      ([name, value]) => [name, String(value)] satisfies [string, string],
    );
    expect(webhook.verify(Buffer.from(delivered?.body ?? ""), new Headers(signedBy))).toMatchObject({
      event: "call.completed",
    });
    const changed = delivered?.body.replace("completed", "failed");
    expect(() => webhook.verify(changed, delivered?.headers)).toThrow(WebhookVerificationError);
  });
});

it("the package and the platform have one version", () => {
  const versionIn = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  expect(versionIn(packageFolder)).toBe(versionIn(root));
});
