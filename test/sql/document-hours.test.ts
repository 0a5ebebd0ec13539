// @module-tag slow
import { expect, it } from "vitest";
import { migrating } from "./migrating.ts";

const documents = [
  "('buyer', 'a', 'one', 1, NULL, NULL, '2026-01-01T00:59:59.999Z', '{}')",
  "('buyer', 'b', 'one', 1, NULL, NULL, '2026-01-01T01:00:00.000Z', '{}')",
  "('buyer', 'c', 'one', 1, NULL, NULL, '2026-01-01T01:30:00.001Z', '{}')",
  "('target', 'a', 'two', 1, NULL, NULL, '2026-01-01T01:30:00.000Z', '{}')",
];

it.each(migrating)("documents of before are counted in their hours in %s", async (_engine, open) => {
  const { applyUpTo, run, read } = await open();
  await applyUpTo(2);
  await run(`INSERT INTO documents VALUES ${documents.join(", ")}`);
  await applyUpTo(3);
  const midnight = Date.parse("2026-01-01T00:00:00.000Z");
  const times = await read("SELECT created_ms FROM documents ORDER BY type, id");
  expect(times.flat().map((ms) => Number(ms) - midnight)).toEqual([3_599_999, 3_600_000, 5_400_001, 5_400_000]);
  const hours = await read("SELECT org_id, type, hour, documents FROM document_hours ORDER BY org_id, type, hour");
  const hour = midnight / 3_600_000;
  expect(hours).toEqual([
    ["one", "buyer", String(hour), "1"],
    ["one", "buyer", String(hour + 1), "2"],
    ["two", "target", String(hour + 1), "1"],
  ]);
});
