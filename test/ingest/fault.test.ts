import { expect, it } from "vitest";
import { z } from "zod";
import { describeFault } from "../../ingest/fault.ts";

const told = (schema: z.ZodType, input: unknown) =>
  schema.safeParse(input, { error: describeFault }).error?.issues.map(({ message }) => message);

const named = z.discriminatedUnion("type", [
  z.object({ type: z.literal("a") }),
  z.object({ type: z.literal("b"), size: z.number() }),
]);
const either = z.union([z.string(), z.number(), z.object({ size: z.int() })]);

it.each([
  [z.object({ a: z.string() }), {}, "is missing: it must be text"],
  [z.object({ a: z.nonoptional(z.int().optional()) }), {}, "is missing: it must be sent"],
  [z.enum(["x", "y"]), undefined, 'is missing: it must be one of "x", "y"'],
  [z.string(), null, "must be text, not null"],
  [z.int(), 7.5, "must be a whole number, not 7.5"],
  [z.boolean(), "maybe", 'must be true or false, not "maybe"'],
  [z.array(z.string()), {}, "must be a list, not an object"],
  [z.object({}), [], "must be an object, not an empty list"],
  [z.enum(["x", "y"]), "z", 'must be one of "x", "y", not "z"'],
  [z.literal("x"), 5, 'must be "x", not 5'],
  [z.number().min(1), 0, "must be at least 1, not 0"],
  [z.number().gt(1), 1, "must be more than 1, not 1"],
  [z.string().min(1), "", "must have at least 1 character, not 0"],
  [z.string().max(2), "xyz", "must have at most 2 characters, not 3"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry, not 2"],
  [z.url(), "x", 'must be an address such as https://example.com/path, not "x"'],
  [z.string().regex(/^a/), "b", 'must be text of the form /^a/, not "b"'],
  [z.number(), Number.NaN, "must be a number"],
  [z.number().multipleOf(5), 7, "must be a multiple of 5, not 7"],
  [z.strictObject({}), { b: 1 }, 'must not have "b": leave that out'],
  [
    z.record(z.string().max(1), z.json()),
    { ab: 1 },
    "has a name that cannot be used: it must have at most 1 character, not 2",
  ],
  [named, { type: "c" }, 'must be one of "a", "b", not "c"'],
  [named, {}, 'is missing: it must be one of "a", "b"'],
  [either, true, "must be text or a number or an object, not true"],
  [either, { size: "x" }, 'has a fault at size: must be a number, not "x"'],
  [z.string().refine(() => false), "x", "must be another value"],
  [z.string().refine(() => false, "must lie in the future"), "x", "must lie in the future"],
] as const)("a fault says what must be and what is (%#)", (schema, input, sentence) => {
  expect(told(schema, input)).toEqual([sentence]);
});

it("a long text is repeated in part", () => {
  expect(told(z.enum(["x"]), "a".repeat(5000))?.[0]).toHaveLength('must be "x", not ""…'.length + 60);
});

it("a secret is not repeated", () => {
  const schema = z.object({ sip_password: z.string().max(3), tcpa: z.object({ api_key: z.string() }) });
  const faults = told(schema, { sip_password: "hunter2", tcpa: { api_key: 12345 } });
  expect(faults).toEqual(["must have at most 3 characters", "must be text"]);
});
