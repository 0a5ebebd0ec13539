import { join as joinPath } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hashKey } from "../../../api/config/api-keys.ts";
import { createAuditOutbox } from "../../../api/config/audit-outbox.ts";
import { definitionOf, definitions } from "../../../api/config/registry.ts";
import { createResourceService } from "../../../api/config/service.ts";
import type { Database } from "../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { allRights } from "../../../api/serve/rights.ts";
import type { AuditRecord } from "../../../ingest/audit.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { orgOne } from "../../make.ts";
import { openPlatform } from "../../platform.ts";
import { temporaryFolder } from "../../temporary.ts";
import { foundCompany } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { join } = usePlatform();

interface Shown {
  readonly action: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly changes: readonly { field: string; old: unknown; new: unknown }[];
  readonly [field: string]: unknown;
}

/** The organization's audit log, oldest first, once it has so many rows. */
async function auditLog(member: Member, rows: number, query = ""): Promise<Shown[]> {
  return vi.waitFor(async () => {
    const { data, meta } = await done(member.get(`/api/v1/audit-logs?sort_direction=asc&limit=200${query}`));
    // Not every store has rows and their count at the same moment.
    expect([data.length, meta.total]).toEqual([rows, rows]);
    return data;
  }, 10_000);
}

async function openRig() {
  const member = await join();
  return { member, ids: await foundCompany(member) };
}

const changesOf = (row: Shown | undefined) =>
  Object.fromEntries((row?.changes ?? []).map((change) => [change.field, [change.old, change.new]]));

