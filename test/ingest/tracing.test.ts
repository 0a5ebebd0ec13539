import { describe, expect, test } from "vitest";
import { causesOf, parseTraceparent } from "../../ingest/tracing.ts";

const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];

describe("a traceparent that others sent", () => {
  test.each([
    [`00-${trace}-${span}-01`, `00-${trace}-${span}-01`],
    [`00-${trace}-${span}-00`, `00-${trace}-${span}-00`],
    // A later version, of which this one's fields are read.
    [`01-${trace}-${span}-01-what-may-follow`, `00-${trace}-${span}-01`],
  ])("%s is read", (text, read) => {
    expect(parseTraceparent(text)).toBe(read);
  });

  test.each([
    ["", "nothing"],
    [`ff-${trace}-${span}-01`, "a version that is none"],
    [`00-${trace}-${span}-01-more`, "more than version 00 has"],
    [`00-${trace.toUpperCase()}-${span}-01`, "upper case"],
    [`00-${"0".repeat(32)}-${span}-01`, "a trace of zeros"],
    [`00-${trace}-${"0".repeat(16)}-01`, "a span of zeros"],
    [`01-${trace}-${span}-01-${"x".repeat(1000)}`, "no end"],
    [undefined, "no text"],
  ])("%s is none: %s", (text, _) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});

const of = (n: number, flags = "01") => `00-${trace}-${String(n).padStart(16, "0")}-${flags}`;
const messages = (...traceparents: (string | undefined)[]) => traceparents.map((traceparent) => ({ traceparent }));

describe("the causes of work on several messages", () => {
  test("are one parent where all come of one span", () => {
    expect(causesOf(messages(of(1), of(1), undefined))).toEqual({ parent: of(1) });
  });
  test("are links where they come of several, without those that nobody records", () => {
    expect(causesOf(messages(of(1), of(2, "00"), of(3)))).toEqual({ parent: null, links: [of(1), of(3)] });
  });
  test("are none where nothing is traced, or nothing of it recorded", () => {
    expect(causesOf(messages(undefined, undefined))).toBeNull();
    expect(causesOf(messages(of(1, "00"), of(2, "00")))).toBeNull();
  });
  test("are 128 links at most", () => {
    const many = messages(...Array.from({ length: 1000 }, (_, index) => of(index + 1)));
    expect(causesOf(many)?.links).toHaveLength(128);
  });
});
