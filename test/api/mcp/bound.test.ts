import { describe, expect, it } from "vitest";
import { boundAnswer, maxAnswerLength, mostFields } from "../../../api/mcp/bound.ts";

const long = (length: number) => "x".repeat(length);
const many = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);

describe("an answer for a model", () => {
  it("is left as it is where it is short", () => {
    const answer = { name: "one", rows: [{ a: null }, { a: 1 }] };
    expect(boundAnswer(answer)).toEqual({ answer, leftOut: [], fits: true });
  });

  it("has its long arrays cut, which it says with their counts", () => {
    const { answer, leftOut } = boundAnswer({ bids: many(120, 1), webhooks: many(2, { attempts: many(30, 1) }) });
    expect((answer["bids"] as unknown[]).length).toBe(25);
    expect(leftOut).toEqual(["bids: 25 of 120 are shown", "webhooks[].attempts: 50 of 60 are shown"]);
  });

  it("has long texts cut where they say so, never in the middle of a character", () => {
    const { answer, leftOut } = boundAnswer({ body: `${long(1999)}😀${long(50)}` });
    expect(answer["body"]).toBe(`${long(1999)}[cut]`);
    expect(leftOut).toEqual(["texts are cut after 2000 characters, where [cut] stands: 1"]);
  });

  it("is cut further until it fits", () => {
    const { answer, fits } = boundAnswer({ bodies: many(100, long(5000)), more: many(100, { text: long(900) }) });
    expect([fits, JSON.stringify(answer).length <= maxAnswerLength]).toEqual([true, true]);
  });

  it("keeps whole what is of use only whole, and tells that it does not fit", () => {
    const given = { data: many(40, { body: long(5000) }), meta: { next_cursor: long(300) } };
    const { answer, fits } = boundAnswer(given, { whole: ["data", "meta"] });
    expect((answer["data"] as unknown[]).length).toBe(40);
    expect(answer["meta"]).toEqual(given.meta);
    expect(fits).toBe(true);
    expect(boundAnswer({ data: many(1000, { body: long(500) }) }, { whole: ["data"] }).fits).toBe(false);
  });

  it("has the long records cut that an object of a schema never is", () => {
    const tags = Object.fromEntries(many(100, "x").map((value, index) => [`key-${index}`, value]));
    const { answer, leftOut } = boundAnswer({ call: { tags } });
    expect(Object.keys((answer["call"] as { tags: object }).tags)).toHaveLength(mostFields);
    expect(leftOut).toEqual([`call.tags: ${mostFields} of 100 are shown`]);
  });

  it("cuts last what is worth its length", () => {
    const last = ["sql"];
    const long = { sql: "s".repeat(9000), rows: many(100, "r".repeat(900)) };
    expect(boundAnswer(long, { last }).answer["sql"]).toBe(long.sql);
    const { answer, fits } = boundAnswer({ ...long, sql: "s".repeat(30_000) }, { last });
    expect([fits, String(answer["sql"]).length]).toEqual([true, 125]);
  });

  it("shows more of an array that may have more", () => {
    const { answer } = boundAnswer({ data: { rows: many(300, 1) } }, { most: { "data.rows": 200 } });
    expect((answer["data"] as { rows: unknown[] }).rows.length).toBe(200);
  });
});
