import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput, ValidationError } from "../../../api/serve/errors.ts";

function issuesOf(schema: z.ZodType, input: unknown) {
  try {
    parseInput(schema, input, "body");
  } catch (error) {
    if (error instanceof ValidationError) return error.issues;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a validation error", () => {
  it.each([
    ["what is missing", z.object({ a: z.string() }), {}, { loc: ["body", "a"], type: "missing" }],
    ["a choice that is missing", z.object({ a: z.enum(["x"]) }), {}, { loc: ["body", "a"], type: "missing" }],
    ["another type", z.object({ a: z.string() }), { a: 5 }, { loc: ["body", "a"], type: "string_type", input: 5 }],
    ["another number", z.object({ a: z.number() }), { a: "5" }, { loc: ["body", "a"], type: "float_type", input: "5" }],
    ["a fraction", z.object({ a: z.int() }), { a: 1.5 }, { loc: ["body", "a"], type: "int_type", input: 1.5 }],
    ["a flag", z.object({ a: z.boolean() }), { a: "yes" }, { loc: ["body", "a"], type: "bool_type", input: "yes" }],
    ["no list", z.object({ a: z.array(z.string()) }), { a: {} }, { loc: ["body", "a"], type: "list_type" }],
    ["no document", z.object({}), [], { loc: ["body"], type: "dict_type" }],
    ["a row", z.array(z.object({ a: z.string() })), [{ a: "x" }, {}], { loc: ["body", 1, "a"], type: "missing" }],
    ["too short", z.string().min(2), "x", { type: "string_too_short", ctx: { min_length: 2 } }],
    ["too long", z.string().max(2), "xyz", { type: "string_too_long", ctx: { max_length: 2 } }],
    ["too few", z.array(z.string()).min(1), [], { type: "list_too_short", ctx: { min_length: 1 } }],
    ["too small", z.number().min(1), 0, { type: "greater_than_equal", ctx: { ge: 1 } }],
    ["too large", z.number().max(1), 2, { type: "less_than_equal", ctx: { le: 1 } }],
    ["no choice", z.enum(["x", "y"]), "z", { type: "enum", ctx: { expected: ["x", "y"] }, input: "z" }],
    ["no URL", z.url(), "x", { type: "url_invalid", input: "x" }],
  ] as const)("tells where and of what kind it is: %s", (_what, schema, input, expected) => {
    const [issue] = issuesOf(schema, input);
    expect(issue).toMatchObject(expected);
    expect(issue?.msg).not.toBe("");
  });

  it("lists every fault that was found", () => {
    const issues = issuesOf(z.object({ a: z.string(), b: z.number() }), { b: "x" });
    expect(issues.map(({ loc }) => loc)).toEqual([
      ["body", "a"],
      ["body", "b"],
    ]);
  });

  it("of a body that is not there says how to send one", () => {
    expect(issuesOf(z.object({}), undefined)).toEqual([
      { loc: ["body"], msg: "Send a JSON document with the header Content-Type: application/json.", type: "missing" },
    ]);
  });
});
