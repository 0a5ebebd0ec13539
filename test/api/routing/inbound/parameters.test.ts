import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldParameters, type Sent, sentIn, toAskedKey } from "../../../../api/routing/inbound/parameters.ts";
import { shortText } from "../../../../ingest/primitives.ts";

const fold = (query: Sent, body: Sent = [], keys: string[] = []) => foldParameters(query, body, keys);

describe("parameters of a ping", () => {
  it.each([
    "caller_id",
    "callerid",
    "CallerID",
    "caller-id",
    "Caller Id",
    "caller.id",
    "CID",
    "caller",
    "callerNumber",
    "ani",
    "phone",
    "phone_number",
    "from",
    "FROM",
  ])("name the caller as %s", (name) => {
    expect(fold([[name, "2125550123"]])).toMatchObject({ caller: "2125550123", tags: {} });
  });

  it.each(["zip_code", "zip", "ZIPCODE", "caller_zip", "Postal-Code"])("name the ZIP as %s", (name) => {
    expect(fold([[name, "10001"]])).toMatchObject({ zip: "10001", tags: {} });
  });

  it.each(["state", "STATE", "caller_state"])("name the state as %s", (name) => {
    expect(fold([[name, "NY"]])).toMatchObject({ state: "NY", tags: {} });
  });

  it("make a tag of everything else, under the organization's key where it has one", () => {
    const sent = [
      ["subid", "a"],
      ["Lead-Type", "solar"],
      ["utm_source", ""],
    ] as const;
    expect(fold(sent, [], ["lead_type", "other"]).tags).toEqual({ subid: "a", lead_type: "solar" });
  });

  it("are the body's before the query's, the first of one name, and never what is empty", () => {
    const query = [
      ["caller_id", "1"],
      ["zip", "10001"],
      ["subid", "query"],
    ] as const;
    const body = [
      ["cid", "2"],
      ["ZIP", " "],
      ["sub_id", "body"],
    ] as const;
    expect(fold(query, body)).toMatchObject({ caller: "2", zip: "10001", tags: { sub_id: "body" } });
    // Of several spellings in one place it is the same one that counts, in whatever order they stand.
    expect(
      fold(
        [],
        [
          ["cid", "3"],
          ["caller_id", "2"],
        ],
      ).caller,
    ).toBe("2");
    expect(fold([["caller_id", "1"]], [["caller_id", "2"]]).caller).toBe("2");
  });

  it("of a JSON body are its scalars as text, and what is nested as its JSON", () => {
    const body = sentIn({ caller_id: 12125550123, yes: true, none: null, deep: { a: [1] } });
    expect(fold([], body)).toMatchObject({ caller: "12125550123", tags: { yes: "true", deep: '{"a":[1]}' } });
  });

  it("are bounded, and hold nothing that a store cannot", () => {
    const many = Array.from({ length: 300 }, (_, index) => [`tag${index}`, "x"] as const);
    expect(Object.keys(fold(many).tags)).toHaveLength(100);
    expect(fold([["long", "é".repeat(5000)]]).tags["long"]).toHaveLength(1024);
    expect(
      fold([
        ["n".repeat(65), "x"],
        ["bad", "a\0b\ud800"],
      ]).tags,
    ).toEqual({ bad: "ab\ufffd" });
    expect(Object.keys(fold([["__proto__", "x"]]).tags)).toEqual(["__proto__"]);
  });

  it("give a call no ZIP and no state that it could not carry", () => {
    const long = `${"x".repeat(254)}\u{1f4de}${"x".repeat(700)}`;
    const { zip, state } = fold([
      ["zip", long],
      ["state", long],
    ]);
    for (const text of [zip, state]) expect(shortText.safeParse(text)).toEqual({ success: true, data: text });
    expect(fold([["zip", "x".repeat(255)]]).zip).toBe("x".repeat(255));
  });

  it("ask the same however they are spelled and ordered", () => {
    const spelling = fc.constantFrom("sub_id", "SubId", "SUB-ID", "sub.id");
    fc.assert(
      fc.property(spelling, spelling, fc.boolean(), (one, other, turned) => {
        const both = [
          [one, "a"],
          ["cid", "1"],
        ] as const;
        const again = [
          [other, "a"],
          ["caller_id", "1"],
        ] as const;
        expect(toAskedKey(fold(both))).toBe(toAskedKey(fold(turned ? again.toReversed() : again)));
        expect(toAskedKey(fold(both))).not.toBe(toAskedKey(fold([...both, ["more", "b"]])));
      }),
    );
  });
});
