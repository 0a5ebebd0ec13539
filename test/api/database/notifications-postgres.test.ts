import { describe, expect, it } from "vitest";
import { toPayloads } from "../../../api/database/notifications-postgres.ts";

const changes = (count: number, id = (index: number) => `b${index}`) =>
  Array.from({ length: count }, (_, index) => ({ orgId: "org_one", type: "buyer", id: id(index) }));
const bytesOf = (payload: string) => Buffer.byteLength(payload);
const from = "5dc4dbeb-5ea4-4b4a-9d4e-0e6d3a1b2c3d";

describe("the payloads of notifications", () => {
  it.each([
    ["one change", changes(1)],
    ["many", changes(1000)],
    ["long ids", changes(16, (index) => `${index}`.padEnd(7000, "x"))],
    ["ids of several bytes a character", changes(30, () => "é".repeat(1000))],
  ])("hold %s, in order, each within PostgreSQL's limit", (_what, given) => {
    const payloads = toPayloads(from, given);
    expect(Math.max(...payloads.map(bytesOf))).toBeLessThan(8000);
    expect(payloads.flatMap((payload) => JSON.parse(payload).changes)).toEqual(given);
    for (const payload of payloads) expect(JSON.parse(payload).from).toBe(from);
  });

  it.each([
    ["very many changes", changes(50_000)],
    ["a change that is too long by itself", changes(2, () => "x".repeat(8000))],
  ])("say that anything may have changed for %s", (_what, given) => {
    expect(toPayloads(from, given)).toEqual([JSON.stringify({ from, changes: null })]);
  });

  it("are none for no changes", () => {
    expect(toPayloads(from, [])).toEqual([]);
  });
});
