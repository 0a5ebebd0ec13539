import { describe, expect, it } from "vitest";
import { z } from "zod";
import { takesNullAsAbsent, withoutAbsentNulls } from "../../../api/serve/absent-nulls.ts";
import { parseInput } from "../../../api/serve/errors.ts";
import { operations, titleOf } from "../operation-table.ts";

describe("a null in a body", () => {
  const row = z.object({ id: z.string().optional(), size: z.number().default(1), sample: z.unknown().optional() });
  const schema = z.object({
    name: z.string(),
    note: z.string().optional(),
    unset: z.string().nullable().optional(),
    always: z.string().exactOptional(),
    rows: z.array(row.refine(() => true)).optional(),
    inner: row.transform((given) => given).optional(),
    before: z.preprocess((given) => given, row).optional(),
    free: z.record(z.string(), z.unknown()).default({}),
  });

  it("is left out where its field may be, at any depth, and has no use for it", () => {
    const rows = { id: null, size: null, sample: null };
    const body = { name: "a", note: null, unset: null, rows: [rows, null], inner: rows, before: rows, more: null };
    expect(withoutAbsentNulls(schema, body)).toEqual({
      name: "a",
      unset: null,
      rows: [{ sample: null }, null],
      inner: { sample: null },
      before: { sample: null },
      more: null,
    });
    expect(body.rows[0]).toEqual(rows);
  });

  it("stays where it is refused, or a value like others", () => {
    const body = { name: null, always: null, free: { a: null } };
    expect(withoutAbsentNulls(schema, body)).toEqual(body);
    for (const other of [null, 5, "text", [], [null]]) expect(withoutAbsentNulls(schema, other)).toEqual(other);
  });

  it("is left out in the option of a union that the value is of", () => {
    const answered = z.object({
      type: z.enum(["answer", "busy"]),
      at: z.string().optional(),
      by: z.string().nullish(),
    });
    const ended = z.object({ type: z.literal("hangup"), by: z.string().optional() });
    for (const union of [z.discriminatedUnion("type", [answered, ended]), z.union([answered, ended])]) {
      expect(withoutAbsentNulls(union, { type: "busy", at: null, by: null })).toEqual({ type: "busy", by: null });
      expect(withoutAbsentNulls(union, { type: "hangup", by: null })).toEqual({ type: "hangup" });
      for (const other of [null, 5, "text", { type: "fail", at: null }])
        expect(withoutAbsentNulls(union, other)).toEqual(other);
    }
  });

  it("is left out in a schema that contains itself", () => {
    const tree: z.ZodType = z.object({ note: z.string().optional(), all: z.array(z.lazy(() => tree)).optional() });
    const body = { note: null, all: [{ note: null, all: [{ note: "leaf", all: null }] }] };
    expect(withoutAbsentNulls(tree, body)).toEqual({ all: [{ all: [{ note: "leaf" }] }] });
  });

  it.each(operations.filter(({ body }) => body instanceof z.ZodObject).map((each) => [titleOf(each), each] as const))(
    "changes nothing in what %s understands, where a field may be left out",
    (_title, { body, example }) => {
      const { shape } = body as z.ZodObject;
      const unsent = Object.keys(shape).filter((name) => !(name in Object(example)));
      const nulls = unsent.filter((name) => takesNullAsAbsent(shape[name] as z.ZodType)).map((name) => [name, null]);
      const sent = { ...Object(example), ...Object.fromEntries(nulls) };
      expect(parseInput(body as z.ZodObject, sent, "body")).toEqual(parseInput(body as z.ZodObject, example, "body"));
    },
  );
});
