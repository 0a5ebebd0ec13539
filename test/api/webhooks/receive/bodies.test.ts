import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBody } from "../../../../api/webhooks/receive/bodies.ts";

const form = (text: string) => parseBody(text, "application/x-www-form-urlencoded; charset=utf-8");

describe("a body", () => {
  it("is JSON by its type, or where that says nothing by its first character", () => {
    for (const type of [
      "application/json",
      "Application/JSON; charset=utf-8",
      "application/ld+json",
      undefined,
      "text/plain",
    ]) {
      expect(parseBody(' {"a":{"b":1.50}}', type)).toEqual({ a: { b: 1.5 } });
    }
  });

  it.each([
    ["a=1", undefined, "missing"],
    ["a=1", "text/plain", "missing"],
    ["a=1", "application/json", "json_invalid"],
    ["{", "application/json", "json_invalid"],
    ["", "application/json", "json_invalid"],
    ["null", "application/json", "dict_type"],
    ["[1]", "application/json", "dict_type"],
    ["add={1", "application/x-www-form-urlencoded", "json_invalid"],
  ])("%j of %s is refused as %s", (text, contentType, type) => {
    expect(() => parseBody(text, contentType)).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ type })] }),
    );
  });
});

describe("a form", () => {
  it("has objects as keys in brackets or as their JSON, and lists as names that come again", () => {
    expect(form("caller_id=%2B12125550123&note=a+b&note=c")).toEqual({ caller_id: "+12125550123", note: ["a b", "c"] });
    expect(form("add[a]=1&add[b c]=2&remove=x&remove=y")).toEqual({ add: { a: "1", "b c": "2" }, remove: ["x", "y"] });
    expect(form("remove[]=x")).toEqual({ remove: ["x"] });
    expect(form('add={"a":1,"b":2}&add[b]=3&remove=["x"]&note={"a":1}')).toEqual({
      add: { a: 1, b: "3" },
      remove: ["x"],
      note: '{"a":1}',
    });
  });

  it("has fields of any name, and no more than it may", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => !/[[\]]/.test(name)),
          fc.string(),
        ),
        (fields) => {
          const sent = new URLSearchParams();
          for (const [name, value] of Object.entries(fields)) sent.set(`x${name}`.toWellFormed(), value);
          expect(form(sent.toString())).toEqual(Object.fromEntries(sent));
        },
      ),
    );
    expect(form("__proto__=1&constructor[a]=2")).toEqual(
      Object.fromEntries([
        ["__proto__", "1"],
        ["constructor", { a: "2" }],
      ]),
    );
    expect(() => form("a=1&".repeat(1001))).toThrow("1000 fields");
  });
});
