import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeAnswer, scalarOf } from "../../../../api/routing/rtb/bid-response.ts";

const decode = (body: string, contentType = "", status = 200) => decodeAnswer({ status, contentType, body });

describe("an answer", () => {
  it.each([
    ["12.5", "application/x-www-form-urlencoded", 12.5],
    ['{"a":1}', "text/xml", { a: 1 }],
    ["\ufeff <r><a>1</a></r>", "application/json", { r: { a: "1" } }],
    ["a=1&b=x%20y&a=2", "", { a: "2", b: "x y" }],
    ["<r>&amp;<a b='007'/></r>", "", { r: { "#text": "&", a: { "@b": "007" } } }],
  ])("of %j, called %j, is read for what it is", (body, type, value) => {
    expect(decode(body, type)).toEqual({ kind: "decoded", value });
  });

  it.each([
    ["a=1", "application/json"],
    ["a=1", "text/html; charset=utf-8"],
    ["no form = at all", ""],
    ['{"a": "x=y"', ""],
    ["<a><b></a>", "text/xml"],
    ["<a>1</a><b>2</b>", "text/xml"],
    ["<a><__proto__>1</__proto__></a>", "text/xml"],
    ['<!ENTITY a "b"><a>&a;</a>', "text/xml"],
  ])("of %j, called %j, is not read", (body, type) => {
    expect(decode(body, type)).toMatchObject({ kind: "unreadable", error: expect.any(String) });
  });

  it("of status 204 is empty, whatever came with it", () => {
    expect(decode('{"bid":5}', "application/json", 204)).toEqual({ kind: "empty" });
  });

  it("of whatever text is read or not, and nothing is thrown", () => {
    const unit = fc.constantFrom(..."<>/=\"'&;![]{}:,ab1 \0");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string()), fc.string(), (body, type) => {
        expect(["decoded", "empty", "unreadable"]).toContain(decode(body, type).kind);
      }),
    );
  });

  it.each(["<a>", '{"a":', "["])("of thousands of %s ends", (part) => {
    expect(decode(part.repeat(20_000)).kind).toBe("unreadable");
  });

  it("brings nothing into the language's own objects", () => {
    for (const body of ['{"__proto__":{"own":1}}', "__proto__=own", "<a><b __proto__='own'/></a>"]) decode(body);
    expect(({} as { own?: unknown }).own).toBeUndefined();
  });
});

it.each([
  ["a", "a"],
  [5, "5"],
  [false, "false"],
  [{ "#text": "7", "@currency": "USD" }, "7"],
  [{}, undefined],
  [["a"], undefined],
  [null, undefined],
  [undefined, undefined],
])("the text of %j is %j", (value, text) => {
  expect(scalarOf(value)).toBe(text);
});
