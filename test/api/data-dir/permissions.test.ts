// @module-tag slow
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restrictPermissions } from "../../../api/data-dir/open-data-dir.ts";
import { createClient } from "../../platform.ts";
import { temporaryFolder } from "../../temporary.ts";
import { spawnCommand } from "../commands/run-command.ts";
import { startProcess } from "../start-process.ts";

const rightsOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
/** The folder and all below it that others than its user have any right to. */
const open = (folder: string): string[] =>
  [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].filter(
    (name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0,
  );

describe.skipIf(process.platform === "win32")("who may read DATA_DIR", () => {
  it("is its user alone, from the first file to those of traffic, exports and SQL", async () => {
    // As on most machines: what a process makes, everybody may read, unless it says otherwise.
    const before = process.umask(0o022);
    try {
      const folder = temporaryFolder();
      const dataDir = join(folder, "data");
      const settings = { DATA_DIR: dataDir };
      const run = (name: string, args: string[]) => spawnCommand(name, { args, settings });
      const { out } = await run("keys", ["create", "--org", "Acme", "--new-org", "--admin"]);
      const token = (await run("keys", ["token", "--org", "Acme"])).out.trim();
      const { url, end, lines } = await startProcess(settings);
      const { post, call } = createClient(url);
      expect((await post("/api/v1/buyers", /tl_[\w-]{43}/.exec(out)?.[0] ?? "", { name: "Sunny" })).status).toBe(201);
      const headers = { Authorization: `Bearer ${token}` };
      const ask = () => call("POST", "/reporting_ai/sql", headers, { sql: "SELECT count(*) FROM calls" });
      await expect.poll(async () => (await ask()).status, { timeout: 110_000 }).toBe(200);
      const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
      expect(files).toEqual(
        expect.arrayContaining(["log/data.mdb", "log/lock.mdb", "keys/issuer.json", "stores.json"]),
      );
      expect(files.filter((name) => /\.snapshots\/\d+\.duckdb$/.test(name))).toHaveLength(1);
      expect(open(dataDir)).toEqual([]);
      expect(lines.filter(({ msg }) => msg.includes("chmod"))).toEqual([]);
      expect(await end("SIGTERM")).toBe(0);
      expect(open(dataDir)).toEqual([]);
      expect((await run("export", ["--to", join(folder, "export")])).code).toBe(0);
      expect(open(join(folder, "export"))).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  it("is narrowed for what the platform has made, while the folder and what else lies in it stay their owner's", () => {
    const dataDir = temporaryFolder();
    for (const name of ["log", "keys", "warehouse.duckdb.snapshots", "notes"]) mkdirSync(join(dataDir, name));
    const ours = [
      "log/data.mdb",
      "keys/issuer.json",
      "warehouse.duckdb",
      "warehouse.duckdb.wal",
      "demo.json",
      "platform.sqlite-wal",
    ];
    const others = ["notes/one.txt", "report.csv"];
    for (const name of [...ours, ...others]) writeFileSync(join(dataDir, name), "");
    for (const name of ["log", "keys", "warehouse.duckdb.snapshots", "notes"]) chmodSync(join(dataDir, name), 0o755);
    for (const name of [...ours, ...others]) chmodSync(join(dataDir, name), 0o664);
    chmodSync(dataDir, 0o755);

    expect(restrictPermissions(dataDir)).toContain(`chmod 700 ${dataDir}`);
    expect(open(dataDir).sort()).toEqual([".", "notes", ...others].sort());
    expect(rightsOf(join(dataDir, "keys/issuer.json"))).toBe("600");
    expect(rightsOf(join(dataDir, "log"))).toBe("700");
    expect(rightsOf(dataDir)).toBe("755");
  });

  it("may be its group's too, to read, where the owner has made the folder so", () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o750);
    expect(restrictPermissions(dataDir)).toBeNull();
    expect(statSync(dataDir).mode & 0o777).toBe(0o750);
  });
});