describe("the audit log", () => {
  it("tells of each change who made it, by which request, and the old and new value of what changed", async () => {
    const { member } = await openRig();
    const headers = { "X-Request-Id": "order-66" };
    const body = { name: "Sunny", email: "a@sunny.example" };
    const made = await done(member.send("POST", "/api/v1/buyers", { headers, body }));
    const at = `/api/v1/buyers/${made.id}`;
    await done(member.send("PATCH", at, { headers, body: { email: "b@sunny.example", max_concurrency: 5 } }));
    await done(member.send("DELETE", at, { headers }));
    const [created, patched, deleted] = await auditLog(member, 3);
    expect(created).toEqual({
      id: expect.any(String),
      org_id: member.id,
      created_at: made.created_at,
      action: "create",
      entity_type: "buyer",
      entity_id: made.id,
      entity_name: "Sunny",
      request_id: "order-66",
      actor: { type: "api_key", id: member.keyId, name: "test" },
      source_ip: expect.stringMatching(/127\.0\.0\.1$/),
      changes: expect.arrayContaining([{ field: "name", old: null, new: "Sunny" }]),
    });
    expect(patched).toMatchObject({ action: "update", entity_id: made.id });
    expect(changesOf(patched)).toEqual({ email: ["a@sunny.example", "b@sunny.example"], max_concurrency: [null, 5] });
    expect(deleted).toMatchObject({ action: "delete", entity_name: "Sunny" });
    expect(changesOf(deleted)).toMatchObject({ name: ["Sunny", null], email: ["b@sunny.example", null] });
  });

  it("has no row for what changed nothing or was refused", async () => {
    const { member, ids } = await openRig();
    const at = `/api/v1/campaigns/${ids.campaign}`;
    await done(member.patch(at, { advanced_caps: [{ type: "calls", limit: 5 }] }));
    await done(member.patch(at, await done(member.get(at))));
    await done(member.patch(at, {}));
    await done(member.patch(at, { advanced_caps: [{ limit: 5, type: "calls" }] }));
    await done(member.delete(`/api/v1/targets/${ids.target}/pause`));
    await done(member.post("/api/v1/bulk/resume", { resource_type: "campaign_number", ids: [ids.row, "nobody"] }));
    for (const refused of [
      await member.patch(at, { name: 5 }),
      await member.patch(at, { routing_plan_id: "nobody" }),
      await member.patch("/api/v1/campaigns/nobody", { name: "a" }),
      await member.delete(at),
      await member.post("/api/v1/custom-tags", { key: "caller_id" }),
    ]) {
      expect(refused.status).toBeGreaterThanOrEqual(400);
    }
    await done(member.patch(at, { name: "Last" }));
    const log = await auditLog(member, 2);
    expect(log.map((row) => Object.keys(changesOf(row)))).toEqual([["advanced_caps"], ["name"]]);
  });

  it("tells of pauses, with their reason, and of resumes", async () => {
    const { member, ids } = await openRig();
    const pause = { paused_at: expect.any(String), paused_until: null, paused_by: `api_key:${member.keyId}` };
    await done(member.post(`/api/v1/targets/${ids.target}/pause`, { reason: "holiday" }));
    await done(member.delete(`/api/v1/targets/${ids.target}/pause`));
    await done(member.post(`/api/v1/campaigns/${ids.campaign}/numbers/${ids.row}/pause`, {}));
    const [paused, resumed, number] = await auditLog(member, 3);
    expect(paused).toMatchObject({ action: "pause", entity_type: "target", entity_id: ids.target });
    expect(changesOf(paused)).toEqual({ pause: [null, { ...pause, reason: "holiday" }] });
    expect(resumed).toMatchObject({ action: "resume", entity_type: "target" });
    expect(changesOf(resumed)).toEqual({ pause: [{ ...pause, reason: "holiday" }, null] });
    expect(number).toMatchObject({ action: "pause", entity_type: "campaign", entity_id: ids.campaign });
    expect(changesOf(number)).toEqual({
      number_group_items: [[expect.not.objectContaining({ pause })], [expect.objectContaining({ pause })]],
    });
  });

  it("has one row for each resource that a bulk request changed, all of that request", async () => {
    const { member, ids } = await openRig();
    const second = await done(member.post("/api/v1/targets", { name: "b", buyer_id: ids.buyer, type: "sip" }));
    const body = { resource_type: "target", ids: [ids.target, "nobody", second.id, ids.target] };
    await done(member.send("POST", "/api/v1/bulk/pause", { headers: { "X-Request-Id": "bulk-1" }, body }));
    const [, ...rows] = await auditLog(member, 3);
    expect(rows.map(({ action, entity_id, request_id }) => [action, entity_id, request_id])).toEqual([
      ["pause", ids.target, "bulk-1"],
      ["pause", second.id, "bulk-1"],
    ]);
  });

  it("has the routes that a forced delete took out, beside the delete", async () => {
    const { member, ids } = await openRig();
    await done(member.delete(`/api/v1/targets/${ids.target}?force=true`));
    const [plan, target] = await auditLog(member, 2);
    expect(plan).toMatchObject({ action: "update", entity_type: "routing_plan", entity_id: ids.routing_plan });
    const [before, after] = changesOf(plan)["routes"] as unknown[][];
    expect([before?.length, after?.length]).toEqual([3, 2]);
    expect(target).toMatchObject({ action: "delete", entity_type: "target", request_id: plan?.["request_id"] });
  });

  it("never holds a secret, whatever is done with it", async () => {
    const { member, ids } = await openRig();
    const secret = (name: string) => `SECRET-${name}`;
    const step = { url: "https://bids.example", method: "POST", api_response: {} };
    const steps = (name: string) => [{ ...step, headers: [{ key: "Authorization", value: secret(name) }] }];
    const headers = (name: string) => ({ headers: { Authorization: secret(name) } });
    const tcpa = (name: string) => ({ tcpa_scrubbing_config: { api_key: secret(name), api_version: "v1" } });
    for (const name of ["first", "second"]) {
      await done(member.patch(`/api/v1/targets/${ids.target}`, { sip_password: secret(name) }));
      await done(member.patch(`/api/v1/campaigns/${ids.campaign}`, tcpa(name)));
      await done(member.patch(`/api/v1/outgoing-webhooks/${ids.outgoing_webhook}`, headers(name)));
      await done(member.patch(`/api/v1/rtbs/${ids.rtb_formula}`, { steps: steps(name) }));
    }
    const webhook = await done(member.post("/api/v1/incoming-webhooks", { name: "in" }));
    const rotated = await done(member.post(`/api/v1/incoming-webhooks/${webhook.id}/rotate-key`, {}));
    await done(member.delete(`/api/v1/incoming-webhooks/${webhook.id}`));
    const log = await auditLog(member, 11);
    for (const hidden of ["SECRET", webhook.auth_key, rotated.auth_key]) {
      expect(JSON.stringify(log)).not.toContain(hidden);
    }
    const changes = log.map((row) => changesOf(row));
    expect(changes.slice(4, 7)).toEqual([
      { sip_password: ["***", "***"] },
      { tcpa_scrubbing_config: [expect.objectContaining({ api_key: "***", api_version: "v1" }), expect.anything()] },
      { headers: ["***", "***"] },
    ]);
    expect(changes[7]?.["steps"]).toMatchObject([[{ headers: "***" }], [{ headers: "***", url: step.url }]]);
    expect(log[9]).toMatchObject({ action: "rotate_key", changes: [{ field: "auth_key", old: "***", new: "***" }] });
  });

  it("tells of keys that are made, rotated and revoked, but not what they are", async () => {
    const { member } = await openRig();
    const made = await done(member.post("/api/v1/api-keys", { name: "CRM", is_admin: true }));
    const next = await done(member.post(`/api/v1/api-keys/${made.id}/rotate`, { grace_seconds: 60 }));
    expect((await member.post(`/api/v1/api-keys/${made.id}/rotate`, {})).status).toBe(409);
    expect(await done(member.delete(`/api/v1/api-keys/${next.id}`))).toEqual({ success: true, id: next.id });
    await done(member.delete(`/api/v1/api-keys/${next.id}`));
    const log = await auditLog(member, 4, "&entity_type=api_key");
    expect(log.map(({ action, entity_id }) => [action, entity_id])).toEqual([
      ["create", made.id],
      ["rotate_key", made.id],
      ["create", next.id],
      ["delete", next.id],
    ]);
    expect(log[0]).toMatchObject({ entity_name: "CRM", actor: { type: "api_key", id: member.keyId } });
    expect(changesOf(log[0])).toEqual({ name: [null, "CRM"], prefix: [null, made.prefix], is_admin: [null, true] });
    expect(changesOf(log[1])).toEqual({ expires_at: [null, expect.any(String)] });
    expect(changesOf(log[3])).toEqual({ revoked_at: [null, expect.any(String)] });
    for (const { key } of [made, next]) {
      expect(JSON.stringify(log)).not.toContain(key.slice(9));
      expect(JSON.stringify(log)).not.toContain(hashKey(key));
    }
  });

  it("is read by what, which, who, when and what was done", async () => {
    const { member, ids } = await openRig();
    const second = await done(member.post("/api/v1/api-keys", { name: "second" }));
    await done(member.patch(`/api/v1/buyers/${ids.buyer}`, { name: "One" }));
    const headers = { "X-API-Key": second.key };
    await done(member.send("PATCH", `/api/v1/targets/${ids.target}`, { headers, body: { name: "Two" } }));
    await done(member.post(`/api/v1/buyers/${ids.buyer}/pause`, {}));
    const [, first] = await auditLog(member, 4);
    const kept = async (query: string) => {
      const { data } = await done(member.get(`/api/v1/audit-logs?sort_direction=asc&${query}`));
      return data.map(({ entity_type, action }: Shown) => `${action} ${entity_type}`);
    };
    expect(await kept("entity_type=buyer")).toEqual(["update buyer", "pause buyer"]);
    expect(await kept(`entity_id=${ids.target}`)).toEqual(["update target"]);
    expect(await kept("action=pause")).toEqual(["pause buyer"]);
    expect(await kept(`actor_id=${second.id}`)).toEqual(["update target"]);
    expect(await kept("entity_type=buyer&action=update")).toEqual(["update buyer"]);
    expect(await kept(`end_date=${first?.["created_at"]}&entity_type=buyer`)).toEqual([]);
    expect(await kept("start_date=2020-01-01&end_date=2020-06-01")).toEqual([]);
    expect(
      await kept(`start_date=${first?.["created_at"]}&end_date=2999-01-01`.replace("2999", String(nextYear))),
    ).toEqual(["update buyer", "update target", "pause buyer"]);
    expect(await kept("limit=1&offset=2")).toEqual(["update target"]);
    for (const query of [
      "action=nothing",
      "start_date=yesterday",
      "start_date=2026-02-01&end_date=2026-01-01",
      "limit=0",
      "start_date=2020-01-01&end_date=2022-01-01",
    ]) {
      expect((await member.get(`/api/v1/audit-logs?${query}`)).status, query).toBe(422);
    }
  });

  const nextYear = new Date().getUTCFullYear() + 1;
});

