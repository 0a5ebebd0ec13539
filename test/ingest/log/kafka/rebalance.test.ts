import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { GroupEvent } from "../../../../ingest/log/group-event.ts";
import type { EventLog, NewMessage, PartitionReader } from "../../../../ingest/log/log.ts";
import { aborted, codeOf } from "../../../contract/log-work.ts";
import { brokersOf, testBrokers } from "../../../kafka-server.ts";
import { createKafkaLogs, until } from "./rig.ts";
import { patientSession, quickSession } from "./session.ts";

const script = fileURLToPath(new URL("./consuming-process.ts", import.meta.url));
const group = "loader";
const topic = "call-events";

/** One message for each of many calls, so for all partitions. */
const messagesOf = (round: number): NewMessage[] =>
  Array.from({ length: 40 }, (_, n) => ({ topic, key: `call-${n}`, value: `${round}/${n}` }));

/** Consumers that note what they see, and who works on which partition at the same time. */
function createWitness() {
  const seen = new Set<string>();
  const working = new Map<string, Set<number>>();
  const overlaps: string[] = [];
  return {
    seen,
    overlaps,
    partitionsOf: (name: string): number => working.get(name)?.size ?? 0,
    consume: (log: EventLog, name: string) =>
      log.consume({
        group,
        topic,
        async work(reader) {
          const others = [...working].filter(([, partitions]) => partitions.has(reader.partition));
          for (const [other] of others) overlaps.push(`${name} and ${other} on ${reader.partition}`);
          const mine = working.get(name) ?? new Set();
          working.set(name, mine.add(reader.partition));
          await noteAll(reader, seen);
          mine.delete(reader.partition);
        },
      }),
  };
}

async function noteAll(reader: PartitionReader, seen: Set<string>): Promise<void> {
  while (!reader.signal.aborted) {
    const { messages } = await reader.next({ maxMessages: 7, maxBytes: 1_000_000, waitMs: 1_000 });
    const last = messages.at(-1);
    if (last === undefined) continue;
    // A moment in which partitions may move: what is read but not committed comes again, wherever it moves to.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await reader.commit(last.offset + 1).then(
      () => messages.forEach(({ value }) => void seen.add(value)),
      () => undefined,
    );
  }
}

const partitionsIn = (event: GroupEvent | undefined): readonly number[] =>
  event?.kind === "assigned" ? event.partitions : [];

