import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../free-port.ts";
import { copyMigrated } from "../../migrated-files.ts";
import { openPglite } from "../../pglite.ts";
import { openTcpProxy } from "../../tcp-proxy.ts";
import { temporaryFolder } from "../../temporary.ts";
import { type LogLine, spawnProcess, startProcess } from "../start-process.ts";

/** Level of what ends the process. */
const fatal = 60;

/** What a process says that cannot start: JSON alone, and one line that tells why. */
async function startInVain(settings: Readonly<Record<string, string>>): Promise<LogLine> {
  const { ended, lines, printed } = spawnProcess({ DATA_DIR: temporaryFolder(), ...settings });
  expect(await ended, JSON.stringify(lines)).toBe(1);
  expect(await printed).toBe("");
  expect(lines.filter(({ level }) => level < 0)).toEqual([]);
  const [why, ...others] = lines.filter(({ level }) => level === fatal);
  expect(others).toEqual([]);
  expect(lines.at(-1)).toBe(why);
  return why ?? { level: -1, msg: "" };
}

describe("npm start ends with 1 and says why", () => {
  it("where a setting is wrong", async () => {
    const { msg } = await startInVain({ PORT: "many" });
    expect(msg).toContain("PORT");
  });

  it("where the folder is none", { tags: ["slow"] }, async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect((await startInVain({ DATA_DIR: file })).msg).toContain(`${file} is not a folder`);
  });

  it.each(["log/data.mdb", "keys/issuer.json"])(
    "where %s is damaged, in one line without a stack",
    { tags: ["slow"] },
    async (name) => {
      const DATA_DIR = temporaryFolder();
      const file = join(DATA_DIR, name);
      mkdirSync(dirname(file));
      writeFileSync(file, "garbage".repeat(2000));
      const { err, file: named, msg } = await startInVain({ DATA_DIR });
      expect([named, err]).toEqual([file, undefined]);
      expect(msg).toContain("backup");
    },
  );

  it("where the port is in use", { tags: ["slow"] }, async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const PORT = String((server.address() as AddressInfo).port);
    expect((await startInVain({ PORT })).msg).toContain(`Port ${PORT} is in use`);
  });

  it("where no database is at the address", { tags: ["slow"] }, async () => {
    const line = await startInVain({ DATABASE_URL: `postgresql://user:a-secret@127.0.0.1:${await freePort()}/none` });
    expect(line.msg).toContain("Check DATABASE_URL");
    expect(JSON.stringify(line)).not.toContain("a-secret");
  });

  it("where no broker is at the address", { tags: ["slow"] }, async () => {
    const broker = `127.0.0.1:${await freePort()}`;
    expect((await startInVain({ REDPANDA_BROKERS: broker })).msg).toContain(broker);
  });
});

describe("what npm start says", { tags: ["slow"] }, () => {
  /** Of Node.js itself: runs this in the process when it is sent SIGUSR2. */
  const onSignal = (script: string) => ({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${script} })`)}`,
  });

  it("is JSON, Node's own warnings too", async () => {
    const warning = onSignal('process.emitWarning("a test warns")');
    const { lines, end, signal } = await startProcess({ DATA_DIR: temporaryFolder(), ...warning });
    signal("SIGUSR2");
    await vi.waitFor(() => expect(lines.at(-1)).toMatchObject({ level: 40, msg: "Node.js warns: a test warns" }));
    expect(await end("SIGTERM")).toBe(0);
    expect(lines.filter(({ level }) => level < 0)).toEqual([]);
  });

  it("is JSON when nobody caught an error, and it ends with 1", async () => {
    const throwing = onSignal('throw new Error("a test throws")');
    const { lines, ended, signal } = await startProcess({ DATA_DIR: temporaryFolder(), ...throwing });
    signal("SIGUSR2");
    expect(await ended).toBe(1);
    expect(lines.at(-1)).toMatchObject({ level: fatal, msg: "a test throws" });
    expect(lines.filter(({ level }) => level < 0)).toEqual([]);
  });
});

describe("npm start on PostgreSQL", { tags: ["slow"] }, () => {
  let server: PGLiteSocketServer;
  beforeAll(async () => {
    server = new PGLiteSocketServer({ db: await openPglite(), port: 0, maxConnections: 50 });
    await server.start();
  });
  afterAll(() => server.stop());

  async function behindProxy() {
    const proxy = await openTcpProxy(server.getServerConn());
    onTestFinished(proxy.close);
    return { proxy, DATABASE_URL: `postgresql://postgres@${proxy.address}/postgres` };
  }

  it("ends with 1 and leaves no connection where the warehouse cannot be read", async () => {
    const { proxy, DATABASE_URL } = await behindProxy();
    const DATA_DIR = temporaryFolder();
    await copyMigrated(DATA_DIR, { DATABASE_URL });
    const instance = await DuckDBInstance.create(join(DATA_DIR, "warehouse.duckdb"));
    const connection = await instance.connect();
    await connection.run("ALTER TABLE stored_past_calls RENAME COLUMN org_id TO owner");
    connection.closeSync();
    instance.closeSync();
    expect((await startInVain({ DATABASE_URL, DATA_DIR })).msg).toContain("org_id");
    await expect.poll(proxy.open).toBe(0);
  });

  it("ends with 1 where the database goes away in the middle of the start", async () => {
    const { proxy, DATABASE_URL } = await behindProxy();
    const settings = { DATABASE_URL, ANALYTICS: "false" };
    const started = await startProcess({ ...settings, DATA_DIR: temporaryFolder() });
    const statements = proxy.sent();
    expect(await started.end("SIGTERM")).toBe(0);
    proxy.cutAt(proxy.sent() + Math.floor(statements / 2));
    await startInVain(settings);
    await expect.poll(proxy.open).toBe(0);
  });

  it("ends with 0 at SIGTERM while the database does not answer", async () => {
    const { proxy, DATABASE_URL } = await behindProxy();
    proxy.muteAt(12);
    const { lines, end } = spawnProcess({ DATABASE_URL, DATA_DIR: temporaryFolder(), ANALYTICS: "false" });
    await vi.waitFor(() => expect(proxy.sent()).toBeGreaterThanOrEqual(12), 60_000);
    expect(await end("SIGTERM")).toBe(0);
    // Of what it had asked when the answers ceased, it may say that it got none.
    const isNoAnswer = (line: LogLine): boolean => JSON.stringify(line).includes('"code":"unavailable"');
    expect(lines.filter((line) => line.level > 30 && !isNoAnswer(line))).toEqual([]);
    await expect.poll(proxy.open).toBe(0);
  });
});
