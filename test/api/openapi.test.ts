import fc from "fast-check";
import { request } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../api/config/event-types.ts";
import { toOpenApi } from "../../api/serve/openapi.ts";
import type { Operation } from "../../api/serve/operation.ts";
import { callEventNames } from "../../ingest/event.ts";
import { anyText } from "../any-text.ts";
import { foundCompany, phonesOf } from "./company.ts";
import { errorBody, validationBody } from "./error-bodies.ts";
import { encoded, mutate } from "./mutate.ts";
import { type Described, type Document, isPropertyMap, type Json, schemasOf, walk } from "./openapi-document.ts";
import { carrierOperations, type FilledRequest, type Ids, operations, requestOf, titleOf } from "./operation-table.ts";
import { recordIds, recordQuestion, recordTraffic } from "./recorded.ts";
import { type Answer, done, type Member, usePlatform } from "./use-platform.ts";

const { rig, join } = usePlatform();

let document: Document;
beforeAll(async () => {
  document = (await (await fetch(`${rig().url}/openapi.json`)).json()) as Document;
});

const describedAs = ({ method, path }: Operation): Described => {
  const described = document.paths[path]?.[method];
  if (described === undefined) throw new Error(`${method} ${path} is not in the document`);
  return described;
};
const allDescribed = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe("the OpenAPI document", () => {
  it("is sent compressed, and not again to whom has it", async () => {
    const first = await fetch(`${rig().url}/openapi.json`);
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("content-encoding"), first.headers.get("vary")]).toEqual([
      200,
      "gzip",
      "Accept-Encoding",
    ]);
    expect(await first.json()).toEqual(document);
    const plain = await fetch(`${rig().url}/openapi.json`, { headers: { "Accept-Encoding": "identity" } });
    expect([plain.headers.get("content-encoding"), plain.headers.get("etag")]).toEqual([null, etag]);
    expect(await plain.json()).toEqual(document);
    // Node's fetch would ask for a fresh one.
    const again = await request(`${rig().url}/openapi.json`, { headers: { "If-None-Match": etag } });
    expect([again.statusCode, await again.body.text()]).toEqual([304, ""]);
  });

  it("leads to guides that are there, as text", async () => {
    const [, path = ""] = /\]\((\/docs\/[^)]+)\)/.exec(document.info.description) ?? [];
    for (const each of [path, `${path}take-a-call.md`]) {
      const guide = await fetch(rig().url + each);
      expect([guide.status, guide.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      expect(await guide.text()).toMatch(/^# /);
    }
  });

  it("names its version and has every operation, and no other", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Trunkline", version: "1" } });
    const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const served = [...operations, ...carrierOperations].map(({ method, path }) => `${method} ${path}`);
    expect(inDocument.toSorted()).toEqual(served.toSorted());
  });

  it("gives each operation a name of its own, known tags, a scheme of access and its path's parameters", () => {
    const names = allDescribed().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const tags = document.tags.map(({ name }) => name);
    const schemes = Object.keys(document.components["securitySchemes"] ?? {});
    for (const operation of [...operations, ...carrierOperations]) {
      const { parameters, security, tags: own, operationId } = describedAs(operation);
      expect(operationId).toBe(operation.name);
      expect(operationId).toMatch(/^[a-z][A-Za-z]*$/);
      for (const tag of own) expect(tags).toContain(tag);
      expect(security.flatMap((each) => Object.keys(each)).every((name) => schemes.includes(name))).toBe(true);
      const inPath = parameters.filter((each) => each.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(operation.path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it("documents for each operation its success, its refusals, and a body where it takes one", () => {
    for (const operation of operations) {
      const { responses, requestBody, parameters } = describedAs(operation);
      expect(Object.keys(responses), titleOf(operation)).toContain(String(operation.status));
      const refusals = operation.access === "open" ? ["429"] : ["401", "429"];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(refusals));
      expect(requestBody !== undefined).toBe(operation.body !== undefined);
      const takesInput = requestBody !== undefined || parameters.length > 0;
      if (takesInput) expect(Object.keys(responses), titleOf(operation)).toContain("422");
      if (operation.path.includes("{")) expect(Object.keys(responses), titleOf(operation)).toContain("404");
      if (operation.params !== undefined) expect(Object.keys(responses), titleOf(operation)).toContain("400");
      const hasKey = operation.access === "api_key" || operation.access === "admin_key";
      if (hasKey) expect(Object.keys(responses), titleOf(operation)).toContain("503");
      const headers = Object.keys(responses[operation.status]?.["headers"] ?? {});
      const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
      const ignored = ["X-Ignored-Parameters", ...(operation.body ? ["X-Ignored-Fields"] : [])];
      expect(headers).toEqual(["X-Request-Id", ...limits, ...(operation.apart ? [] : ignored)]);
    }
  });

  it("tells of a carrier's operations in what they take and answer, and how they are refused", () => {
    const twilio = describedAs(carrierOperation("/telephony/twilio/dial-action"));
    expect(twilio.security).toEqual([{ CarrierSignature: [] }]);
    expect(Object.keys(twilio.requestBody?.content ?? {})).toEqual(["application/x-www-form-urlencoded"]);
    expect(Object.keys(twilio.responses)).toEqual(["200", "403", "404", "413", "422"]);
    expect(twilio.responses["200"]).toMatchObject({ content: { "text/xml": { schema: { type: "string" } } } });
    const jambonz = describedAs(carrierOperation("/telephony/jambonz/action"));
    expect(jambonz.security).toEqual([{ CarrierLogin: [] }]);
    expect(Object.keys(jambonz.requestBody?.content ?? {})).toEqual(["application/json"]);
    expect(Object.keys(jambonz.responses)).toEqual(["200", "401", "404", "413", "422"]);
  });
  const carrierOperation = (wanted: string): Operation => {
    const [found] = carrierOperations.filter(({ path }) => path === wanted);
    if (found === undefined) throw new Error(wanted);
    return found;
  };

  it("groups operations in the order of use, says what is in each group, and where it is served", () => {
    const used = allDescribed().flatMap(({ tags: own }) => own);
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
    expect(document.tags[0]).toEqual({ name: "Campaigns", description: expect.stringContaining("routing plan") });
    expect(document.servers).toEqual([{ url: "/", description: expect.any(String) }]);
    const summaries = allDescribed().map(({ summary }) => summary);
    expect(summaries).toContain("Create an inbound RTB");
    expect(summaries.filter((summary) => /\ba (RTB|IVR|[aeio])/.test(summary))).toEqual([]);
  });

  it("names its schemas by their things, and times as times", () => {
    const schemas = document.components["schemas"] as Readonly<Record<string, Json>>;
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["Campaign", "Call", "Delivery", "AnyJson"]));
    for (const name of Object.keys(schemas)) expect(name).toMatch(/^([A-Z][a-z0-9]+)+$/);
    const { properties } = schemas["Campaign"] as { properties: Record<string, Json> };
    expect(properties["created_at"]).toMatchObject({ type: "string", format: "date-time" });
    expect(document.paths["/api/v1/campaigns"]?.["get"]?.responses["200"]).toMatchObject({
      content: { "application/json": { schema: { $ref: "#/components/schemas/ListCampaignsResponse" } } },
    });
  });

  it("takes null in a body where null clears a field or is as if it were not sent, and nowhere else", () => {
    const schemas = document.components["schemas"] as Readonly<Record<string, { properties: Record<string, Json> }>>;
    const typeOf = (schema: string, field: string) => schemas[schema]?.properties[field]?.["type"];
    expect(typeOf("CreateTargetRequest", "name")).toBe("string");
    expect(typeOf("CreateTargetRequest", "payout")).toEqual(["number", "null"]);
    expect(typeOf("UpdateTargetRequest", "name")).toBe("string");
    expect(typeOf("UpdateTargetRequest", "payout")).toEqual(["number", "null"]);
    expect(typeOf("Target", "payout")).toBe("number");
    const [limit] = document.paths["/api/v1/targets"]?.["get"]?.parameters ?? [];
    expect(limit?.schema["type"]).toBe("integer");
  });

  /** The text of a field, or of the schema that it refers to, which may be null. */
  const textOf = ({ description, $ref, anyOf }: Json): unknown => {
    const to = $ref ?? (anyOf as Json[] | undefined)?.[0]?.["$ref"];
    return description ?? (to === undefined ? undefined : textOf(resolve(String(to)) as Json));
  };

  it("says of every schema, field, parameter and operation what it is", () => {
    const undescribed: string[] = [];
    for (const [name, schema] of Object.entries(document.components["schemas"] as Readonly<Record<string, Json>>)) {
      if (textOf(schema) === undefined) undescribed.push(name);
      walk(schema, ({ properties }) => {
        if (typeof properties !== "object" || properties === null || isField(properties)) return;
        for (const [field, property] of Object.entries(properties as Record<string, Json>))
          if (textOf(property) === undefined) undescribed.push(`${name}.${field}`);
      });
    }
    for (const { operationId, summary, description, parameters } of allDescribed()) {
      if (!description.startsWith(summary) || summary.length > 160) undescribed.push(operationId);
      for (const { name, description: text } of parameters) if (!text) undescribed.push(`${operationId} ${name}`);
    }
    expect(undescribed).toEqual([]);
  });
  /** True where a field is called `properties`. */
  const isField = (value: object): boolean => "type" in value && typeof value.type === "string";

  it("shows each answer that says no by an example of its shape", () => {
    const responses = document.components["responses"] as Readonly<Record<string, Json>>;
    expect(Object.keys(responses)).toHaveLength(9);
    for (const [name, { content }] of Object.entries(responses)) {
      const { example } = (content as Record<string, Json>)["application/json"] ?? {};
      const shape = name === "ValidationError" ? validationBody : errorBody;
      expect(shape.safeParse(example).error, name).toBeUndefined();
    }
  });

  it("has an example of the answer of every operation, of the answer's shape", () => {
    const [jsonOnes, others] = [[...operations, ...carrierOperations], new Set(["xml", "file"])];
    for (const operation of jsonOnes) {
      const { content } = describedAs(operation).responses[operation.status] as { content: Record<string, Json> };
      const [shown] = Object.values(content);
      expect(shown?.["example"], titleOf(operation)).toBeDefined();
      if (others.has(operation.answerType ?? "json")) continue;
      expect(operation.answer.safeParse(shown?.["example"]).error, titleOf(operation)).toBeUndefined();
    }
  });

  it("has no secret and no address of a machine in its examples", () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/tl_[\w-]{20,}/);
    expect(text).not.toMatch(/whsec_[\w+/=-]{20,}/);
    expect(text).not.toMatch(/127\.0\.0\.1:\d+/);
    expect(text).not.toMatch(/eyJ[\w-]{10,}\./);
  });

  it("names the installation's own address where it is told", () => {
    const told = toOpenApi(operations, eventTypes, { publicUrl: "https://calls.example.com" });
    expect(told["servers"]).toMatchObject([{ url: "https://calls.example.com" }, { url: "/" }]);
  });

  it("lets a field be anything where what cannot be read is ignored, and text where text is read", () => {
    const schemas = document.components["schemas"] as Readonly<Record<string, { properties: Record<string, Json> }>>;
    expect(schemas["JambonzStatusRequest"]?.properties["duration"]).toEqual({ description: expect.any(String) });
    expect(schemas["UpdateRevenueRequest"]?.properties["revenue"]).toMatchObject({
      anyOf: [{ type: ["number", "null"] }, { type: "string" }],
    });
  });

  it("describes the webhook of each event", () => {
    expect(Object.keys(document.webhooks)).toEqual([...callEventNames]);
  });

  it("has only references that lead somewhere, and schemas of JSON Schema", () => {
    const types = ["string", "number", "integer", "boolean", "array", "object", "null"];
    walk(document, (value) => {
      if (typeof value["$ref"] === "string") expect(resolve(value["$ref"])).toBeDefined();
    });
    for (const schema of schemasOf(document)) {
      walk(schema, (value) => {
        if (!("type" in value) || isPropertyMap(value)) return;
        for (const type of [value["type"]].flat()) expect(types).toContain(type);
      });
    }
  });

  const resolve = (reference: string): unknown =>
    reference
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
});

