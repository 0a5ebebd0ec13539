import { beforeAll, describe, expect, it } from "vitest";
import { keyAreas } from "../../api/serve/areas.ts";
import type { Operation } from "../../api/serve/operation.ts";
import type { UserRole } from "../../api/serve/rights.ts";
import { carrierOperations, type Ids, operations, requestOf, titleOf } from "./operation-table.ts";
import { done, type Member, memberClient, usePlatform } from "./use-platform.ts";

const { rig, join } = usePlatform();

/** Ids of nothing: what is let through finds nothing there. */
const noIds = new Proxy({}, { get: () => "none" }) as Ids;

const ofKeys = operations.filter(({ access }) => access === "api_key" || access === "admin_key");
const ofUsers = operations.filter(({ access }) => access === "user");

/** The areas as paths tell them, beside the tags by which they are given. */
const pathsOfAreas: readonly (readonly [(typeof keyAreas)[number], RegExp])[] = [
  ["deliveries", /^\/api\/v1\/webhooks\//],
  ["webhooks", /^\/api\/v1\/((outgoing|incoming)-webhooks|event-types)/],
  ["reports", /^\/api\/v1\/(reports\/|(in|out)bound-rtb\/(requests|stats))/],
  ["keys", /^\/api\/v1\/(api-keys|access-tokens)/],
  ["audit", /^\/api\/v1\/audit-logs/],
  ["telephony", /^\/telephony\/simulator/],
  ["config", /^\/api\/v1\//],
];
const areaOf = ({ path }: Operation) => pathsOfAreas.find(([, pattern]) => pattern.test(path))?.[0];

/** Requests that only read though they have a body. */
const readingPosts = ["/api/v1/routing/dry-run", "/v1/routing/dry-run", "/reporting_ai/query", "/reporting_ai/sql"];
const onlyReads = ({ method, path }: Operation): boolean => method === "get" || readingPosts.includes(path);
const rightOf = (operation: Operation): "read" | "write" => (onlyReads(operation) ? "read" : "write");

let owner: Member;
beforeAll(async () => {
  owner = await join();
});

const keyWith = async (scopes: string[]): Promise<string> =>
  (await done(owner.post("/api/v1/api-keys", { name: scopes.join(), is_admin: true, scopes }))).key;

/** The scope that the key lacks for it, if that is why it is refused. */
async function lackingOf(operation: Operation, key: string, broken = false): Promise<string | null> {
  const { method, path, body } = requestOf(operation, noIds);
  const sent = broken && body !== undefined ? "{broken" : body;
  const answer = await memberClient(rig().url, key).send(method, path, { body: sent });
  const { code, message } = answer.body?.detail ?? {};
  if (code !== "insufficient_scope") return null;
  expect(answer.status).toBe(403);
  return /^This API key lacks the scope (\S+)\.$/.exec(message)?.[1] ?? null;
}

describe("a key that may only read", () => {
  it("is refused whatever changes something, before its body is read, and nothing else", async () => {
    const key = await keyWith(["read"]);
    for (const operation of ofKeys) {
      const expected = rightOf(operation) === "write" ? `${areaOf(operation)}:write` : null;
      expect([titleOf(operation), await lackingOf(operation, key, true)]).toEqual([titleOf(operation), expected]);
    }
    expect(ofKeys.filter((operation) => rightOf(operation) === "write").length).toBeGreaterThan(80);
  });

  it("is of no use where carriers, customers' systems and users have credentials of their own", async () => {
    const key = await keyWith(["read"]);
    for (const operation of [...carrierOperations, ...ofUsers]) {
      const { method, path, body } = requestOf(operation, noIds);
      const { status } = await memberClient(rig().url, key).send(method, path, { body });
      expect(status, titleOf(operation)).toBeGreaterThanOrEqual(400);
    }
  });
});

describe.each(keyAreas)("a key for %s alone", (area) => {
  it("is refused whatever is outside, and nothing inside", async () => {
    const key = await keyWith([`${area}:write`]);
    for (const operation of ofKeys) {
      const outside = areaOf(operation) !== area;
      const expected = outside ? `${areaOf(operation)}:${rightOf(operation)}` : null;
      expect([titleOf(operation), await lackingOf(operation, key)]).toEqual([titleOf(operation), expected]);
    }
  });
});

/** What a role may not do, among the operations of users. */
const closedTo: Readonly<Record<UserRole, (operation: Operation) => boolean>> = {
  viewer: (operation) =>
    operation.path.endsWith("/export") ||
    (!onlyReads(operation) && !(operation.method === "delete" && operation.path.startsWith("/reporting_ai/sessions/"))),
  analyst: (operation) =>
    !onlyReads(operation) &&
    (operation.path.startsWith("/v1/") || /\/(instructions|boards\/organization)$/.test(operation.path)),
  admin: () => false,
};

describe.each(["viewer", "analyst", "admin"] as const)("an access token of the role %s", (role) => {
  it("is refused what is for a higher one, before its body is read, and nothing else", async () => {
    const token = (await rig().platform.issueToken?.({ userId: role, orgId: owner.id, role }, 600)) ?? "";
    for (const operation of ofUsers) {
      const { method, path, body } = requestOf(operation, noIds);
      const headers = { Authorization: `Bearer ${token}` };
      const sent = body === undefined ? undefined : "{broken";
      const answer = await memberClient(rig().url, "").send(method, path, { headers, body: sent });
      const isRefused = answer.status === 403 && answer.body.detail.code === "forbidden";
      expect([titleOf(operation), isRefused]).toEqual([titleOf(operation), closedTo[role](operation)]);
    }
  });
});
