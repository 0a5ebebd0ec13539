import { describe, expect, it, onTestFinished } from "vitest";
import { createAuditOutbox } from "../../../../api/config/audit-outbox.ts";
import type { ConfigInput } from "../../../../api/config/registry.ts";
import { countOperations } from "../../../../api/routing/call-stats/count-operations.ts";
import { createLiveStats } from "../../../../api/routing/call-stats/live-stats.ts";
import { createOrgCalls } from "../../../../api/routing/call-stats/org-calls.ts";
import { openTotalResets } from "../../../../api/routing/call-stats/total-resets.ts";
import type { OperationRequest } from "../../../../api/serve/operation.ts";
import { allRights } from "../../../../api/serve/rights.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../../../make.ts";
import { openConfig } from "../../config/rig.ts";
import { aStep } from "../rtb/formula.ts";
import { aRecord } from "./records.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const caps = (...periods: string[]) => periods.map((period) => ({ type: "connected", period, limit: 2 }));
const documents: readonly ConfigInput[] = [
  { type: "buyer", doc: { ...about, id: "buy", name: "Sunny", timezone: "UTC", advanced_caps: caps("day") } },
  { type: "publisher", doc: { ...about, id: "pub", name: "Blue Lake", max_concurrency: 0 } },
  { type: "campaign", doc: { ...about, id: "cmp", name: "East", advanced_caps: [{ type: "concurrency", limit: 4 }] } },
  {
    type: "target",
    doc: {
      ...about,
      id: "tgt",
      name: "Roofs",
      buyer_id: "buy",
      type: "number",
      number: "+18885550101",
      max_concurrency: 5,
      advanced_caps: [...caps("total", "day"), { note: "ours" }],
    },
  },
  {
    type: "rtb_formula",
    doc: { ...about, id: "rtb", rtb_name: "Bids", buyer_id: "buy", steps: [aStep()], advanced_caps: caps("day") },
  },
];

/** The operations with what they read, on real parts; calls are those that `calls` is given. */
async function openRig() {
  const { clock, database, store, snapshot } = await openConfig();
  await store.save(orgOne, documents);
  await snapshot.settled();
  const resets = await openTotalResets(database, throwOn);
  const calls = createOrgCalls();
  const told: Record<string, unknown>[] = [];
  const publish = async (messages: readonly { value: string }[]) => {
    told.push(...messages.map(({ value }) => JSON.parse(value)));
    return [];
  };
  const outbox = createAuditOutbox(database, { publish } as Parameters<typeof createAuditOutbox>[1]);
  // A reset leaves its record to be handed over behind it.
  onTestFinished(() => outbox.drain());
  const held = { inUse: (_org: string, { kind }: { kind: string }) => (kind === "target" ? 3 : 0) };
  const own = { ofOrganization: () => calls, earlierCalls: () => [], callsKnownSince: () => 0 };
  const statsOf = (orgId: string) => createLiveStats(orgId, { store: own, held, resets });
  const operations = countOperations({ snapshot, statsOf, resets, database, outbox, clock, onTrouble: throwOn });

  async function ask(method: "get" | "post", path: string, { orgId = orgOne }: { orgId?: OrgId } = {}) {
    const [, base, id, ...rest] = /^(\w+)\/(\w+)\/(.+)$/.exec(path) ?? [];
    const operation = operations.find(
      (each) => each.method === method && new RegExp(`^/api/v1/${base}/\\{\\w+\\}/${rest.join("/")}$`).test(each.path),
    );
    if (operation === undefined) throw new Error(`${method} ${path} is not served`);
    const [param] = Object.keys(operation.params?.shape ?? {});
    const caller = { orgId, actor: { type: "api_key", id: "k", name: "main" }, admin: false, rights: allRights };
    const request = { caller, params: { [String(param)]: id }, requestId: "r", sourceIp: null };
    // biome-ignore lint/suspicious/noExplicitAny: what an operation answers; tests assert on it.
    const answer: any = await operation.handle(request as unknown as OperationRequest<unknown, unknown, unknown>);
    return operation.answer.parse(answer) as typeof answer;
  }
  const audited = async () => {
    await outbox.drain();
    return told;
  };
  return { clock, calls, operations, ask, audited };
}

const throwOn = (error: unknown): never => {
  throw error;
};
const usedOf = ({ caps: counted }: { caps: { used: number }[] }) => counted.map(({ used }) => used);

