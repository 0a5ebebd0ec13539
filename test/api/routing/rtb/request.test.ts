import { describe, expect, it } from "vitest";
import { namesOf } from "../../../../api/routing/rtb/placeholders.ts";
import { toRequest, withStaticZip } from "../../../../api/routing/rtb/request.ts";
import { aFormula, aKeptStep, aPingContext, aStep } from "./formula.ts";

const tags = { lead: 'a "b" & <c>\r\n=d' };
const names = namesOf(aPingContext({ tags }), { captured: {} });
const requestOf = (given: Parameters<typeof aStep>[0]) => {
  const { formula, step } = aKeptStep(given);
  return toRequest(formula, step, names).request;
};

describe("a body", () => {
  const body_params = [
    { key: "caller", value: "{{caller_id}}" },
    { key: "lead.zip", value: "[ZIP_NUMERIC]" },
    { key: "age", value: " {{age_numeric}} " },
    { key: "note", value: "{{lead}}" },
    { key: "__proto__", value: "own" },
    { key: " ", value: "an empty row" },
  ];

  it("of JSON is one flat object, whole numerics numbers or null", () => {
    const { body, headers } = requestOf({ body_type: "json", body_params });
    expect(body).toBe(
      `{"caller":"+12125550123","lead.zip":10001,"age":null,"note":${JSON.stringify(tags.lead)},"__proto__":"own"}`,
    );
    expect(headers).toEqual({ "content-type": "application/json" });
  });

  it.each(["form", "urlencoded"] as const)("of %s has each value encoded", (body_type) => {
    const { body, headers } = requestOf({ body_type, body_params: body_params.slice(0, 4) });
    expect(body).toBe("caller=%2B12125550123&lead.zip=10001&age=++&note=a+%22b%22+%26+%3Cc%3E%0D%0A%3Dd");
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  it.each([
    ["json", '{"n": "{{lead}}"}', JSON.stringify({ n: tags.lead }).replace(":", ": "), "application/json"],
    ["xml", "<n>{{lead}}</n>", "<n>a &#34;b&#34; &#38; &#60;c&#62;\r\n=d</n>", "application/xml"],
    ["form", "n={{lead}}", "n=a%20%22b%22%20%26%20%3Cc%3E%0D%0A%3Dd", "application/x-www-form-urlencoded"],
    ["raw", "{{lead}}!", `${tags.lead}!`, "text/plain; charset=utf-8"],
  ] as const)("of its own text is escaped as %s", (body_type, raw_body, body, type) => {
    const request = requestOf({ body_type, raw_body });
    expect(request.body).toBe(body);
    expect(request.headers["content-type"]).toBe(type);
  });

  it("has the type that a header gives it, in any case", () => {
    const headers = [{ key: "CONTENT-TYPE", value: "application/vnd.bid+json" }];
    expect(requestOf({ body_type: "json", body_params, headers }).headers).toEqual({
      "content-type": "application/vnd.bid+json",
    });
  });

  it.each([
    { body_type: "none", raw_body: "text" },
    { body_type: "json" },
    { method: "get", body_type: "json", raw_body: "{}" },
  ] as const)("is not sent with %j", (given) => {
    expect(requestOf(given)).toMatchObject({ body: null, headers: {} });
  });
});

describe("an address", () => {
  it("is filled and has the parameters added, its own query left as it is", () => {
    const query_params = [{ key: "note", value: "{{lead}}" }];
    const { url } = requestOf({ url: "https://bids.example/{{zip}}?sig=a%2fb&c={{caller_id}}", query_params });
    expect(url).toBe("https://bids.example/10001?sig=a%2fb&c=%2B12125550123&note=a+%22b%22+%26+%3Cc%3E%0D%0A%3Dd");
  });

  const withParams = { caller_id_param: "cid", zip_code_param: "zip" };
  const urlOf = (given: Parameters<typeof aStep>[0], more: Parameters<typeof aFormula>[0] = withParams) => {
    const formula = aFormula({ steps: [aStep(given)], ...more });
    const [step] = formula.steps;
    return step && toRequest(formula, step, names).request.url;
  };

  it("tells of the caller and the ZIP by the formula's parameters", () => {
    expect(urlOf({})).toBe("https://bids.example/ping?cid=%2B12125550123&zip=10001");
    expect(urlOf({}, {})).toBe("https://bids.example/ping");
  });

  it.each([
    [{ url: "https://bids.example/{{caller_id_10}}" }, "/2125550123?zip=10001"],
    [{ raw_body: "[ZIP_CODE]" }, "/ping?cid=%2B12125550123"],
    [{ headers: [{ key: "x", value: "{{zip}}{{caller_id}}" }] }, "/ping"],
    [{ query_params: [{ key: "cid", value: "fixed" }] }, "/ping?cid=fixed&zip=10001"],
  ])("does not tell what %j tells already", (given, path) => {
    expect(urlOf(given)).toBe(`https://bids.example${path}`);
  });

  it("that cannot be one is left for sending to say so", () => {
    const { formula, step } = aKeptStep({ query_params: [{ key: "a", value: "b" }] });
    expect(toRequest(formula, { ...step, url: "{{host}}/x" }, names).request.url).toBe("/x");
  });
});

it("headers are on one line each, empty rows left out, and what had no text is listed", () => {
  const headers = [
    { key: "X-Lead", value: "{{lead}}" },
    { key: "", value: "x" },
    { key: "X-None", value: "[NOBODY]" },
  ];
  const { formula, step } = aKeptStep({ headers });
  const { request, unresolved } = toRequest(formula, step, names);
  expect(request.headers).toEqual({ "x-lead": 'a "b" & <c> =d', "x-none": "" });
  expect(unresolved).toEqual(["NOBODY"]);
});

it("a static ZIP stands in for the caller's, even an empty one", () => {
  const told = (static_zip_code: string) =>
    withStaticZip(aFormula({ zip_code_type: "static", static_zip_code }), aPingContext()).zip;
  expect([told("60601"), told(""), withStaticZip(aFormula(), aPingContext()).zip]).toEqual(["60601", null, "10001"]);
});
