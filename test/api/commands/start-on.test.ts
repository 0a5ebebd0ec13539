// @module-tag slow
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DemoFile } from "../../../api/demo/installation.ts";
import { builtCommand } from "../../built.ts";
import { temporaryFolder } from "../../temporary.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../temporary-directory.ts";
import { carrierOperations, operations, titleOf } from "../operation-table.ts";
import { runCommandOf, spawnCommand } from "./run-command.ts";

const hashesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ]),
  );

/** `npm start -- --on` as a process of its own, until it has said where its keys are. */
async function serve(folder: string) {
  const child = spawn(process.execPath, [...builtCommand("start"), "--on", folder], {
    cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    // Stores of the environment do not count.
    env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: "/nowhere", DATABASE_URL: "postgresql://nowhere/none" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close").then(([code]): number | null => code);
  for await (const line of createInterface({ input: child.stdout })) {
    const file = /Keys and tokens +(\S+)/.exec(line)?.[1];
    if (file === undefined) continue;
    return { child, ended, shown: JSON.parse(readFileSync(file, "utf8")) as DemoFile, keysFile: file };
  }
  throw new Error("It ended before it said where its keys are.");
}

let made: TemporaryDirectory;
let before: Record<string, string>;
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  made = await makeTemporaryDirectory();
  const args = ["--out", made.path, "--now", "2026-11-01T00:00:00Z"];
  expect(await runCommandOf("fixtures", args, { DEMO_CALLS: "300" })).toMatchObject({ code: 0 });
  before = hashesOf(made.path);
  served = await serve(made.path);
}, 60_000);
afterAll(async () => {
  // By a stop that it can clean up behind.
  served.child.kill("SIGTERM");
  await served.ended;
  await made.remove();
});

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
}

/** Sends with the first organization's key and token, which belong to different operations. */
async function send(path: string, { method = "GET", body }: Sent = {}) {
  const { base_url, organizations } = served.shown;
  const [{ api_key = "", access_token = "" } = {}] = organizations;
  const response = await fetch(`${base_url}${path}`, {
    method,
    headers: { "X-API-Key": api_key, Authorization: `Bearer ${access_token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const readingPosts = [
  "dryRunRouting",
  "dryRunRoutingForUser",
  "previewOutgoingWebhook",
  "previewOutgoingWebhookForUser",
  "askQuestion",
  "runSql",
];
const changing = [...operations, ...carrierOperations].filter(
  ({ method, name }) => (method !== "get" && !readingPosts.includes(name)) || name === "pingByQuery",
);

describe("npm start -- --on", () => {
  it("answers by the time that the fixtures lead up to, and signs the page in", async () => {
    const asked = await send("/reporting_ai/query", { method: "POST", body: { query: "calls last month" } });
    expect([asked.status, asked.body.answer]).toEqual([200, expect.stringContaining("Sep 1 – 30, 2026")]);
    const overview = await send("/v1/reports/overview");
    expect(overview.body.as_of).toMatch(/^2026-11-01T00:0/);
    const { body: session } = await send("/page/session");
    expect(session).toMatchObject({
      mode: "demo",
      read_only: true,
      organizations: [{ name: "Copper Mesa Calls" }, {}],
    });
    const pageTime = Date.now() + session.clock_offset_ms;
    expect(new Date(pageTime).toISOString()).toMatch(/^2026-11-01T00:0/);
    expect((await send("/")).body).toContain("<title>");
  });

  it("answers all that reads", async () => {
    const lists = operations.filter(
      ({ method, path, access, query }) =>
        method === "get" && !path.includes("{") && access !== "open" && query?.safeParse({}).success !== false,
    );
    expect(lists.length).toBeGreaterThan(30);
    for (const operation of lists) {
      const { status, body } = await send(operation.path);
      expect([titleOf(operation), status], JSON.stringify(body)).toEqual([titleOf(operation), 200]);
    }
    const rows = await send("/reporting_ai/sql", { method: "POST", body: { sql: "SELECT count(*) AS n FROM calls" } });
    expect(rows.body.rows[0].n).toBeGreaterThan(50);
  });

  it("refuses every change by one code that says why, as its OpenAPI document has it", async () => {
    const document = (await send("/openapi.json")).body;
    expect(changing.length).toBeGreaterThan(90);
    for (const operation of changing) {
      const { method, path } = operation;
      const { status, body } = await send(path.replace(/\{\w+\}/g, "some"), { method: method.toUpperCase() });
      expect([titleOf(operation), status, body.detail.code]).toEqual([titleOf(operation), 403, "read_only"]);
      expect(body.detail.message).toContain("nothing can be changed");
      expect(Object.keys(document.paths[path][method].responses), titleOf(operation)).toContain("403");
    }
    expect(document.components.responses.Forbidden.description).toContain("read_only");
  });

  it("leaves the fixtures as they are, and nothing behind when it is stopped", async () => {
    const another = await serve(made.path);
    onTestFinished(() => void another.child.kill("SIGKILL"));
    expect((await fetch(`${another.shown.base_url}/readyz`)).status).toBe(200);
    another.child.kill("SIGTERM");
    expect(await another.ended).toBe(0);
    expect(hashesOf(made.path)).toEqual(before);
    expect(existsSync(another.keysFile)).toBe(false);
  });
});

describe("npm start -- --on says why it does not start", () => {
  const start = (...args: string[]) => spawnCommand("start", { args, settings: { PORT: "0" } });

  it("where there are no fixtures", async () => {
    const empty = join(temporaryFolder(), "empty");
    mkdirSync(empty);
    const message = expect.stringMatching(/^There are no fixtures: .*trunkline\.duckdb does not exist\..*--out DIR/);
    expect(await start("--on", empty)).toEqual({ code: 1, out: "", err: message });
    expect(await start("--on", join(empty, "none"))).toEqual({ code: 1, out: "", err: message });
    expect(readdirSync(empty)).toEqual([]);
  });

  it.each([
    [["--on"], "--on"],
    [["fixtures"], '"fixtures" is no option'],
    [["--off"], "There is no option --off."],
  ])("where the command line is %j, with 2", async (args, says) => {
    const { code, out, err } = await start(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
  });
});
