import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill, fillRequest } from "../../../../api/webhooks/deliver/template.ts";
import { anyText } from "../../../any-text.ts";
import { anOutgoingWebhook } from "../../../make.ts";

/** Any text that a tag can hold, with what is dangerous somewhere more often than chance would have it. */
const anyValue = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom(..."./\\?#&=%:@[]\"'{}<>,; \r\n\t\0aé☕\ud800") }),
  fc.constantFrom("..", ".", "[OTHER]", "[TAG]", "%2e%2e", "a&b=c", '","x":"y', "x\r\nset-cookie: a=b"),
);
const valuesOf =
  (values: Record<string, string>) =>
  (name: string): string | undefined =>
    values[name];
/** What a value reads like after a trip through UTF-8: a lone half of a pair is no character. */
const readable = (value: string) => Buffer.from(value).toString();

describe("filling a template", () => {
  it("puts values in place of tags, as often as they stand there", () => {
    expect(fill("[A]-[B_2]-[A]", valuesOf({ A: "x", B_2: "y" }))).toBe("x-y-x");
  });

  it.each(["[a]", "[A b]", "[]", "[1A]", "[A", "A]", "[[", "[_A]"])("leaves %s alone, as it is no tag", (text) => {
    expect(fill(text, () => "never")).toBe(text);
  });

  it("leaves a tag that is not populated as it stands, in every part", () => {
    const filled = fillRequest(
      anOutgoingWebhook({
        url: "https://crm.example/[PATH]?q=[QUERY]",
        headers: { "X-Tag": "[HEADER]" },
        body: { text: "[BODY]", number: "[BODY_NUMERIC]" },
      }),
      () => undefined,
    );
    expect(filled.url).toBe("https://crm.example/[PATH]?q=[QUERY]");
    expect(filled.headers["x-tag"]).toBe("[HEADER]");
    expect(JSON.parse(filled.body ?? "")).toEqual({ text: "[BODY]", number: "[BODY_NUMERIC]" });
  });

  it("delivers a tag of a parameter that is not populated as its literal text", () => {
    const { url } = fillRequest(anOutgoingWebhook({ params: { source: "[UTM_SOURCE]" } }), () => undefined);
    expect(new URL(url).searchParams.get("source")).toBe("[UTM_SOURCE]");
  });

  it("never fills again what a value brought in", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const values = valuesOf({ A: `[B]${value}`, B: "expanded" });
        const webhook = anOutgoingWebhook({ headers: { x: "[A]" }, params: { p: "[A]" }, body: { a: "[A]" } });
        const filled = fillRequest({ ...webhook, url: "https://crm.example/[A]" }, values);
        expect(JSON.stringify(filled)).not.toContain("expanded");
      }),
    );
  });
});

describe("whatever a value contains", () => {
  it("it stays one segment of the path and one value of the query", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (inPath, inQuery) => {
        const template = "https://crm.example/a/[P]/b?x=[Q]&y=1#f";
        const { url } = fillRequest(
          anOutgoingWebhook({ url: template, params: { z: "[Q]" } }),
          valuesOf({ P: inPath, Q: inQuery }),
        );
        const parsed = new URL(url);
        const segments = parsed.pathname.split("/");
        expect([parsed.host, segments.length, segments[1], segments[3]]).toEqual(["crm.example", 4, "a", "b"]);
        if (inPath !== "." && inPath !== "..") {
          expect(decodeURIComponent(segments[2] ?? "")).toBe(readable(inPath));
        }
        expect([...parsed.searchParams]).toEqual([
          ["x", readable(inQuery)],
          ["y", "1"],
          ["z", readable(inQuery)],
        ]);
      }),
    );
  });

  it("it cannot lead to another host: it fills the label that it stands in, or the address is invalid", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const { url } = fillRequest(
          anOutgoingWebhook({ url: "https://[SUB].crm.example/x" }),
          valuesOf({ SUB: value }),
        );
        if (!URL.canParse(url)) return;
        const { hostname, pathname, username } = new URL(url);
        expect(hostname.endsWith(".crm.example")).toBe(true);
        expect([pathname, username]).toEqual(["/x", ""]);
      }),
    );
  });

  it("it adds no header and leaves one that can be sent", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const { headers } = fillRequest(
          anOutgoingWebhook({ headers: { "X-Name": "a [V] b", Authorization: "Bearer [V]", "X-More": ["[V]", 1] } }),
          valuesOf({ V: value }),
        );
        expect(Object.keys(headers)).toEqual(["x-name", "authorization", "x-more"]);
        expect(Object.values(headers).join("")).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it("it stays one text of the JSON body, nested or not, and adds no key", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const { body } = fillRequest(
          anOutgoingWebhook({ body: { a: "[V]", deep: { list: ["<[V]>", 1, null, true] } } }),
          valuesOf({ V: value }),
        );
        expect(JSON.parse(body ?? "")).toEqual({ a: value, deep: { list: [`<${value}>`, 1, null, true] } });
      }),
    );
  });

  it("it stays one field of the form, and one text of the JSON in a field", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const { body, headers } = fillRequest(
          anOutgoingWebhook({ body_type: "form", body: { a: "[V]", data: { b: "[V]", c: 1 } } }),
          valuesOf({ V: value }),
        );
        const fields = [...new URLSearchParams(body ?? "")];
        expect(fields.map(([name]) => name)).toEqual(["a", "data"]);
        expect(fields[0]?.[1]).toBe(readable(value));
        expect(JSON.parse(fields[1]?.[1] ?? "")).toEqual({ b: value, c: 1 });
        expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
      }),
    );
  });
});

