import { describe, expect, test } from "vitest";
import { createBuffer } from "../../../../ingest/log/kafka/buffer.ts";
import type { Answer } from "../../../../ingest/log/kafka/fetch-response.ts";
import type { Message } from "../../../../ingest/log/log.ts";

const answer = (offsets: readonly number[], given: Partial<Answer> & { bytes?: number } = {}): Answer => ({
  messages: offsets.map((offset) => ({
    message: { offset, key: "call-1", value: "{}", publishedAt: 0 },
    bytes: given.bytes ?? 10,
  })),
  next: given.next ?? (offsets.at(-1) ?? -1) + 1,
  end: given.end ?? 100,
});

function drain(buffer: ReturnType<typeof createBuffer>, limits: { maxMessages?: number; maxBytes?: number } = {}) {
  const batch: Message[] = [];
  const drained = buffer.drainInto(batch, { maxMessages: 100, maxBytes: 1_000, ...limits });
  return { offsets: batch.map(({ offset }) => offset), ...drained };
}

describe("what was fetched of a partition", () => {
  test("is read in order, as far as it fits", () => {
    const buffer = createBuffer(0, 0);
    buffer.put(0, answer([0, 1, 2, 3]), 1);
    expect(drain(buffer, { maxMessages: 1 })).toEqual({ offsets: [0], bytes: 10, full: true });
    expect(drain(buffer, { maxBytes: 25 })).toEqual({ offsets: [1, 2], bytes: 20, full: true });
    expect(drain(buffer)).toEqual({ offsets: [3], bytes: 10, full: false });
    expect(drain(buffer, { maxBytes: 1 })).toEqual({ offsets: [], bytes: 0, full: false });
  });

  test("gives one message at least, even if it alone does not fit", () => {
    const buffer = createBuffer(0, 0);
    buffer.put(0, answer([0, 1]), 1);
    expect(drain(buffer, { maxBytes: 1 }).offsets).toEqual([0]);
  });

  test("is caught up with once all up to the end is read, gaps included", () => {
    const buffer = createBuffer(0, 0);
    expect(buffer.caughtUp()).toBe(false);
    buffer.put(0, answer([0], { next: 3, end: 3 }), 1);
    expect(buffer.caughtUp()).toBe(false);
    drain(buffer);
    expect([buffer.caughtUp(), buffer.position()]).toEqual([true, 3]);
    buffer.put(3, answer([], { next: 4, end: 5 }), 2);
    expect([buffer.caughtUp(), buffer.position(), buffer.heardAt()]).toEqual([false, 4, 2]);
  });

  test("is fetched no more while much of it waits, and again when half is read", () => {
    const buffer = createBuffer(0, 0);
    const bytes = 1024 * 1024;
    buffer.put(0, answer([0, 1, 2], { bytes }), 1);
    expect(buffer.wants()).toBe(3);
    buffer.put(3, answer([3], { bytes }), 1);
    expect(buffer.wants()).toBeNull();
    drain(buffer, { maxMessages: 2, maxBytes: 10 * bytes });
    expect(buffer.wants()).toBeNull();
    drain(buffer, { maxMessages: 1, maxBytes: 10 * bytes });
    expect(buffer.wants()).toBe(4);
  });

  test("is dropped when reading is moved, and so is what was asked for before", () => {
    const buffer = createBuffer(0, 0);
    buffer.put(0, answer([0, 1, 2]), 1);
    drain(buffer, { maxMessages: 2 });
    buffer.seek(1);
    expect([buffer.position(), buffer.wants()]).toEqual([1, 1]);
    buffer.put(3, answer([3, 4]), 2);
    expect(drain(buffer).offsets).toEqual([]);
    buffer.put(1, answer([1, 2]), 3);
    expect(drain(buffer).offsets).toEqual([1, 2]);
  });

  test("stays when reading is moved to where it is", () => {
    const buffer = createBuffer(0, 5);
    buffer.put(5, answer([5, 6]), 1);
    buffer.seek(5);
    expect(drain(buffer).offsets).toEqual([5, 6]);
  });
});