describe("counts", () => {
  it("tell what is in use, what each cap has counted, and when it is set back", async () => {
    const { calls, ask } = await openRig();
    for (const call_id of ["one", "two"]) calls.apply(aRecord({ call_id }));
    expect(await ask("get", "targets/tgt/counts")).toEqual({
      id: "tgt",
      in_use: 3,
      max_concurrency: 5,
      totals_since: null,
      caps: [
        {
          type: "connected",
          period: "total",
          limit: 2,
          used: 2,
          timezone: "America/New_York",
          since: null,
          resets_at: null,
          reached: true,
        },
        {
          type: "connected",
          period: "day",
          limit: 2,
          used: 2,
          timezone: "America/New_York",
          since: "2026-11-02T05:00:00.000Z",
          resets_at: "2026-11-03T05:00:00.000Z",
          reached: true,
        },
      ],
    });
  });

  it("are those of every kind of holder, each in its zone", async () => {
    const { calls, ask } = await openRig();
    calls.apply(aRecord({ rtb_id: "rtb" }));
    const zones = await Promise.all(
      ["buyers/buy", "rtbs/rtb"].map(async (path) => (await ask("get", `${path}/counts`)).caps),
    );
    expect(zones.flat().map(({ used, timezone, reached }) => [used, timezone, reached])).toEqual([
      [1, "UTC", false],
      [1, "America/New_York", false],
    ]);
    expect(await ask("get", "publishers/pub/counts")).toMatchObject({ max_concurrency: null, caps: [] });
    expect(await ask("get", "campaigns/cmp/counts")).toMatchObject({ max_concurrency: 4, caps: [] });
  });

  it("are the organization's own", async () => {
    const { ask } = await openRig();
    for (const [method, path] of [
      ["get", "targets/tgt/counts"],
      ["post", "targets/tgt/counts/reset"],
    ] as const) {
      await expect(ask(method, path, { orgId: orgTwo })).rejects.toMatchObject({ status: 404, code: "not_found" });
    }
    await expect(ask("get", "targets/none/counts")).rejects.toMatchObject({ status: 404 });
    await expect(ask("get", "buyers/tgt/counts")).rejects.toMatchObject({ status: 404 });
  });
});

describe("a reset", () => {
  it("lets totals count from now on, and nothing else", async () => {
    const { clock, calls, ask } = await openRig();
    for (const call_id of ["one", "two"]) calls.apply(aRecord({ call_id }));
    clock.advance(60_000);
    const after = await ask("post", "targets/tgt/counts/reset");
    expect([after.totals_since, usedOf(after), after.caps[0].reached]).toEqual([secondsIn(60), [0, 2], false]);
    calls.apply(aRecord({ call_id: "three", at: startOfTime + 60_000 }));
    const later = await ask("get", "targets/tgt/counts");
    expect([usedOf(later), later.caps[0].since]).toEqual([[1, 3], secondsIn(60)]);
    expect((await ask("get", "buyers/buy/counts")).totals_since).toBeNull();
  });

  it("is audited with the time before and after, and at the same instant is one", async () => {
    const { clock, ask, audited } = await openRig();
    await ask("post", "targets/tgt/counts/reset");
    const once = await ask("post", "targets/tgt/counts/reset");
    expect(once.totals_since).toBe(secondsIn(0));
    clock.advance(1000);
    await ask("post", "targets/tgt/counts/reset");
    const entity = { action: "adjust", entity_type: "target", entity_id: "tgt", entity_name: "Roofs", request_id: "r" };
    expect(await audited()).toMatchObject([
      { ...entity, changes: [{ field: "totals_since", old: null, new: secondsIn(0) }] },
      { ...entity, changes: [{ field: "totals_since", old: secondsIn(0), new: secondsIn(1) }] },
    ]);
  });

  it("never goes back in time", async () => {
    const { clock, ask, audited } = await openRig();
    clock.advance(1000);
    await ask("post", "rtbs/rtb/counts/reset");
    clock.advance(-500);
    expect((await ask("post", "rtbs/rtb/counts/reset")).totals_since).toBe(secondsIn(1));
    expect(await audited()).toHaveLength(1);
  });
});

it("every holder has both operations", async () => {
  const { operations } = await openRig();
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    [
      "buyers/{buyer_id}",
      "campaigns/{campaign_id}",
      "publishers/{publisher_id}",
      "rtbs/{rtb_id}",
      "targets/{target_id}",
    ]
      .flatMap((one) => [`get /api/v1/${one}/counts`, `post /api/v1/${one}/counts/reset`])
      .toSorted(),
  );
});