/** Throws where an answer is not what the document promises. */
function check(operation: Operation, { method, path, body }: FilledRequest, answer: Answer): void {
  const about = `${method} ${path} ${JSON.stringify(body)?.slice(0, 500)} -> ${answer.status}`;
  const promised = Object.keys(describedAs(operation).responses);
  // Any key may be one too many; and paths that lead nowhere are no operation's.
  if (!promised.includes(String(answer.status))) throw new Error(`${about}: not among ${promised}`);
  const schema = answer.status < 300 ? operation.answer : answer.status === 422 ? validationBody : errorBody;
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success)
    throw new Error(`${about}: ${parsed.error.message}\n${JSON.stringify(answer.body).slice(0, 2000)}`);
}

interface Company {
  readonly member: Member;
  readonly ids: Ids;
}

/** An organization with one of each, a key and a call. */
async function openCompany(): Promise<Company> {
  const member = await join();
  const company = await foundCompany(member);
  const key = await done(member.post("/api/v1/api-keys", { name: "another" }));
  const call = await done(
    member.post("/telephony/simulator/calls", { from: "+12125550123", to: phonesOf(member.id).number }),
  );
  const { id: redelivery } = await done(member.post("/api/v1/webhooks/redeliveries", { filter: {} }));
  return {
    member,
    ids: {
      ...company,
      api_key: key.id,
      access_token: (await done(member.post("/api/v1/access-tokens", { user: "another" }))).id,
      call: call.call_id,
      redelivery,
      ...recordIds(member),
      ...(await recordQuestion(member)),
    },
  };
}

