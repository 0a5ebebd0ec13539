import { randomFillSync } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWholeLog } from "../../../../ingest/log/lmdb/read-whole.ts";
import { checkLogHead, walkLogFile } from "../../../../ingest/log/lmdb/walk-file.ts";
import { type EventLog, type NewMessage, type PartitionReader, topics } from "../../../../ingest/log/log.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { openTemporaryLog } from "../temporary-log.ts";

const pageBytes = 4096;

/** From a few bytes, several to a page, to some that have pages of their own. */
const messages = (count: number, round = 0): NewMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    topic: topics[index % topics.length] ?? "call-signals",
    key: `call-${round}-${index}`,
    value: JSON.stringify({ text: "é".repeat((index * 977) % 9000) }),
  }));

const publishAll = async (log: EventLog, count: number, round?: number): Promise<void> => {
  for (const message of messages(count, round)) await log.publish([message]);
};

/** What is committed makes room: its pages are free, and used again. */
async function commitAll(reader: PartitionReader): Promise<void> {
  while (!reader.signal.aborted) {
    const last = (await reader.next({ maxMessages: 100, maxBytes: 1e6, waitMs: 1000 })).messages.at(-1);
    if (last !== undefined) await reader.commit(last.offset + 1);
  }
}

/** The file of a log with so many messages, closed. */
async function aLogFile(count: number): Promise<string> {
  const { dir, log } = await openTemporaryLog();
  await publishAll(log, count);
  await log.close();
  return join(dir, "data.mdb");
}

/** A copy of the file in a folder of its own, to be damaged. */
function copyOf(file: string): string {
  const folder = join(temporaryFolder(), "log");
  mkdirSync(folder);
  const copy = join(folder, "data.mdb");
  copyFileSync(file, copy);
  return copy;
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const refusal = (work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error && error.name === "LogFileFault" ? error.message : `another error: ${error}`;
  }
};

/** Pages up to the last one that holds anything. */
function writtenPages(file: string): number {
  const bytes = readFileSync(file);
  let pages = bytes.length / pageBytes;
  while (bytes.subarray((pages - 1) * pageBytes, pages * pageBytes).every((byte) => byte === 0)) pages -= 1;
  return pages;
}

describe("the file of a log", () => {
  it("is whole however often it was written, and while it is", async () => {
    const { dir, log } = await openTemporaryLog({
      retention: { maxBytesPerTopic: 50_000, maxBacklogBytesPerTopic: 10_000_000 },
    });
    for (const topic of topics) log.consume({ group: "some", topic, work: commitAll });
    for (let round = 0; round < 20; round++) {
      await publishAll(log, 30, round);
      checkLogHead(join(dir, "data.mdb"));
      walkLogFile(join(dir, "data.mdb"));
    }
    await log.close();
    expect(await readWholeLog(dir)).toBeLessThan(600);
  });

  it("that is new holds no message", async () => {
    const file = await aLogFile(0);
    checkLogHead(file);
    expect(await readWholeLog(join(file, ".."))).toBe(0);
  });

  it("with garbage in any one page is refused, unless nobody reads that page", { tags: ["slow"] }, async () => {
    const file = await aLogFile(60);
    // Behind them lies what is reserved on the disk.
    const pages = writtenPages(file);
    const whole = readFileSync(file);
    const copy = copyOf(file);
    let refused = 0;
    for (let page = 0; page < pages; page++) {
      const at = page * pageBytes;
      overwrite(copy, at, randomFillSync(Buffer.alloc(pageBytes)));
      const why = refusal(() => walkLogFile(copy));
      if (why !== null) refused += 1;
      expect(why ?? "").not.toContain("another error");
      // By the engine, which would end this process over a page that it cannot read.
      const read = why ?? (await readWholeLog(join(copy, "..")).catch((error: Error) => error.message));
      if (read !== 60) expect(read).toEqual(expect.any(String));
      overwrite(copy, at, whole.subarray(at, at + pageBytes));
    }
    expect(await readWholeLog(join(copy, ".."))).toBe(60);
    expect(refused).toBeGreaterThan(pages / 3);
  });

  it("with another of its pages in place of one is refused", async () => {
    const file = await aLogFile(60);
    const bytes = readFileSync(file);
    const pages = Array.from({ length: bytes.length / pageBytes }, (_, page) => page);
    const isLeaf = (page: number) => bytes.readUInt16LE(page * pageBytes + 18) === 0x02;
    const leaves = pages.filter(isLeaf);
    let refused = 0;
    for (const [index, page] of leaves.entries()) {
      const copy = copyOf(file);
      const other = leaves[(index + 1) % leaves.length] ?? 0;
      overwrite(copy, page * pageBytes, bytes.subarray(other * pageBytes, (other + 1) * pageBytes));
      if (refusal(() => walkLogFile(copy))?.startsWith("holds something else at page")) refused += 1;
    }
    expect(refused).toBeGreaterThanOrEqual(topics.length);
  });

  it("with a page of zeros in a long message is refused", async () => {
    const { dir, log } = await openTemporaryLog();
    await log.publish([{ topic: "call-events", key: "call", value: JSON.stringify({ text: "needle".repeat(5000) }) }]);
    await log.close();
    const copy = copyOf(join(dir, "data.mdb"));
    const at = readFileSync(copy).indexOf("needle") + 2 * pageBytes;
    overwrite(copy, at, Buffer.alloc(pageBytes));
    await expect(readWholeLog(join(copy, ".."))).rejects.toThrow("a message that is no text, call-events:0 at 0");
  });

  it("that is cut anywhere is refused, unless what was cut was free", { tags: ["slow"] }, async () => {
    const file = await aLogFile(60);
    const { size } = statSync(file);
    const copy = copyOf(file);
    for (let length = size - 1; length >= 0; length -= 20_011) {
      truncateSync(copy, length);
      const why = refusal(() => walkLogFile(copy));
      const read = why ?? (await readWholeLog(join(copy, "..")));
      if (read !== 60) expect(read).toEqual(expect.stringMatching(/^(ends|refers|has|holds)/));
    }
  });

  it("says at its beginning what it is", async () => {
    const file = await aLogFile(60);
    const half = copyOf(file);
    truncateSync(half, pageBytes * 3);
    expect(refusal(() => checkLogHead(half))).toMatch(/^ends at byte \d+, before page \d+/);
    const garbled = copyOf(file);
    writeFileSync(garbled, randomFillSync(Buffer.alloc(10 * pageBytes)));
    expect(refusal(() => checkLogHead(garbled))).toBe("does not begin as a log does");
    const newer = copyOf(file);
    for (const page of [0, pageBytes]) overwrite(newer, page + 28, Buffer.from([3, 0]));
    expect(refusal(() => checkLogHead(newer))).toContain("version 3");
  });
});