describe("a JSON text that is one _NUMERIC tag", () => {
  const numeric = (template: string, value: string): unknown =>
    JSON.parse(
      fillRequest(anOutgoingWebhook({ body: { n: template } }), valuesOf({ V_NUMERIC: value, V: value })).body ?? "",
    ).n;

  it("becomes a number for any amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (cents) => {
        const dollars = cents / 100;
        expect(numeric("[V_NUMERIC]", String(dollars))).toBe(dollars === 0 ? 0 : dollars);
      }),
    );
  });

  it.each([
    ["[V]", "20", "20"],
    ["$[V_NUMERIC]", "20", "$20"],
    ["[V_NUMERIC] ", "20", "20 "],
    ["[V_NUMERIC]", "", ""],
    ["[V_NUMERIC]", " ", " "],
    ["[V_NUMERIC]", "Infinity", "Infinity"],
    ["[V_NUMERIC]", "0x1f", "0x1f"],
    ["[V_NUMERIC]", "12345678901234567890", "12345678901234567890"],
    ["[V_NUMERIC]", "12 apples", "12 apples"],
  ])("%j filled by %j stays the text %j", (template, value, text) => {
    expect(numeric(template, value)).toBe(text);
  });
});

describe("a request", () => {
  it("keeps the template's own query byte for byte, and adds its parameters behind it", () => {
    const { url } = fillRequest(
      anOutgoingWebhook({ url: "https://crm.example/x?flag&sig=a%20b+c", params: { from: "[FROM]" } }),
      valuesOf({ FROM: "+1" }),
    );
    expect(url).toBe("https://crm.example/x?flag&sig=a%20b+c&from=%2B1");
  });

  it.each([
    ["GET", { a: 1 }, null],
    ["DELETE", { a: 1 }, '{"a":1}'],
    ["POST", {}, null],
  ] as const)("by %s with the body %j sends %j", (method, body, sent) => {
    const filled = fillRequest(anOutgoingWebhook({ method, body }), () => undefined);
    expect(filled.body).toBe(sent);
    expect("content-type" in filled.headers).toBe(sent !== null);
  });

  it("is of the content type that its header template names, in whatever case", () => {
    const webhook = anOutgoingWebhook({ body: { a: 1 }, headers: { "Content-Type": "application/vnd.crm+json" } });
    expect(fillRequest(webhook, () => undefined).headers).toEqual({ "content-type": "application/vnd.crm+json" });
  });

  it("has what is no text in parameters and headers as its JSON, its tags filled", () => {
    const { url, headers } = fillRequest(
      anOutgoingWebhook({
        params: { n: 5, flag: true, none: null, list: ["[A]", 1] },
        headers: { "X-N": 7, "X-O": { a: "[A]" } },
        url: "https://crm.example/x",
      }),
      valuesOf({ A: 'v"1' }),
    );
    expect([...new URL(url).searchParams]).toEqual([
      ["n", "5"],
      ["flag", "true"],
      ["none", "null"],
      ["list", '["v\\"1",1]'],
    ]);
    expect(headers).toEqual({ "x-n": "7", "x-o": '{"a":"v\\"1"}' });
  });

  it("to an address that is none keeps it, so that the record shows it", () => {
    expect(fillRequest(anOutgoingWebhook({ url: "https://[HOST]/x" }), () => undefined).url).toBe("https://[HOST]/x");
  });
});
