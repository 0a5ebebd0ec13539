import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "libsql";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPlatform } from "../../../api/compose.ts";
import { checkDataDir } from "../../../api/data-dir/check-data-dir.ts";
import { DataFileError } from "../../../api/data-dir/data-file-error.ts";
import { openDataDir } from "../../../api/data-dir/open-data-dir.ts";
import {
  fingerprint,
  isOpen,
  readStoreStates,
  stateFileName,
  storedFiles,
  writeStoreStates,
} from "../../../api/data-dir/stored-files.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { copyMigrated } from "../../migrated-files.ts";
import { temporaryFolder } from "../../temporary.ts";

const config = "platform.sqlite";
const stores = ["log/data.mdb", "warehouse.duckdb", config];
const settingsOf = (dataDir: string, given: Record<string, string> = {}) =>
  readSettings({ DATA_DIR: dataDir, PORT: "0", ...given });

async function start(dataDir: string) {
  const platform = await startPlatform(settingsOf(dataDir), { logger: pino({ level: "silent" }) });
  onTestFinished(() => platform.stop());
  return platform;
}

/** What a platform has left that was started, asked nothing and stopped. */
let installed: string;
beforeAll(async () => {
  installed = mkdtempSync(join(tmpdir(), "trunkline-installed-"));
  await copyMigrated(installed, {});
  await (await startPlatform(settingsOf(installed), { logger: pino({ level: "silent" }) })).stop();
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));
/** A copy of it whose files are known as closed. */
function anInstallation(): string {
  const dataDir = temporaryFolder();
  cpSync(installed, dataDir, { recursive: true });
  const kept = Object.keys(readStoreStates(dataDir) ?? {});
  const files = storedFiles.filter(({ name }) => kept.includes(name));
  writeStoreStates(dataDir, Object.fromEntries(files.map((file) => [file.name, fingerprint(dataDir, file)])));
  return dataDir;
}

/** Checks the folder: what is wrong with it, and what it warns of. */
async function check(dataDir: string, given: Record<string, string> = {}) {
  const warnings: string[] = [];
  const fault = await checkDataDir(settingsOf(dataDir, given), (text) => void warnings.push(text)).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DataFileError)) throw error;
      return error.message;
    },
  );
  return { fault, warnings };
}

const whole = { fault: null, warnings: [] };

function garble(path: string, from: number, to: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(to - from, "garbage"), 0, to - from, from);
  closeSync(file);
}
/** All but the two pages that a log begins with. */
const garblePages = (path: string): void => garble(path, 2 * 4096, statSync(path).size);

