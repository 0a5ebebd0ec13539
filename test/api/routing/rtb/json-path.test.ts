import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPath } from "../../../../api/routing/rtb/json-path.ts";

const answer = { a: { b: [{ "c d": 1, "e'f": 2, 'g"h': 3 }, 7] }, "x.y": 4, "": 5, "p/q": { "~": 6 } };

describe("a path", () => {
  it.each([
    ["$.a.b[0]['c d']", 1],
    ["a.b[0]['c d']", 1],
    ['a.b.0["c d"]', 1],
    ["$['a']['b'][1]", 7],
    ["['a'].b[1]", 7],
    ["a.b.1", 7],
    ["/a/b/1", 7],
    ["/p~1q/~0", 6],
    ["$['x.y']", 4],
    ["$.a.b[0]['e\\'f']", 2],
    ['$.a.b[0]["g\\"h"]', 3],
    [" $.a.b[1] ", 7],
    ["/", 5],
  ])("%s leads to its value", (path, value) => {
    expect(readPath(answer, path)).toBe(value);
  });

  it("of a dollar alone is the whole answer", () => {
    expect(readPath(12.5, "$")).toBe(12.5);
  });

  it.each([
    ["", "nothing"],
    ["$..b", "a search"],
    ["$.a.*", "a wildcard"],
    ["$.a.b[*]", "a wildcard"],
    ["$.a.b[?(@.c)]", "a filter"],
    ["$.a.b[0:1]", "a slice"],
    ["$.a.b[-1]", "a place from the end"],
    ["$.a.", "an end without a name"],
    ["$.a['b", "an open quote"],
    ["$.a.b.length", "a property of the language"],
    ["$.a.b.map", "a method"],
    ["$.nothing.at.all", "a name that is not there"],
    ["$.a.b[0]['c d'].x", "a name in a number"],
  ])("%j, %s, matches nothing", (path) => {
    expect(readPath(answer, path)).toBeUndefined();
  });

  it.each(["__proto__", "constructor", "prototype"])("never matches %s, though an answer has it", (name) => {
    const hostile = JSON.parse(`{"${name}": {"bid": 5}, "a": [{"${name}": 1}]}`);
    for (const path of [`$.${name}.bid`, `${name}`, `/${name}/bid`, `$['${name}']`, `$.a[0].${name}`]) {
      expect(readPath(hostile, path)).toBeUndefined();
    }
  });

  it("of whatever text ends, and gives what the answer itself holds or nothing", () => {
    const unit = fc.constantFrom(..."$.[]'\"/\\ab0*~ ");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string()), fc.jsonValue(), (path, value) => {
        const found = readPath(value, path);
        if (found !== undefined) expect(JSON.stringify(value)).toContain(JSON.stringify(found));
      }),
    );
  });

  it("of great length is walked in no time to speak of", () => {
    expect(readPath(answer, `$${"['\\".repeat(2000)}`)).toBeUndefined();
    expect(readPath(answer, `$${".a".repeat(2000)}`)).toBeUndefined();
  });
});