const send = (member: Member, { method, path, body }: FilledRequest): Promise<Answer> =>
  member.send(method, path, { headers: { Authorization: `Bearer ${member.token}` }, body });

describe("an example of the document", () => {
  const withExample = operations.filter(({ example }) => example !== undefined);

  it("is there for every operation that takes a body", () => {
    expect(operations.filter(({ body, example }) => body !== undefined && example === undefined)).toEqual([]);
    for (const operation of withExample) {
      expect(describedAs(operation).requestBody?.content["application/json"]?.example).toEqual(operation.example);
    }
  });

  /** Whose resources are changed, and whose are created or asked about: unique values of both may be the same. */
  let changing: Company;
  let creating: Company;
  beforeAll(async () => {
    [changing, creating] = [await openCompany(), await openCompany()];
  });

  it.each(withExample.map((operation) => [titleOf(operation), operation] as const))(
    "of %s is taken as it stands, ids put in, and answered as documented",
    async (_title, operation) => {
      const { member, ids } = operation.method === "patch" ? changing : creating;
      const request = requestOf(operation, ids);
      // Admins may do all that analysts may.
      const given = { userId: "analyst", orgId: member.id, role: "admin" } as const;
      const token = (await rig().platform.issueToken?.(given, 600)) ?? "";
      const answer = await send({ ...member, token }, request);
      expect(answer.status, JSON.stringify(answer.body)).toBe(operation.status);
      check(operation, request, answer);
      // A number is one organization's: the other one's patch has the same.
      if (titleOf(operation) === "POST /api/v1/numbers") await done(member.delete(`${request.path}/${answer.body.id}`));
    },
  );
});

