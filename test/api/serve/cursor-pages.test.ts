import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cursor, parseCursor, toCursorText } from "../../../api/serve/cursor-pages.ts";

const cursor: fc.Arbitrary<Cursor> = fc.record({
  kind: fc.constantFrom("after" as const, "before" as const),
  direction: fc.constantFrom("asc" as const, "desc" as const),
  key: fc.record({
    at: fc.date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
    id: fc.string({ minLength: 1, unit: "grapheme" }),
  }),
});
const example: Cursor = {
  kind: "after",
  direction: "asc",
  key: { at: new Date("2026-11-02T15:00:00.000Z"), id: "out-1" },
};
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const at = example.key.at.toISOString();

describe("a cursor", () => {
  it("comes back as it was, in characters that stand in an address as they are", () => {
    fc.assert(
      fc.property(cursor, (given) => {
        const text = toCursorText(given);
        expect(text).toMatch(/^[\w-]+$/);
        expect(parseCursor(text)).toEqual(given);
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["no base64", "***"],
    ["no JSON", Buffer.from("after").toString("base64url")],
    ["another shape", encode({ kind: "after" })],
    ["another side", encode(["beside", "asc", at, "a"])],
    ["another direction", encode(["after", "up", at, "a"])],
    ["no time", encode(["after", "asc", "yesterday", "a"])],
    ["no id", encode(["after", "asc", at, ""])],
    ["more than there is", encode(["after", "asc", at, "a", "b"])],
    ["the same written otherwise", `${toCursorText(example)}=`],
  ])("is not read of %s", (_what, text) => {
    expect(parseCursor(text)).toBeNull();
  });

  it("is not read of a part of one", () => {
    expect(parseCursor(toCursorText(example))).toEqual(example);
    expect(parseCursor(toCursorText(example).slice(0, -3))).toBeNull();
  });
});
