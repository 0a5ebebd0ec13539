import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary.ts";
import { toGeneralConfig } from "./config.ts";
import { runSchemathesis } from "./schemathesis.ts";

const { TEST_SCHEMATHESIS: program = "" } = process.env;
const key = "a key";

const object = (properties: object) => ({ type: "object", properties, required: Object.keys(properties) });
const answered = (schema: object) => ({ description: "Done.", content: { "application/json": { schema } } });
const operation = {
  security: [{ ApiKey: [] }],
  requestBody: {
    required: true,
    content: { "application/json": { schema: object({ count: { type: "integer", minimum: 1, maximum: 9 } }) } },
  },
  responses: { 200: answered(object({ count: { type: "integer" } })), 401: answered({}), 422: answered({}) },
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
/** What a good service answers. */
async function rightAnswer(request: IncomingMessage): Promise<Answer> {
  const body = await text(request);
  if (request.headers["x-api-key"] !== key) return { status: 401, body: {} };
  const { count } = parse(body) ?? {};
  const isValid = typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= 9;
  return isValid ? { status: 200, body: { count } } : { status: 422, body: {} };
}
function parse(body: string): { readonly count?: unknown } | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
const taken = { status: 200, body: { count: 1 } };

/** What is wrong at each path, with how Schemathesis calls it. */
const faults: Readonly<Record<string, { readonly named: string; wrong(right: Answer): Answer }>> = {
  "/fails": { named: "Server error", wrong: (right) => (right.status === 200 ? { status: 500, body: {} } : right) },
  "/undocumented-status": {
    named: "Undocumented status code",
    wrong: (right) => (right.status === 200 ? { ...right, status: 418 } : right),
  },
  "/other-body": {
    named: "Response violates schema",
    wrong: (right) => (right.status === 200 ? { ...right, body: { count: "many" } } : right),
  },
  "/takes-anything": {
    named: "Schema-violating request accepted",
    wrong: (right) => (right.status === 422 ? taken : right),
  },
  "/open-to-all": {
    named: "requests without authentication",
    wrong: (right) => (right.status === 401 ? taken : right),
  },
};

describe.skipIf(program === "")("the run against the OpenAPI document", () => {
  const paths = ["/right", ...Object.keys(faults)];
  const document = {
    openapi: "3.1.0",
    info: { title: "Planted", version: "1" },
    paths: Object.fromEntries(paths.map((path) => [path, { post: operation }])),
    components: { securitySchemes: { ApiKey: { type: "apiKey", in: "header", name: "X-API-Key" } } },
  };
  const server = createServer(async (request, response) => {
    const { url = "", method } = request;
    if (url === "/openapi.json") return void response.end(JSON.stringify(document));
    if (method !== "POST") return void response.writeHead(405, { Allow: "POST" }).end();
    const right = await rightAnswer(request);
    const { status, body } = faults[url]?.wrong(right) ?? right;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close().closeAllConnections());

  const run = (only: string) => {
    const { port } = server.address() as AddressInfo;
    const config = `${toGeneralConfig({ seed: 1, examples: 3 })}
[auth.openapi]
ApiKey = { api_key = ${JSON.stringify(key)} }
`;
    const at = { document: `http://127.0.0.1:${port}/openapi.json`, folder: temporaryFolder() };
    return runSchemathesis({ program, ...at, config, only: `^${only}$`, seconds: "60", output: "kept" });
  };

  it("finds nothing where a service does as it says", async () => {
    const { code, said } = await run("/right");
    expect([code, said]).toEqual([0, expect.stringContaining("No issues found")]);
  });

  it.each(Object.entries(faults))("fails, and names the fault, where there is one: %s", async (path, { named }) => {
    const { code, said } = await run(path);
    expect(code, said).not.toBe(0);
    expect(said).toContain(`POST ${path}`);
    expect(said).toContain(named);
  });
});
