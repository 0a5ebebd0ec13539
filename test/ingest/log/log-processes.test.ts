// @module-tag slow
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { EventLog, Message } from "../../../ingest/log/log.ts";
import { onPartition, readAll, someMessages } from "../../contract/log-work.ts";
import { openTemporaryLog } from "./temporary-log.ts";

const script = fileURLToPath(new URL("./publishing-process.ts", import.meta.url));
const at = { group: "loader", topic: "call-events", partition: 0 } as const;

interface Publishing {
  readonly args: readonly string[];
  /** Ends it with SIGKILL after this many acknowledged publishes. */
  readonly killAfter?: number;
  /** The size in blocks of 512 bytes beyond which it cannot write a file. */
  readonly fileBlocks?: number;
}

/** Runs a process that publishes, and returns what it printed. */
async function publishElsewhere({ args, killAfter = Infinity, fileBlocks }: Publishing): Promise<string[]> {
  const command = [process.execPath, "--import", "tsx", script, ...args];
  const limited = ["sh", "-c", `ulimit -f ${fileBlocks}; exec "$@"`, "sh", ...command];
  const [program = "", ...rest] = fileBlocks === undefined ? command : limited;
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "ignore"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === killAfter) child.kill("SIGKILL");
  }
  return lines;
}

const toOffsets = (lines: readonly string[]): number[] => lines.flatMap((line) => line.split(" ").map(Number));

interface Payload {
  readonly name: string;
  readonly n: number;
  readonly index: number;
  readonly size: number;
}

/** In order, without a gap, every publish whole. */
function expectSound(messages: readonly Message[]): void {
  expect(messages.map((message) => message.offset)).toEqual(messages.map((_, offset) => offset));
  const payloads = messages.map((message): Payload => JSON.parse(message.value));
  const nextOf = new Map<string, string>();
  for (const { name, n, index, size } of payloads) {
    expect(`${n}/${index}`).toBe(nextOf.get(name) ?? "0/0");
    nextOf.set(name, index + 1 < size ? `${n}/${index + 1}` : `${n + 1}/0`);
  }
  for (const next of nextOf.values()) expect(next).toMatch(/\/0$/);
}

async function expectStored(log: EventLog, offsets: readonly number[]): Promise<Message[]> {
  const messages = await readAll(log, "call-events");
  const stored = new Set(messages.map((message) => message.offset));
  expect(offsets.filter((offset) => !stored.has(offset))).toEqual([]);
  return messages;
}

describe("several processes on one log", () => {
  test("a waiting consumer notices what another process publishes", async () => {
    const { log, dir } = await openTemporaryLog();
    const messages = await onPartition(log, at, async (reader) => {
      const elsewhere = publishElsewhere({ args: [dir, "other", "5"] });
      const taken: Message[] = [];
      // Longer than the test may take: the reader has to notice.
      const limits = { maxMessages: 15, maxBytes: 1_000_000, waitMs: 3_600_000 };
      while (taken.length < 15) taken.push(...(await reader.next(limits)).messages);
      await elsewhere;
      return taken;
    });
    expectSound(messages);
    expect((await log.publish(someMessages(1)))[0]?.offset).toBe(15);
  });

  test("all that was acknowledged before a kill -9 is there, in order and without a gap", async () => {
    const { log, dir } = await openTemporaryLog();
    const seed = 7;
    const kills = [1, 2, 3].map((n) => 5 + ((seed * n * 7919) % 60));
    const lines = await Promise.all(
      kills.map((killAfter, index) => publishElsewhere({ args: [dir, `process-${index}`], killAfter })),
    );
    const acknowledged = toOffsets(lines.flat());
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const messages = await expectStored(log, acknowledged);
    expectSound(messages);
    expect((await log.publish(someMessages(1)))[0]?.offset).toBe(messages.length);
  });

  test("a log that only one process had open survives its kill -9", async () => {
    const { log, dir, reopen } = await openTemporaryLog();
    await log.close();
    const acknowledged = toOffsets(await publishElsewhere({ args: [dir, "alone"], killAfter: 23 }));
    const messages = await expectStored(await reopen(), acknowledged);
    expectSound(messages);
  });

  // Windows has no such limit to set.
  test.skipIf(process.platform === "win32")(
    "a disk that refuses a write refuses the publish, not the log",
    async () => {
      const { log, dir, reopen } = await openTemporaryLog();
      await log.close();
      const args = [dir, "cramped", "8", "100000"];
      const lines = await publishElsewhere({ args, fileBlocks: 1_000 });
      expect(lines).toHaveLength(8);
      expect(lines.filter((line) => line === "log_unavailable").length).toBeGreaterThan(1);
      const acknowledged = toOffsets(lines.filter((line) => line !== "log_unavailable"));
      const again = await reopen();
      expect((await expectStored(again, acknowledged)).length).toBe(acknowledged.length);
      expect((await again.publish(someMessages(1)))[0]?.offset).toBe(acknowledged.length);
    },
  );
});
