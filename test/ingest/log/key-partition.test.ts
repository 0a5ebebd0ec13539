import fc from "fast-check";
import { Partitioners } from "kafkajs";
import { expect, test } from "vitest";
import { murmur2, partitionOf } from "../../../ingest/log/key-partition.ts";
import { anyText } from "../../any-text.ts";

test("keys are hashed as Kafka's own tests have it", () => {
  const published = {
    "21": -973932308,
    foobar: -790332482,
    "a-little-bit-long-string": -985981536,
    "a-little-bit-longer-string": -1486304829,
    lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
    abc: 479470107,
  };
  expect(Object.keys(published).map((key) => murmur2(Buffer.from(key)))).toEqual(Object.values(published));
});

test("the partition of a key is the same in every release", () => {
  const keys = ["", "a", "call-1", "0197a1b2-0000-7000-8000-000000000001", "Zoë"];
  expect(keys.map((key) => partitionOf(key, 12))).toEqual([9, 4, 10, 6, 10]);
});

test("any key has the partition that a foreign client's default gives it", () => {
  const foreign = Partitioners.DefaultPartitioner();
  const topic = "call-signals";
  fc.assert(
    fc.property(anyText({ minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 64 }), (key, partitions) => {
      const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
        partitionId,
        partitionErrorCode: 0,
        leader: 1,
        replicas: [],
        isr: [],
      }));
      expect(partitionOf(key, partitions)).toBe(foreign({ topic, partitionMetadata, message: { key, value: "" } }));
    }),
  );
});

test("keys are spread evenly over the partitions", () => {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < 4_000; n++) counts[partitionOf(`call-${n}`, 4)] = (counts[partitionOf(`call-${n}`, 4)] ?? 0) + 1;
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