describe("DATA_DIR", () => {
  it("that is empty, or that a platform has left, is whole", async () => {
    expect(await check(temporaryFolder())).toEqual(whole);
    const dataDir = anInstallation();
    expect(Object.keys(readStoreStates(dataDir) ?? {})).toEqual(stores);
    expect(await check(dataDir)).toEqual(whole);
  });

  it.each(stores)("without its %s is refused", async (name) => {
    const dataDir = anInstallation();
    rmSync(join(dataDir, name));
    expect((await check(dataDir)).fault).toContain(`${join(dataDir, name)} is missing, and this installation had it`);
  });

  it.each(stores)("with an empty %s is refused, also where nothing is known of the installation", async (name) => {
    const dataDir = anInstallation();
    truncateSync(join(dataDir, name), 0);
    expect((await check(dataDir)).fault).toContain(`${join(dataDir, name)} is empty`);
    rmSync(join(dataDir, stateFileName));
    // The last to be made may have been being made.
    if (name !== stores.at(-1)) expect((await check(dataDir)).fault).toContain(`${join(dataDir, name)} is empty`);
  });

  it.each(stores)("whose %s begins with garbage is refused", async (name) => {
    const dataDir = anInstallation();
    garble(join(dataDir, name), 0, 4096);
    expect((await check(dataDir)).fault).toContain(`${join(dataDir, name)} is damaged: does not begin as`);
  });

  it("may lack what its settings do not keep there", async () => {
    const dataDir = anInstallation();
    for (const name of stores.slice(1)) rmSync(join(dataDir, name));
    const elsewhere = { ANALYTICS: "false", DATABASE_URL: "postgresql://127.0.0.1/none" };
    expect(await check(dataDir, elsewhere)).toEqual(whole);
  });

  it("without config beside a log that holds messages is refused, whatever is known of the installation", {
    tags: ["slow"],
  }, async () => {
    const dataDir = temporaryFolder();
    const log = await openLmdbLog({ dir: join(dataDir, "log") });
    await log.close();
    (await openDuckdb(join(dataDir, "warehouse.duckdb"), "warehouse")).closeSync();
    // As a process leaves it that was killed before it had made them all.
    expect(await check(dataDir)).toEqual(whole);
    const again = await openLmdbLog({ dir: join(dataDir, "log") });
    await again.publish([{ topic: "call-events", key: "call", value: "{}" }]);
    await again.close();
    const { fault } = await check(dataDir);
    expect(fault).toContain(`${join(dataDir, config)} is missing, and ${join(dataDir, "log/data.mdb")} holds data`);
    expect(fault).toContain("backup");
  });

  it("is read as a whole where a store was touched after it was closed, and only then", {
    tags: ["slow"],
  }, async () => {
    const dataDir = anInstallation();
    const path = join(dataDir, "log/data.mdb");
    garblePages(path);
    expect((await check(dataDir)).fault).toContain(`${path} is damaged`);
    const log = storedFiles.find(({ name }) => name === "log/data.mdb");
    if (log === undefined) throw new Error("There is no log.");
    writeStoreStates(dataDir, { ...readStoreStates(dataDir), "log/data.mdb": fingerprint(dataDir, log) });
    expect(await check(dataDir)).toEqual(whole);
  });

  it("is read as a whole where its last process was killed", { tags: ["slow"] }, async () => {
    const dataDir = anInstallation();
    const closed = readStoreStates(dataDir) ?? {};
    const platform = await start(dataDir);
    expect(readStoreStates(dataDir)).toEqual(Object.fromEntries(stores.map((name) => [name, isOpen])));
    await platform.stop();
    for (const state of Object.values(readStoreStates(dataDir) ?? {})) expect([null, isOpen]).not.toContain(state);
    garblePages(join(dataDir, "log/data.mdb"));
    writeStoreStates(dataDir, Object.fromEntries(Object.keys(closed).map((name) => [name, null])));
    expect((await check(dataDir)).fault).toContain("is damaged");
  });

  it("is read as a whole where its last start failed on the way", async () => {
    const dataDir = anInstallation();
    const opened = await openDataDir(settingsOf(dataDir), () => undefined);
    await opened.close();
    expect(Object.values(readStoreStates(dataDir) ?? {})).toEqual(stores.map(() => null));
  });

  it("may have config that a process was killed at making", async () => {
    const dataDir = temporaryFolder();
    const connection = new Sqlite(join(dataDir, config));
    connection.exec("CREATE TABLE schema_migrations (version INTEGER)");
    connection.close();
    expect(await check(dataDir)).toEqual(whole);
  });

  it("without its config's log of writes is refused where a process was killed that had it open", {
    tags: ["slow"],
  }, async () => {
    const dataDir = anInstallation();
    const wal = join(dataDir, `${config}-wal`);
    const platform = await start(dataDir);
    const whileOpen = readStoreStates(dataDir) ?? {};
    expect(existsSync(wal)).toBe(true);
    await platform.stop();
    // As it closes, a process has no such log any more, and may be killed then.
    writeStoreStates(dataDir, Object.fromEntries(Object.keys(whileOpen).map((name) => [name, null])));
    expect(await check(dataDir)).toEqual(whole);
    writeStoreStates(dataDir, whileOpen);
    expect((await check(dataDir)).fault).toContain(
      `${wal} is missing, and holds the last writes of a process that was killed`,
    );
    writeFileSync(wal, "");
    expect(await check(dataDir)).toEqual(whole);
  });

  it("says so where a store has only what belongs beside it, and touches nothing", async () => {
    const dataDir = anInstallation();
    rmSync(join(dataDir, stateFileName));
    const path = join(dataDir, "warehouse.duckdb");
    renameSync(path, `${path}.wal`);
    const { ino, ctimeNs } = statSync(`${path}.wal`, { bigint: true });
    expect((await check(dataDir)).fault).toContain(`${path} is missing beside ${path}.wal`);
    expect(statSync(`${path}.wal`, { bigint: true })).toMatchObject({ ino, ctimeNs });
    expect(existsSync(path)).toBe(false);
  });

  it("goes on where no record of its stores can be written, and says so", async () => {
    const dataDir = anInstallation();
    mkdirSync(join(dataDir, `${stateFileName}.new`));
    const warnings: string[] = [];
    const opened = await openDataDir(settingsOf(dataDir), (text) => void warnings.push(text));
    await opened.close();
    expect(warnings).toEqual([expect.stringContaining(`${join(dataDir, stateFileName)} cannot be written`)]);
  });

  it("goes on without a record of its stores, or with one that cannot be read", { tags: ["slow"] }, async () => {
    const dataDir = anInstallation();
    writeFileSync(join(dataDir, stateFileName), "");
    expect(await check(dataDir)).toEqual(whole);
    await (await start(dataDir)).stop();
    expect(JSON.parse(readFileSync(join(dataDir, stateFileName), "utf8"))).toEqual(readStoreStates(dataDir));
  });
});