describe("a change whose process ends before its record was handed to the log", () => {
  /** Renames a buyer of the first organization in a process that the log is not to hear from. */
  async function changeAndCrash(
    dataDir: string,
    handOver: (database: Database, records: AuditRecord[]) => Promise<void>,
  ) {
    const database = await openSqliteDatabase({ path: joinPath(dataDir, "platform.sqlite") });
    const records: AuditRecord[] = [];
    const outbox = createAuditOutbox(database, {
      async publish(messages) {
        records.push(...messages.map(({ value }) => JSON.parse(String(value))));
        throw new Error("the log is not there");
      },
    });
    const troubles: unknown[] = [];
    const service = createResourceService({
      database,
      outbox,
      clock: systemClock,
      definitions,
      settled: async () => undefined,
      configOf: () => undefined,
      onTrouble: (error) => troubles.push(error),
    });
    const actor = { type: "api_key", id: "key-1", name: "test" } as const;
    const caller = { orgId: orgOne, actor, admin: true, rights: allRights };
    await service.create(definitionOf("buyer"), { caller, requestId: "lost?", sourceIp: null }, { name: "Sunny" });
    await vi.waitFor(() => expect(troubles).toHaveLength(1));
    await handOver(database, records);
    await database.close();
  }

  async function logAfterStart(dataDir: string) {
    // The embedded stores, in which the crash was, whatever the suite runs on.
    const settings = { DATABASE_URL: "", REDPANDA_BROKERS: "", API_RATE_LIMIT_PER_MIN: "100000" };
    const { get, one } = await openPlatform({ dataDir, settings });
    return vi.waitFor(async () => {
      const { body } = await get("/api/v1/audit-logs", one.key);
      expect(body.data).not.toEqual([]);
      return body.data;
    }, 10_000);
  }

  it("has it there after the next start", async () => {
    const dataDir = temporaryFolder();
    await changeAndCrash(dataDir, async () => undefined);
    expect(await logAfterStart(dataDir)).toMatchObject([
      { action: "create", request_id: "lost?", entity_name: "Sunny" },
    ]);
  });

  it("has it there once, when the log had taken it but nobody could note that", async () => {
    const dataDir = temporaryFolder();
    await changeAndCrash(dataDir, async (_database, [record]) => {
      const log = await openLmdbLog({ dir: joinPath(dataDir, "log"), clock: systemClock });
      onTestFinished(() => log.close());
      await log.publish([{ topic: "audit-log", key: record?.entity_id ?? "", value: JSON.stringify(record) }]);
      await log.close();
    });
    expect(await logAfterStart(dataDir)).toHaveLength(1);
  });
});