describe.skipIf(testBrokers === undefined)("members of a group (TEST_REDPANDA_BROKERS)", () => {
  test("share the partitions as they come and go: nothing is lost, and no partition has two at a time", async () => {
    const { open } = createKafkaLogs();
    const [log, other] = [await open(), await open()];
    const { seen, overlaps, partitionsOf, consume } = createWitness();
    let rounds = 0;
    const publishRound = () => log.publish(messagesOf(rounds++));
    consume(log, "first");
    await publishRound();
    await until(() => partitionsOf("first") === 4);
    const second = consume(other, "second");
    while (partitionsOf("second") < 2) await publishRound();
    await until(() => partitionsOf("first") === 2);
    await publishRound();
    const stopping = second.stop();
    await publishRound();
    await stopping;
    await until(() => partitionsOf("first") === 4);
    await publishRound();
    await until(() => seen.size === rounds * 40);
    expect(overlaps).toEqual([]);
  }, 480_000);

  test("tell once what they get and give up", async () => {
    const events: [GroupEvent[], GroupEvent[]] = [[], []];
    const { open } = createKafkaLogs();
    const [log, other] = (await Promise.all(
      events.map((told) => open({ onGroupEvent: (event) => told.push(event) })),
    )) as [EventLog, EventLog];
    const work = (reader: PartitionReader) => aborted(reader.signal);
    log.consume({ group, topic, work });
    await until(() => events[0].length === 1);
    const all = [0, 1, 2, 3];
    const about = { kind: "assigned", group, topic } as const;
    expect(events[0]).toEqual([{ ...about, generation: 1, partitions: all, gained: all, lost: [] }]);
    const second = other.consume({ group, topic, work });
    await until(() => events[1].length === 1 && events[0].length === 2);
    const [mine = [], theirs = []] = events.map((told) => partitionsIn(told.at(-1)));
    expect([...mine, ...theirs].sort()).toEqual(all);
    expect(events[0].slice(1)).toEqual([{ ...about, generation: 2, partitions: mine, gained: [], lost: theirs }]);
    expect(events[1]).toEqual([{ ...about, generation: 2, partitions: theirs, gained: theirs, lost: [] }]);
    await second.stop();
    await until(() => events[0].length === 3);
    expect(events[0][2]).toEqual({ ...about, generation: 3, partitions: all, gained: theirs, lost: [] });
    expect(events[1]).toHaveLength(1);
  }, 480_000);

  test("that outlast their generation commit no more, and take nothing back", async () => {
    const { open } = createKafkaLogs({ partitions: 1, session: { ...quickSession, rebalanceMs: 1_000 } });
    const [log, other] = [await open(), await open()];
    await log.publish(messagesOf(0));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late: string[] = [];
    const committed: number[] = [];
    const work = async (reader: PartitionReader) => {
      // Refused if members come and go meanwhile: then the partition is worked on anew.
      if ((await codeOf(() => reader.commit(30))) === "no error") committed.push(await reader.committed());
      await aborted(reader.signal);
    };
    const stubborn = log.consume({
      group,
      topic,
      async work(reader) {
        if (late.length > 0) return work(reader);
        late.push("begun");
        await released;
        late.push(await codeOf(() => reader.commit(1)));
      },
    });
    await until(() => late.length === 1);
    // Whoever the partition goes to now, the stubborn one again too, it is another generation.
    other.consume({ group, topic, work });
    log.consume({ group, topic, work });
    await until(() => committed.length > 0);
    release();
    await until(() => late.length === 2);
    expect(late[1]).toBe("partition_moved");
    expect(committed[0]).toBe(30);
    await stubborn.stop();
  }, 480_000);

  test("whose work is slow hold up no rebalance, and begin no work on a partition that they keep before the earlier has ended", async () => {
    const { open } = createKafkaLogs({ partitions: 2, session: { ...patientSession, rebalanceMs: 1_000 } });
    const generations: number[] = [];
    const [log, other] = [
      await open({ onGroupEvent: (event) => generations.push(event.kind === "assigned" ? event.generation : 0) }),
      await open(),
    ];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const working = [0, 0];
    const begun: number[] = [];
    const most: number[] = [];
    log.consume({
      group,
      topic,
      async work({ partition, signal }) {
        begun.push(partition);
        working[partition] = (working[partition] ?? 0) + 1;
        most.push(working[partition]);
        await aborted(signal);
        await released;
        working[partition] -= 1;
      },
    });
    await until(() => begun.length === 2);
    const theirs: number[] = [];
    other.consume({
      group,
      topic,
      async work(reader) {
        theirs.push(reader.partition);
        await aborted(reader.signal);
      },
    });
    await until(() => theirs.length > 0 && (generations.at(-1) ?? 0) > 1);
    // So long as it takes to write and read: what were to begin would have begun.
    for (let round = 0; round < 10; round += 1) await log.publish(messagesOf(round));
    expect(begun).toHaveLength(2);
    release();
    await until(() => begun.length === 3);
    expect(most).toEqual([1, 1, 1]);
  }, 480_000);

  test("take over from one that is killed, from its last commit on", async () => {
    const { prefix, open } = createKafkaLogs({ partitions: 2 });
    const log = await open();
    await log.publish(messagesOf(0));
    const child = spawn(process.execPath, ["--import", "tsx", script, prefix, ...brokersOf()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (lines.push(line) === 5) child.kill("SIGKILL");
    }
    const { seen, consume } = createWitness();
    consume(log, "heir");
    await until(() => new Set([...seen, ...lines]).size === 40);
    // Of each partition the one message comes again that it was about to commit.
    expect(lines.filter((value) => seen.has(value)).length).toBeLessThanOrEqual(2);
  }, 480_000);
});
