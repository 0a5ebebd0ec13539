import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toIgnoredHeader } from "../../../api/serve/ignored.ts";
import { ignoredFields } from "../../../api/serve/ignored-fields.ts";

const row = z.object({ url: z.string(), weight: z.number().default(0) }).transform((each) => each);
const taken = z.object({
  name: z.string(),
  rows: z.array(row).nullish(),
  either: z.union([z.string(), z.object({ one: z.string() }), z.object({ other: z.string() })]).optional(),
  free: z.record(z.string(), z.unknown()).default({}),
  sample: z.unknown(),
  loose: z.looseObject({}).optional(),
});
const shown = z.object({ id: z.string(), rows: z.array(z.object({ target: z.object({ name: z.string() }) })) });
const namesIn = (body: unknown) => ignoredFields(body, { taken }).map(({ name }) => name);

describe("a field that an operation does not know", () => {
  it.each([
    ["at the top", { name: "a", nmae: "b" }, ["nmae"]],
    ["in a row, whatever becomes of it", { rows: [{ url: "u" }, { url: "u", wieght: 1 }] }, ["rows.1.wieght"]],
    ["in what may be one of several", { either: { one: "1", other: "2", third: "3" } }, ["either.third"]],
    ["of a name that every object has", { constructor: 1, toString: 2 }, ["constructor", "toString"]],
  ])("is named by its path: %s", (_where, body, names) => {
    expect(namesIn(body)).toEqual(names);
  });

  it.each([
    ["a known one", { name: "a", rows: null, either: "text" }],
    ["what is stored as it is sent", { free: { any: { thing: 1 } }, sample: { bid: { x: 1 } }, loose: { x: 1 } }],
    ["what is no object", ["a"]],
    ["nothing", undefined],
  ])("is not %s", (_what, body) => {
    expect(namesIn(body)).toEqual([]);
  });

  it("is named with the field that it may be meant for, which is one that is taken", () => {
    const body = { naem: "x", rows: [{ wight: 1 }], i: 2 };
    expect(ignoredFields(body, { taken, shown })).toEqual([
      { name: "naem", did_you_mean: "name" },
      { name: "rows.0.wight", did_you_mean: "rows.0.weight" },
      { name: "i", did_you_mean: null },
    ]);
  });

  it("is none that reads show, but is one beside those", () => {
    const read = { id: "1", rows: [{ url: "u", target: { name: "t", nmae: "t" } }] };
    expect(ignoredFields(read, { taken, shown })).toEqual([{ name: "rows.0.target.nmae", did_you_mean: null }]);
  });

  it("is told of within bounds, in letters that a header may have", () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => ({ url: "u", [`é\r\n"${n}`.repeat(99)]: 1 }));
    const told = ignoredFields({ rows }, { taken });
    expect(told).toHaveLength(10);
    expect(toIgnoredHeader(told)).toMatch(/^[\x20-\x7e]{1,4000}$/);
  });
});
