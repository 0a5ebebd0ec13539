import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countOfRound, cutPublish, type Outgoing } from "../../../../ingest/log/kafka/produce-rounds.ts";

const limits = { maxBatchBytes: 100, maxBatchMessages: 4, maxBytes: 250 };
const outgoing = (bytes: number, partition = 0): Outgoing => ({
  message: { topic: "call-events", key: "call-1", value: "" },
  partition,
  bytes,
});
const publish = (...sizes: number[]) => ({ messages: sizes.map((bytes) => outgoing(bytes)) });

describe("a round of publishes", () => {
  test("takes from the head of the queue what fits into one batch", () => {
    expect(countOfRound([publish(40), publish(60), publish(1)], limits)).toBe(2);
    expect(countOfRound([publish(1, 1), publish(1, 1), publish(1)], limits)).toBe(2);
    expect(countOfRound([publish(40), publish(60)], limits)).toBe(2);
  });

  test("has a batch for each partition, within a limit for them all", () => {
    const each = [0, 1, 2].map((partition) => ({ messages: [outgoing(90, partition)] }));
    expect(countOfRound(each, limits)).toBe(2);
  });

  test("takes one publish at least", () => {
    expect(countOfRound([publish(500), publish(1)], limits)).toBe(1);
  });

  test("never holds a piece of a publish that does not fit, unless a message alone is too large", () => {
    const sizes = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 130 }), partition: fc.nat(2) }));
    fc.assert(
      fc.property(sizes, (given) => {
        const messages = given.map(({ bytes, partition }) => outgoing(bytes, partition));
        const pieces = cutPublish(messages, limits);
        expect(pieces.flatMap((piece) => piece.messages)).toEqual(messages);
        for (const piece of pieces) {
          expect(fits(piece.messages)).toBe(true);
        }
      }),
    );
  });
});

function fits(messages: readonly Outgoing[]): boolean {
  const sum = (of: readonly Outgoing[]) => of.reduce((total, { bytes }) => total + bytes, 0);
  const batches = [0, 1, 2].map((partition) => messages.filter((message) => message.partition === partition));
  const isSmall = (batch: readonly Outgoing[]) =>
    batch.length === 1 || (sum(batch) <= limits.maxBatchBytes && batch.length <= limits.maxBatchMessages);
  return sum(messages) <= limits.maxBytes && batches.every(isSmall);
}
