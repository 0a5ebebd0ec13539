import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assignPartitions,
  decodeAssignment,
  decodeTopics,
  encodeAssignment,
  encodeTopics,
} from "../../../../ingest/log/kafka/group.ts";

const members = fc.uniqueArray(
  fc.record({ memberId: fc.uuid(), topics: fc.subarray(["signals", "events", "audit"], { minLength: 1 }) }),
  { selector: ({ memberId }) => memberId, minLength: 1, maxLength: 8 },
);

describe("sharing out partitions", () => {
  test("gives each partition of a topic to one member that wants it, and none much more than another", () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 12 }), (all, partitions) => {
        const assigned = assignPartitions(all, partitions);
        for (const topic of new Set(all.flatMap(({ topics }) => topics))) {
          const wanting = all.filter(({ topics }) => topics.includes(topic));
          const shares = wanting.map(({ memberId }) => assigned.get(memberId)?.get(topic) ?? []);
          expect(shares.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: partitions }, (_, p) => p));
          const counts = shares.map(({ length }) => length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
        const unasked = all.filter(({ memberId, topics }) =>
          [...(assigned.get(memberId)?.keys() ?? [])].some((topic) => !topics.includes(topic)),
        );
        expect(unasked).toEqual([]);
      }),
    );
  });

  test("is the same in whatever order the members are told", () => {
    fc.assert(
      fc.property(members, (all) => {
        const sorted = (of: typeof all) => [...assignPartitions(of, 5)].toSorted(([a], [b]) => a.localeCompare(b));
        const flat = (of: typeof all) => sorted(of).map(([id, byTopic]) => [id, [...byTopic].toSorted()]);
        expect(flat(all.toReversed())).toEqual(flat(all));
      }),
    );
  });

  test("with more members than partitions leaves some without", () => {
    const two = ["a", "b"].map((memberId) => ({ memberId, topics: ["signals"] }));
    expect([...assignPartitions(two, 1).values()].map((byTopic) => byTopic.get("signals"))).toEqual([[0], undefined]);
  });

  test("travels in the protocol's own form", () => {
    expect(decodeTopics(encodeTopics(["signals", "events"]))).toEqual(["signals", "events"]);
    const encoded = encodeAssignment(new Map([["signals", [0, 2]]]));
    expect(decodeAssignment(encoded, "signals")).toEqual([0, 2]);
    expect(decodeAssignment(encoded, "events")).toEqual([]);
    expect(decodeAssignment(Buffer.alloc(0), "signals")).toEqual([]);
  });
});
