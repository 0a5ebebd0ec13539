import { expect, test } from "vitest";
import { partitionOf } from "../../../ingest/log/key-partition.ts";

test("the partition of a key is the same in every release", () => {
  const keys = ["", "a", "call-1", "0197a1b2-0000-7000-8000-000000000001", "Zoë"];
  expect(keys.map((key) => partitionOf(key, 12))).toEqual([1, 4, 11, 4, 0]);
});

test("keys are spread evenly over the partitions", () => {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < 4_000; n++) counts[partitionOf(`call-${n}`, 4)] = (counts[partitionOf(`call-${n}`, 4)] ?? 0) + 1;
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
