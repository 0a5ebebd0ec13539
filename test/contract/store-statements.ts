import { expect, it } from "vitest";
import { createApiKeyStore } from "../../api/config/api-keys.ts";
import { type Actor, createAuditOutbox, recordChange } from "../../api/config/audit-outbox.ts";
import { createConfigStore } from "../../api/config/store.ts";
import type { Database } from "../../api/database/database.ts";
import { createOpenCallStore } from "../../api/telephony/open-calls.ts";
import { type OutboxMessage, signalMessage } from "../../api/telephony/outbox.ts";
import type { CallId } from "../../ingest/primitives.ts";
import { anOpenCall } from "../api/telephony/make-open-call.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { aDocument } from "./make-document.ts";

/** The statements of those who keep rows beside config: audit records, keys, organizations, open calls. */
export function describeStores(engine: string, open: () => Promise<Database>): void {
  const clock = createManualClock(startOfTime);

  it("hands audit records to the log and forgets them then", async () => {
    const database = await open();
    const published: unknown[] = [];
    const publish = async (messages: readonly { value: string }[]) => {
      published.push(...messages.map(({ value }) => JSON.parse(value).entity_name));
      return [];
    };
    const entity = (name: string) => ({ type: "buyer", id: "b", name });
    const caller = { orgId: orgOne, actor: { type: "api_key", id: "k", name: engine } } as const;
    const actor = { caller, requestId: null, sourceIp: null } as unknown as Actor;
    for (const name of ["Zoë", "東京"]) {
      clock.advance(1);
      await recordChange(database, actor, { action: "create", entity: entity(name), changes: [], now: clock.now() });
    }
    const outbox = createAuditOutbox(database, { publish } as Parameters<typeof createAuditOutbox>[1]);
    await outbox.drain();
    await outbox.drain();
    expect(published).toEqual(["Zoë", "東京"]);
  });

  it("keeps organizations and their keys", async () => {
    const database = await open();
    const [store, keys] = [createConfigStore(database, clock), createApiKeyStore(database, clock)];
    for (const name of ["Before", "After"]) await store.saveOrganization({ id: orgOne, name, timezone: "UTC" });
    expect(await store.organizations()).toEqual([{ id: orgOne, name: "After", timezone: "UTC" }]);
    const { key, ...issued } = await keys.issue(orgOne, "main", { isAdmin: true });
    expect(key).toMatch(/^tl_/);
    expect(await keys.list(orgOne)).toEqual([issued]);
    await keys.rotate(orgOne, issued.id, { graceSeconds: 60 });
    expect(await keys.valid()).toHaveLength(2);
    await keys.revoke(orgOne, issued.id);
    expect(await keys.valid()).toMatchObject([{ name: "main", isAdmin: true, expiresAt: null }]);
  });

  it("saves documents in bulk that name each other in any order", async () => {
    const database = await open();
    const store = createConfigStore(database, clock);
    const buyer = { type: "buyer", doc: aDocument("b") } as const;
    const target = {
      type: "target",
      doc: { ...aDocument("t"), buyer_id: "b", type: "number", number: "+18885550101" },
    } as const;
    for (let round = 0; round < 2; round += 1) await store.save(orgOne, [target, buyer]);
    expect((await store.documents(orgOne)).map(({ doc }) => doc.id)).toEqual(["b", "t"]);
    const [found, ...others] = await store.find([
      { type: "buyer", id: "b" },
      { type: "buyer", id: "none" },
    ]);
    expect([found?.doc, others]).toMatchObject([{ name: "Name of b" }, []]);
  });

  it("holds a row from when a transaction updates it, so that none of many changes at once is lost", async () => {
    const database = await open();
    await database.query(
      "INSERT INTO open_calls (call_id, org_id, version, doc, updated_at) VALUES ('c', $1, 1, '{\"tried\": []}', 't')",
      [orgOne],
    );
    const report = (target: number) =>
      database.transaction(async (db) => {
        const [row] = await db.query("UPDATE open_calls SET version = version + 1 WHERE call_id = $1 RETURNING doc", [
          "c",
        ]);
        const tried = [...JSON.parse(String(row?.doc)).tried, target];
        await db.query("UPDATE open_calls SET doc = $1 WHERE call_id = $2", [JSON.stringify({ tried }), "c"]);
      });
    const targets = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(targets.map(report));
    const [row] = await database.query("SELECT doc, version FROM open_calls");
    expect(JSON.parse(String(row?.doc)).tried.toSorted((a: number, b: number) => a - b)).toEqual(targets);
    expect(row?.version).toBe(21);
  });

  it("makes one step of an open call at a time, each with what it tells, and forgets the call after its end", async () => {
    const database = await open();
    const told: unknown[] = [];
    let reachable = false;
    const publish = async (all: readonly OutboxMessage[]) => {
      if (!reachable) throw new Error("the log is away");
      told.push(...all.map(({ value }) => ("at" in value ? value.at : null)));
    };
    const calls = createOpenCallStore({ database, clock, publish, onTrouble: () => undefined });
    const call = anOpenCall();
    const { call_id, org_id } = call;
    const signal = (second: number) => signalMessage({ kind: "answered", call_id, org_id, at: secondsIn(second) });
    const first = { call, messages: [signal(0)] };
    const place = () => calls.open({ callId: call_id, orgId: org_id }, async () => first);
    await expect(place()).rejects.toThrow("away");
    reachable = true;
    await calls.publishPending();
    expect(await place()).toBeNull();
    const other = { ...call, call_id: "another" as CallId, state: "ended" as const };
    const opened = await Promise.all(
      [1, 2, 3, 4].map(() =>
        calls.open({ callId: other.call_id, orgId: orgOne }, async () => ({ call: other, messages: [] })),
      ),
    );
    expect(opened.filter((each) => each !== null)).toHaveLength(1);
    const step = (second: number) =>
      calls.step(orgOne, call_id, (found) => ({
        call: { ...found, tried: [...found.tried, String(second)], state: "ended" },
        messages: [signal(second)],
      }));
    const seconds = Array.from({ length: 20 }, (_, index) => index + 1);
    const steps = await Promise.all(seconds.map(step));
    expect(Math.max(...steps.map((each) => each?.call.tried.length ?? 0))).toBe(20);
    expect(new Set(told)).toEqual(new Set([0, ...seconds].map(secondsIn)));
    expect(await calls.find(orgOne, call_id)).toMatchObject({ state: "ended" });
    expect(await calls.find(orgTwo, call_id)).toBeNull();
    expect(await calls.step(orgTwo, call_id, (found) => ({ call: found, messages: [] }))).toBeNull();
    clock.advance(2 * 60 * 60 * 1000);
    await calls.sweep();
    expect(await database.query("SELECT call_id FROM open_calls")).toEqual([]);
  });
}
