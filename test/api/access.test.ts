import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Operation } from "../../api/serve/operation.ts";
import { foundCompany, phonesOf } from "./company.ts";
import { type FilledRequest, type Ids, operations, requestOf, titleOf } from "./operation-table.ts";
import { recordIds, recordQuestion, recordTraffic } from "./recorded.ts";
import { type Answer, done, type Member, memberClient, usePlatform } from "./use-platform.ts";

const { rig, join } = usePlatform();

/** In every name of the first organization: an answer to somebody else that holds it has leaked. */
const mark = "Topsecret";

interface World {
  /** An organization with one of each, and what its config and keys look like. */
  readonly owner: Member;
  readonly ids: Ids;
  look(): Promise<unknown>;
  readonly stranger: Member;
  /** Keys that once were good. */
  readonly revoked: string;
  readonly expired: string;
  /** A good key of the first organization that is no administrator's. */
  readonly plain: string;
}
let world: World;

beforeAll(async () => {
  const [owner, stranger] = [await join(), await join()];
  const company = await foundCompany(owner, mark);
  const call = await done(
    owner.post("/telephony/simulator/calls", { from: "+12125550123", to: phonesOf(owner.id).number }),
  );
  const key = await done(owner.post("/api/v1/api-keys", { name: `${mark} key` }));
  const revoked = await done(owner.post("/api/v1/api-keys", { name: "to be revoked" }));
  await done(owner.delete(`/api/v1/api-keys/${revoked.id}`));
  const expired = await done(owner.post("/api/v1/api-keys", { name: "to be rotated" }));
  await done(owner.post(`/api/v1/api-keys/${expired.id}/rotate`, { grace_seconds: 0 }));
  const { id: redelivery } = await done(owner.post("/api/v1/webhooks/redeliveries", { filter: {} }));
  const ids: Ids = {
    ...company,
    api_key: key.id,
    access_token: (await done(owner.post("/api/v1/access-tokens", { user: mark }))).id,
    call: call.call_id,
    redelivery,
    ...recordIds(owner),
    ...(await recordQuestion(owner)),
  };
  await recordTraffic(rig().platform, owner, ids.call);
  // What is compared changes by nobody's hand from here on.
  await vi.waitFor(
    async () =>
      expect(await done(owner.get(`/api/v1/webhooks/redeliveries/${redelivery}`))).toMatchObject({ state: "done" }),
    { timeout: 60_000 },
  );
  const lists = operations.filter(
    ({ method, path }) => method === "get" && path.startsWith("/api/v1/") && isConfig(path),
  );
  const look = () => Promise.all(lists.map(async (list) => (await owner.get(requestOf(list, ids).path)).body));
  world = { owner, ids, look, stranger, revoked: revoked.key, expired: expired.key, plain: key.key };
});

/** Reads of config, which show every change; histories come later than what they tell of. */
const isConfig = (path: string): boolean =>
  !/audit-logs|-requests(\/export)?$|-rtb\/(requests|stats)|webhooks\/\w+-stats$|\/reports\//.test(path);

const send = ({ method, path, body }: FilledRequest, headers: Record<string, string>): Promise<Answer> =>
  memberClient(rig().url, "").send(method, path, { headers, body });

/** Everybody else's credentials, each with what it must be told. */
function refusedCredentials(access: Operation["access"]): [what: string, headers: Record<string, string>][] {
  const { owner, stranger } = world;
  if (access === "user") {
    return [
      ["no token", { "X-API-Key": "" }],
      ["a token that was made up", { Authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0." }],
      ["another signature", { Authorization: `Bearer ${owner.token.slice(0, -4)}AAAA` }],
      ["an API key for a token", { Authorization: `Bearer ${owner.key}` }],
      ["an API key alone", { "X-API-Key": owner.key }],
      ["another scheme", { Authorization: `Basic ${stranger.token}` }],
    ];
  }
  return [
    ["no key", { "X-API-Key": "" }],
    ["a wrong key", { "X-API-Key": "tl_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["a revoked key", { "X-API-Key": world.revoked }],
    ["an expired key", { "X-API-Key": world.expired }],
    ["a token for a key", { "X-API-Key": "", Authorization: `Bearer ${owner.token}` }],
  ];
}

/** A ping's credential is the id in its path: whoever knows it asks as the publisher. */
const isPing = ({ path }: Operation): boolean => path === "/inbound_rtb/{rtb_id}";
const guarded = operations.filter((operation) => !isPing(operation));

it("is open to anybody for pings alone", () => {
  expect(operations.filter(({ access }) => access === "open")).toEqual(operations.filter(isPing));
});

describe.each(guarded.map((operation) => [titleOf(operation), operation] as const))("%s", (_title, operation) => {
  it("is 401 without valid credentials, whatever the body", async () => {
    expect(operation.access).not.toBe("open");
    const request = requestOf(operation, world.ids);
    for (const [what, headers] of refusedCredentials(operation.access)) {
      for (const body of request.body === undefined ? [undefined] : [request.body, "{broken"]) {
        const { status, body: answer } = await send({ ...request, body }, headers);
        expect([status, answer.detail.code], what).toEqual([401, "unauthorized"]);
      }
    }
  });

  it("shows and changes nothing of another organization", async () => {
    const { stranger, ids } = world;
    const request = requestOf(operation, ids);
    // As its admin, who may do more than an analyst.
    const admin = { userId: "stranger", orgId: stranger.id, role: "admin" } as const;
    const token = (await rig().platform.issueToken?.(admin, 600)) ?? "";
    const headers = { "X-API-Key": stranger.key, Authorization: `Bearer ${token}` };
    const { status, body } = await send(request, headers);
    expect(JSON.stringify(body)).not.toContain(mark);
    expect(JSON.stringify(body)).not.toContain(world.owner.id);
    expect(status).toBeLessThan(500);
    if (operation.path.includes("{")) expect([status, body.detail.code]).toEqual([404, "not_found"]);
    // What names nothing of the other organization is its own business, if only its admins'; what does is refused for that.
    else if (status === 403) expect(body.detail.code).toBe("forbidden");
    else if (status >= 300) expect([status, body.detail[0]?.type]).toEqual([422, "reference_not_found"]);
  });
});

const forAdmins = operations.filter(({ access }) => access === "admin_key");
it.each(forAdmins.map((operation) => [titleOf(operation), operation] as const))(
  "%s is 403 for a key that is no administrator's",
  async (_title, operation) => {
    const { status, body } = await send(requestOf(operation, world.ids), { "X-API-Key": world.plain });
    expect([status, body.detail.code]).toEqual([403, "forbidden"]);
  },
);

describe("the owner's config", () => {
  it("is the same after every operation was tried with others' credentials", { tags: ["slow"] }, async () => {
    const { ids, look, stranger, plain } = world;
    const before = await look();
    for (const operation of guarded) {
      const request = requestOf(operation, ids);
      const others = refusedCredentials(operation.access).map(([, headers]) => headers);
      for (const headers of [...others, { "X-API-Key": stranger.key, Authorization: `Bearer ${stranger.token}` }]) {
        await send(request, headers);
      }
      if (operation.access === "admin_key") await send(request, { "X-API-Key": plain });
    }
    expect(await look()).toEqual(before);
  });

  it("is looked at by this very test: a change of the owner's shows", async () => {
    const { ids, look, owner } = world;
    const before = await look();
    await done(owner.patch(`/api/v1/buyers/${ids.buyer}`, { company: `Changed at ${Math.random()}` }));
    expect(await look()).not.toEqual(before);
  });
});
