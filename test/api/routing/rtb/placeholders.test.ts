import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Encoding,
  type Filling,
  fill,
  fillUrl,
  mentions,
  namesOf,
} from "../../../../api/routing/rtb/placeholders.ts";
import { anyText } from "../../../any-text.ts";
import { aPingContext } from "./formula.ts";

const fillingOf = (given: Parameters<typeof aPingContext>[0] = {}, captured: Record<string, string> = {}): Filling => ({
  names: namesOf(aPingContext(given), { captured }),
  unresolved: new Set(),
});

describe("a placeholder", () => {
  it.each([
    ["{{caller_id}}", "+12125550123"],
    ["{{ Caller_ID }}", "+12125550123"],
    ["[CALLER_ID]", "+12125550123"],
    ["[caller_id]", "+12125550123"],
    ["{{caller_id_no_plus}}", "12125550123"],
    ["{{caller_id_10}}", "2125550123"],
    ["{{zip_code}} {{zip}} {{state}}", "10001 10001 NY"],
    ["{{call_id}}/{{request_id}}/{{publisher_id}}/{{campaign_id}}", "call-1/ping-1/pub-1/cmp-1"],
    ["{{Lead Type}}-{{lead.source}}-[LEAD_KIND]", "solar-radio-new"],
    ["[ZIP_NUMERIC]", "10001"],
    ["{{caller_id_numeric}}", "12125550123"],
  ])("%s stands for %s", (template, text) => {
    const tags = { "lead type": "solar", "lead.source": "radio", Lead_Kind: "new" };
    expect(fill(template, "plain", fillingOf({ tags }))).toBe(text);
  });

  it("without a text becomes empty and is listed, once", () => {
    const filling = fillingOf({ zip: null, tags: { empty: "" } });
    expect(fill("<{{zip}}{{zip}}{{nobody}}[EMPTY]{{bid}}>", "plain", filling)).toBe("<>");
    expect([...filling.unresolved]).toEqual(["zip", "nobody", "EMPTY", "bid"]);
  });

  it("of the bid is known to a winner's steps", () => {
    const names = namesOf(aPingContext(), { captured: {}, bid: 12.5 });
    expect(fill("{{bid}}", "plain", { names, unresolved: new Set() })).toBe("12.5");
  });

  it("of the platform's own is not taken over by a tag, but by what a step selected", () => {
    const tags = { zip: "90210", token: "tag" };
    expect(fill("{{zip}} {{token}}", "plain", fillingOf({ zip: null, tags }))).toBe(" tag");
    expect(fill("{{zip}} {{token}}", "plain", fillingOf({ tags }, { zip: "60601", Token: "" }))).toBe("60601 ");
  });

  it.each(["[1]", "[true]", "[false]", "[null]", "[]", '["a"]', "{}", "{{}}", "{{a", "a]", "<![CDATA[zip]]>"])(
    "is none where %s stands",
    (text) => {
      expect(fill(text, "plain", fillingOf())).toBe(text);
    },
  );

  it("in a value is never filled again", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const tags = { a: `{{zip}}[ZIP]${text}` };
        expect(fill("{{a}}", "plain", fillingOf({ tags }))).toBe(tags.a);
      }),
    );
  });

  it("is found in a text that has it, in any spelling", () => {
    const isZip = (name: string) => name.toLowerCase() === "zip";
    expect([mentions("a={{ ZIP }}", isZip), mentions("[zip]", isZip), mentions("zip", isZip)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("a value", () => {
  const anyValue = fc.oneof(
    anyText(),
    fc.string({ unit: fc.constantFrom(..."./\\?#&=%:@[]\"'{}<>,; \r\n\t\0aé☕\ud800") }),
  );
  const put = (value: string, place: Encoding) => fill("{{v}}", place, fillingOf({ tags: { v: value } }));

  it("stays a text of the JSON around it", () => {
    fc.assert(fc.property(anyValue, (value) => void expect(JSON.parse(`"${put(value, "json")}"`)).toBe(value)));
  });

  it("stays one value of a form and of a query", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        for (const place of ["form", "query"] as const) {
          const params = new URLSearchParams(`x=${put(value, place)}&y=1`);
          expect([...params]).toEqual([
            ["x", Buffer.from(value).toString()],
            ["y", "1"],
          ]);
        }
      }),
    );
  });

  it("brings no markup into XML", () => {
    fc.assert(
      fc.property(anyValue, (value) => void expect(put(value, "xml")).not.toMatch(/[<>"']|&(?!#\d+;)|\0|\ud800/u)),
    );
  });

  it("brings no line into a header", () => {
    fc.assert(fc.property(anyValue, (value) => void expect(put(value, "header")).not.toMatch(/\p{Cc}/u)));
  });

  it("stays one segment of a path", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const url = new URL(fillUrl("https://bids.example/a/{{v}}/b?c=[V]", fillingOf({ tags: { v: value } })));
        expect(url.host).toBe("bids.example");
        expect(url.pathname.split("/")).toHaveLength(4);
        expect(url.searchParams.get("c")).toBe(Buffer.from(value).toString());
      }),
    );
  });
});