describe("an answer", () => {
  it("of every read is of its documented shape", async () => {
    const { member, ids } = await openCompany();
    await recordTraffic(rig().platform, member, ids.call);
    for (const operation of operations.filter(({ method }) => method === "get")) {
      const request = requestOf(operation, ids);
      const answer = await send(member, request);
      expect(answer.status, titleOf(operation)).toBe(200);
      check(operation, request, answer);
    }
  });

  it("of every delete is, too, first while something is in use and then when it is free", async () => {
    const { member, ids } = await openCompany();
    const deletes = operations.filter(({ method }) => method === "delete");
    const seen = new Set<number>();
    let left = deletes;
    for (let before = deletes.length + 1; left.length < before; ) {
      before = left.length;
      const refused: Operation[] = [];
      for (const operation of left) {
        const request = requestOf(operation, ids);
        const answer = await send(member, request);
        check(operation, request, answer);
        seen.add(answer.status);
        if (answer.status === 409) refused.push(operation);
      }
      left = refused;
    }
    expect([...seen].sort(), left.map(titleOf).join()).toEqual(expect.arrayContaining([200, 409]));
  });
});

describe("whatever is sent", () => {
  // A path of one or two dots is another path before it is sent.
  const anyId = fc.string({ minLength: 1 }).filter((id) => !/^\.{1,2}$/.test(id));
  const someText = fc.oneof(fc.string(), anyText(), fc.constantFrom("", " ", "'", "%", "null", "0"));
  const anyNumber = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constantFrom(0, -1, 1e308, 2 ** 53));
  const anyValue = fc.oneof(
    someText,
    anyNumber,
    fc.boolean(),
    fc.constant(null),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom([], {}, [[]], [null], { id: 5 }, "2026-02-30T00:00:00Z", "0000-01-01T00:00:00+23:59"),
  );
  /** An example with up to three of its values put out of shape, dropped or added to. */
  const mutations = fc.array(
    fc.record({ at: fc.nat(), value: fc.option(anyValue, { nil: undefined }), key: someText }),
    {
      minLength: 0,
      maxLength: 3,
    },
  );
  const input = fc.record({
    title: fc.constantFrom(...operations.map(titleOf)),
    mutations,
    whole: fc.option(anyValue, { freq: 8, nil: undefined }),
    id: fc.option(anyId, { freq: 6, nil: undefined }),
    query: fc.option(fc.tuple(fc.nat(), someText), { freq: 2, nil: undefined }),
  });
  type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;

  function toRequest(ids: Ids, { title, mutations: changes, whole, id, query }: Input): FilledRequest {
    const operation = operationOf(title);
    const { method, path, body } = requestOf(id === undefined ? operation : withId(operation), ids);
    const filled = id === undefined ? path : path.replaceAll("ANY_ID", encoded(id));
    const names = [...Object.keys(operation.query?.shape ?? { a: 0 }), "limit"];
    const asked = query && `${filled.includes("?") ? "&" : "?"}${names[query[0] % names.length]}=${encoded(query[1])}`;
    const mutated = operation.body === undefined ? undefined : (whole ?? changes.reduce(mutate, body));
    return { method, path: filled + (asked ?? ""), body: mutated === undefined ? undefined : JSON.stringify(mutated) };
  }
  const operationOf = (title: string): Operation => {
    const [found] = operations.filter((each) => titleOf(each) === title);
    if (found === undefined) throw new Error(title);
    return found;
  };
  const withId = (operation: Operation): Operation => ({
    ...operation,
    path: operation.path.replace(/\{\w+\}/, "ANY_ID"),
  });

  it("nothing fails, and every answer is as documented", { tags: ["slow"] }, async () => {
    const { member, ids } = await openCompany();
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const request = toRequest(ids, given);
        check(operationOf(given.title), request, await send(member, request));
      }),
      { numRuns: 600 },
    );
  });

  it.each([
    ["nested deeply", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["nested deeply in a field", `{"name":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
    ["of very many faults", JSON.stringify({ name: 5, number_group_items: Array(100_000).fill(0) })],
    ["of a great number", `{"name":"a","payout":1${"0".repeat(400)}}`],
    [
      "with a key of the language's own",
      '{"name":"a","__proto__":{"is_active":5},"advanced_caps":[{"__proto__":{"a":1}}]}',
    ],
  ])("a body %s is refused or taken, at once", async (_what, body) => {
    const member = await join();
    const { status } = await member.post("/api/v1/campaigns", body);
    expect([201, 422]).toContain(status);
  });
});
