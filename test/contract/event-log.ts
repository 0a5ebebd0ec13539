import { describe, expect, test } from "vitest";
import { describeConsuming } from "./event-log-consuming.ts";
import { describeFollowing } from "./event-log-following.ts";
import { type LogAdapter, openForEach } from "./log-adapter.ts";
import { codeOf, readAll, someMessages, values } from "./log-work.ts";

/** What every adapter of the EventLog port does. */
export function describeEventLog(adapter: LogAdapter): void {
  describe(`the event log on ${adapter.name}`, () => {
    describePublishing(adapter);
    describeReading(adapter);
    describeConsuming(adapter);
    describeFollowing(adapter);
  });
}

function describePublishing(adapter: LogAdapter): void {
  describe("publishing", () => {
    const { log, reopen } = openForEach(adapter, { maxMessageBytes: 2_000 });

    test("offsets of a partition rise by one from 0, in the order given", async () => {
      const first = await log().publish(someMessages(3));
      const second = await log().publish(someMessages(2, { from: 3 }));
      expect([...first, ...second].map((position) => position.offset)).toEqual([0, 1, 2, 3, 4]);
      expect(values(await readAll(log(), "call-events", first[0]?.partition))).toEqual(
        [0, 1, 2, 3, 4].map((n) => JSON.stringify({ n })),
      );
    });

    test("messages of several topics and keys get their positions in the order given", async () => {
      const messages = Array.from({ length: 30 }, (_, n) => ({
        topic: n % 2 === 0 ? ("call-events" as const) : ("audit-log" as const),
        key: `key-${n % 7}`,
        value: `{"n":${n}}`,
      }));
      const positions = await log().publish(messages);
      for (const [index, position] of positions.entries()) {
        const stored = await readAll(log(), position.topic, position.partition);
        expect(stored[position.offset]).toMatchObject({ offset: position.offset, ...pick(messages[index]) });
      }
    });

    test("a key stays in its partition", async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `call-${index}`);
      const publishAll = () => log().publish(keys.map((key) => ({ topic: "call-events" as const, key, value: "{}" })));
      const before = await publishAll();
      await reopen();
      const after = await publishAll();
      expect(after.map((position) => position.partition)).toEqual(before.map((position) => position.partition));
      expect(new Set(before.map((position) => position.partition)).size).toBe(adapter.partitions);
    });

    test("nothing published gives no positions", async () => {
      expect(await log().publish([])).toEqual([]);
    });

    test("keys and values come back as they went in", async () => {
      const odd = [
        { topic: "dead-letters" as const, key: "", value: '""' },
        { topic: "dead-letters" as const, key: "", value: '"Zoë ☎ 📞 \\u0000 \\n"' },
        { topic: "dead-letters" as const, key: "", value: "" },
        { topic: "dead-letters" as const, key: "", value: `"${"é".repeat(900)}"` },
      ];
      const positions = await log().publish(odd);
      const stored = await readAll(log(), "dead-letters", positions[0]?.partition);
      expect(stored.map(({ key, value }) => ({ topic: "dead-letters", key, value }))).toEqual(odd);
    });

    test("a message has the traceparent that it was published with, and others have none", async () => {
      const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
      const [plain, other] = someMessages(2);
      if (plain === undefined || other === undefined) throw new Error("no messages");
      const traced = { ...plain, key: "é", traceparent };
      const positions = await log().publish([plain, traced, { ...other, key: "é", traceparent: "no traceparent" }]);
      await reopen();
      for (const [index, sent] of [plain, traced, other].entries()) {
        const { partition = 0, offset = 0 } = positions[index] ?? {};
        const [stored] = (await readAll(log(), "call-events", partition)).filter((each) => each.offset === offset);
        expect(stored).toMatchObject({ value: sent.value });
        expect(stored?.traceparent).toBe(sent === traced ? traceparent : undefined);
      }
    });

    test("a traceparent counts for nothing in the limit of a message", async () => {
      const whole = { topic: "call-events" as const, key: "call-1", value: "x".repeat(1_994) };
      const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-00`;
      expect(await codeOf(() => log().publish([{ ...whole, traceparent }]))).toBe("no error");
    });

    test("concurrent publishes keep their messages together and leave no gap", async () => {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) => log().publish(someMessages(4, { from: index * 4 }))),
      );
      for (const positions of results) {
        const first = positions[0]?.offset ?? Number.NaN;
        expect(positions.map((position) => position.offset - first)).toEqual([0, 1, 2, 3]);
      }
      const offsets = results.flat().map((position) => position.offset);
      expect(offsets.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, offset) => offset));
    });

    test("a message that is too large is refused together with all that was published with it", async () => {
      const tooLarge = { topic: "call-events" as const, key: "call-1", value: "é".repeat(1_000) };
      expect(await codeOf(() => log().publish([...someMessages(1), tooLarge]))).toBe("message_too_large");
      expect(await log().ends("call-events")).toEqual(Array.from({ length: adapter.partitions }, () => 0));
    });

    test("what was published is there after the log is opened again", async () => {
      const positions = await log().publish(someMessages(3));
      await reopen();
      const partition = positions[0]?.partition ?? -1;
      expect(values(await readAll(log(), "call-events", partition))).toHaveLength(3);
      expect((await log().ends("call-events"))[partition]).toBe(3);
      expect((await log().publish(someMessages(1)))[0]?.offset).toBe(3);
    });

    test("a closed log refuses everything, and may be closed again", async () => {
      await log().close();
      await log().close();
      expect(await codeOf(() => log().publish(someMessages(1)))).toBe("log_closed");
      expect(await codeOf(() => log().ends("call-events"))).toBe("log_closed");
      expect(await codeOf(() => readAll(log(), "call-events"))).toBe("log_closed");
      const consume = async () => log().consume({ group: "g", topic: "call-events", work: async () => {} });
      expect(await codeOf(consume)).toBe("log_closed");
    });

    test("what was published before the log was closed is stored", async () => {
      const published = log().publish(someMessages(2));
      await log().close();
      expect(await published).toHaveLength(2);
      await reopen();
      expect((await log().ends("call-events")).reduce((sum, end) => sum + end)).toBe(2);
    });
  });
}

const pick = (message: { key: string; value: string } | undefined) => ({ key: message?.key, value: message?.value });

function describeReading(adapter: LogAdapter): void {
  describe("reading", () => {
    const { log } = openForEach(adapter);

    test("begins at the offset asked for", async () => {
      const positions = await log().publish(someMessages(5));
      const offsets: number[] = [];
      const at = { topic: "call-events" as const, partition: positions[0]?.partition ?? -1, offset: 3 };
      for await (const message of log().read(at)) offsets.push(message.offset);
      expect(offsets).toEqual([3, 4]);
    });

    test("ends with what was there when it began", async () => {
      const positions = await log().publish(someMessages(3));
      const at = { topic: "call-events" as const, partition: positions[0]?.partition ?? -1, offset: 0 };
      const offsets: number[] = [];
      for await (const message of log().read(at)) {
        offsets.push(message.offset);
        await log().publish(someMessages(1));
      }
      expect(offsets).toEqual([0, 1, 2]);
    });

    test("of an empty topic gives nothing", async () => {
      expect(await readAll(log(), "audit-log")).toEqual([]);
      expect(await log().ends("audit-log")).toEqual(Array.from({ length: adapter.partitions }, () => 0));
    });

    test("may stop early", async () => {
      const positions = await log().publish(someMessages(10));
      const at = { topic: "call-events" as const, partition: positions[0]?.partition ?? -1, offset: 0 };
      for await (const message of log().read(at)) if (message.offset === 2) break;
      expect((await log().publish(someMessages(1)))[0]?.offset).toBe(10);
    });

    test("tells when the log took a message", async () => {
      const before = Date.now();
      const positions = await log().publish(someMessages(1));
      const [message] = await readAll(log(), "call-events", positions[0]?.partition);
      expect(message?.publishedAt).toBeGreaterThanOrEqual(before);
      expect(message?.publishedAt).toBeLessThanOrEqual(Date.now());
    });
  });
}
