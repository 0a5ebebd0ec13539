import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWholeSqlite } from "../../sql/read-whole-sqlite.ts";
import { checkSqliteHead } from "../../sql/sqlite-file.ts";
import { temporaryFolder } from "../temporary.ts";
import { killAfterWriting } from "./killed-sqlite.ts";

/** The first 100 bytes of a file of three pages, and as many bytes as it says. */
function aFile({ pages = 3, pageBytes = 4096, countedAt = 7 } = {}): string {
  const bytes = Buffer.alloc(3 * 4096);
  bytes.write("SQLite format 3\0", "latin1");
  bytes.writeUInt16BE(pageBytes, 16);
  bytes.writeUInt32BE(7, 24);
  bytes.writeUInt32BE(pages, 28);
  bytes.writeUInt32BE(countedAt, 92);
  const path = join(temporaryFolder(), "some.sqlite");
  writeFileSync(path, bytes);
  return path;
}

it("is as long as it says", () => {
  checkSqliteHead(aFile());
  checkSqliteHead(aFile({ pages: 2 }));
  expect(() => checkSqliteHead(aFile({ pages: 4 }))).toThrow("says that it has 4 pages of 4096");
});

it("need not be where the engine has to take back a write, or its count is of an earlier version", () => {
  checkSqliteHead(aFile({ pages: 4, countedAt: 6 }));
  const path = aFile({ pages: 4 });
  writeFileSync(`${path}-wal`, "");
  expect(() => checkSqliteHead(path)).toThrow("4 pages");
  writeFileSync(`${path}-journal`, "pages");
  checkSqliteHead(path);
});

it("begins as such files do, and is a number of pages", () => {
  const path = aFile();
  truncateSync(path, 5000);
  expect(() => checkSqliteHead(path)).toThrow("is 5000 bytes long");
  truncateSync(path, 99);
  expect(() => checkSqliteHead(path)).toThrow("does not begin as a SQLite file does");
  expect(() => checkSqliteHead(aFile({ pageBytes: 1000 }))).toThrow("pages of 1000 bytes");
});

describe("what a killed process leaves", { tags: ["slow"] }, () => {
  function killed(rows: number) {
    const path = join(temporaryFolder(), "some.sqlite");
    killAfterWriting(path, rows);
    const log = `${path}-wal`;
    return { path, log, bytes: readFileSync(log) };
  }

  // Few in the log alone; more than the engine leaves there; so many that the log was begun anew, over old frames.
  it.each([0, 1, 20, 300, 1500, 4000])("is whole after %i rows", (rows) => {
    const { path } = killed(rows);
    checkSqliteHead(path);
    expect(readWholeSqlite(path, "written")).toBe(Math.min(rows, 300));
  });

  it("is whole where the end of its log was torn: nobody was told of that", () => {
    const { path, log, bytes } = killed(20);
    for (const cut of [1, 4000, 4120, bytes.length - 32]) {
      writeFileSync(log, bytes.subarray(0, bytes.length - cut));
      checkSqliteHead(path);
    }
    writeFileSync(log, Buffer.concat([bytes.subarray(0, -4096), Buffer.alloc(4096, 7)]));
    checkSqliteHead(path);
  });

  it("is refused where its log is damaged before what was written later", () => {
    const { path, log, bytes } = killed(20);
    for (const at of [32 + 24, 32 + 4120 * 5 + 30, bytes.length >> 1]) {
      writeFileSync(log, Buffer.from(bytes).fill(7, at, at + 100));
      expect(() => checkSqliteHead(path)).toThrow(/-wal is damaged at byte \d+, and was written to beyond it/);
    }
  });

  it("is refused where its log does not begin as one", () => {
    const { path, log, bytes } = killed(20);
    writeFileSync(log, Buffer.from(bytes).fill(7, 0, 4));
    expect(() => checkSqliteHead(path)).toThrow("-wal does not begin as a log of writes does");
    writeFileSync(log, Buffer.from(bytes).fill(7, 16, 20));
    expect(() => checkSqliteHead(path)).toThrow("-wal has a damaged beginning");
  });
});
