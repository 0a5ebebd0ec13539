import { expect, it } from "vitest";
import { uuidv7 } from "../../ingest/uuid.ts";

it("ids are of version 7, begin with their time and are each another", () => {
  const at = Date.parse("2026-11-01T12:00:00Z");
  const ids = Array.from({ length: 1000 }, () => uuidv7(at));
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => Number.parseInt(id.replace("-", "").slice(0, 12), 16)))).toEqual(new Set([at]));
});
