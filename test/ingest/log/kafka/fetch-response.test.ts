import { describe, expect, test } from "vitest";
import { type FetchedRecord, toAnswer, toOffset } from "../../../../ingest/log/kafka/fetch-response.ts";
import { LogError } from "../../../../ingest/log/log.ts";

const record = (offset: number, given: Partial<FetchedRecord> = {}): FetchedRecord => ({
  offset: String(offset),
  timestamp: "1767600000000",
  key: Buffer.from("call-1"),
  value: Buffer.from(`{"n":${offset}}`),
  ...given,
});

const fetched = (messages: readonly FetchedRecord[], given: Partial<Parameters<typeof toAnswer>[0]> = {}) => ({
  partition: 0,
  highWatermark: "10",
  lastStableOffset: "10",
  messages,
  ...given,
});

const offsets = (answer: ReturnType<typeof toAnswer>) => answer.messages.map(({ message }) => message.offset);

/** Records of one producer's batch, in a transaction. */
const inTransaction = (producerId: string, from: number, to: number): FetchedRecord[] =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    record(from + index, {
      batchContext: { firstOffset: String(from), lastOffsetDelta: to - from, producerId, inTransaction: true },
    }),
  );

const marker = (offset: number, producerId: string, kind: "abort" | "commit"): FetchedRecord =>
  record(offset, {
    key: Buffer.from([0, 0, 0, kind === "abort" ? 0 : 1]),
    isControlRecord: true,
    batchContext: { firstOffset: String(offset), lastOffsetDelta: 0, producerId, inTransaction: true },
  });

describe("the answer to a fetch", () => {
  test("has the traceparent of a message's header, where that is one", () => {
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    const headers = [{ traceparent: Buffer.from(traceparent) }, { traceparent: Buffer.from("other") }, {}];
    const { messages } = toAnswer(fetched(headers.map((each, index) => record(index, { headers: each }))), 0);
    expect(messages.map(({ message }) => message.traceparent)).toEqual([traceparent, undefined, undefined]);
  });

  test("tells messages with their size, and where to go on", () => {
    const answer = toAnswer(fetched([record(3), record(4)]), 3);
    expect(answer.messages[0]).toEqual({
      message: { offset: 3, key: "call-1", value: '{"n":3}', publishedAt: 1767600000000 },
      bytes: 13,
    });
    expect([offsets(answer), answer.next, answer.end]).toEqual([[3, 4], 5, 10]);
  });

  test("leaves out what stands before the place that was asked for: brokers send whole batches", () => {
    expect(offsets(toAnswer(fetched([record(1), record(2), record(3)]), 3))).toEqual([3]);
  });

  test("goes on behind a batch whose last messages compaction has removed", () => {
    const batchContext = { firstOffset: "3", lastOffsetDelta: 4, producerId: "7", inTransaction: false };
    const answer = toAnswer(fetched([record(3, { batchContext })]), 3);
    expect([offsets(answer), answer.next]).toEqual([[3], 8]);
  });

  test("without messages stays where it is", () => {
    expect(toAnswer(fetched([]), 3)).toEqual({ messages: [], next: 3, end: 10 });
  });

  test("reads a message of another producer that has no key or no value as empty texts", () => {
    const [only] = toAnswer(fetched([record(3, { key: null, value: null })]), 3).messages;
    expect(only).toMatchObject({ message: { key: "", value: "" }, bytes: 0 });
  });

  test("ends before transactions that are open, or where a broker knows none, at the high watermark", () => {
    expect(toAnswer(fetched([], { lastStableOffset: "6" }), 3).end).toBe(6);
    expect(toAnswer(fetched([], { lastStableOffset: "-1" }), 3).end).toBe(10);
  });

  test("leaves out transactions that were taken back, of their producer alone, until they end", () => {
    const messages = [
      ...inTransaction("a", 0, 1),
      ...inTransaction("b", 2, 2),
      marker(3, "a", "abort"),
      ...inTransaction("a", 4, 4),
      marker(5, "b", "commit"),
      marker(6, "a", "commit"),
      record(7),
    ];
    const answer = toAnswer(fetched(messages, { abortedTransactions: [{ producerId: "a", firstOffset: "0" }] }), 0);
    expect([offsets(answer), answer.next]).toEqual([[2, 4, 7], 8]);
  });

  test("is refused with an offset that a number cannot hold", () => {
    expect(toOffset("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => toOffset("9007199254740993")).toThrow(LogError);
  });
});
