import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ignoredFields, ignoredParameters, toIgnoredHeader, withIgnored } from "../../../api/serve/ignored-input.ts";
import { usePlatform } from "../use-platform.ts";

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

const text = z.string().optional();
const query = z.object({
  limit: text,
  offset: text,
  call_id: text,
  campaign_id: text,
  start_date: text,
  end_date: text,
  "tag.<key>": text,
});
const named = (name: string) => ignoredParameters(query, { [name]: "x" });

describe("a parameter that an operation does not know", () => {
  it.each([
    ["callid", "call_id"],
    ["call-id", "call_id"],
    ["CallId", "call_id"],
    ["cal_id", "call_id"],
    ["campain_id", "campaign_id"],
    ["campaign", "campaign_id"],
    ["startDate", "start_date"],
    ["from", null],
    ["x", null],
    ["__proto__x", null],
  ])("is named with the one that it may be meant for: %s", (name, meant) => {
    expect(named(name)).toEqual([{ name, did_you_mean: meant }]);
  });

  it.each(["limit", "call_id", "tag.utm_source"])("is not one that it does know: %s", (name) => {
    expect(named(name)).toEqual([]);
  });

  it("is one of any name where an operation takes none", () => {
    expect(ignoredParameters(undefined, { limit: "5" })).toEqual([{ name: "limit", did_you_mean: null }]);
  });

  it("is told of within bounds, in letters that a header may have", () => {
    const many = ignoredParameters(
      query,
      Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`é\r\n"${n}`.repeat(99), "x"])),
    );
    expect(many).toHaveLength(10);
    expect(toIgnoredHeader(many)).toMatch(/^[\x20-\x7e]{1,4000}$/);
    expect(
      toIgnoredHeader([
        { name: "cal_id", did_you_mean: "call_id" },
        { name: "x", did_you_mean: null },
      ]),
    ).toBe('"cal_id";did-you-mean="call_id", "x"');
  });

  it("stands in the meta of a list, and in no other answer", () => {
    const ignored = [{ name: "x", did_you_mean: null }];
    expect(withIgnored({ data: [], meta: { total: 0 } }, ignored)).toEqual({
      data: [],
      meta: { total: 0, ignored_parameters: ignored },
    });
    expect(withIgnored({ id: "a" }, ignored)).toEqual({ id: "a" });
    const page = { data: [], meta: { total: 0 } };
    expect(withIgnored(page, [])).toBe(page);
  });
});

describe("over HTTP", () => {
  const { join } = usePlatform();

  it("a list answers as before, and says which parameters it ignored", async () => {
    const member = await join();
    const path = "/api/v1/webhooks/outgoing-requests";
    const known = await member.get(`${path}?call_id=c`);
    const misspelt = await member.get(`${path}?cal_id=c`);
    expect([known.status, known.headers.get("x-ignored-parameters")]).toEqual([200, null]);
    expect(known.body.meta).not.toHaveProperty("ignored_parameters");
    expect(misspelt.status).toBe(200);
    expect(misspelt.headers.get("x-ignored-parameters")).toBe('"cal_id";did-you-mean="call_id"');
    expect(misspelt.body.meta.ignored_parameters).toEqual([{ name: "cal_id", did_you_mean: "call_id" }]);
  });

  it("a file says so in its header alone", async () => {
    const { status, headers } = await (await join()).get("/api/v1/reports/calls/export?format=ndjson&campaign=c");
    expect([status, headers.get("x-ignored-parameters")]).toEqual([200, '"campaign";did-you-mean="campaign_id"']);
  });
});
