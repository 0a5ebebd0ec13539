import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findDocument } from "../../../api/config/documents.ts";
import { definitionOf, definitions, type ResourceType } from "../../../api/config/registry.ts";
import { createResourceService } from "../../../api/config/service.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import type { Database, Queryable } from "../../../api/database/database.ts";
import { openPostgresDatabase } from "../../../api/database/database-postgres.ts";
import { allRights } from "../../../api/serve/rights.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { createDatabase, testDatabaseUrl } from "../../postgres-server.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const actor = {
  caller: { orgId: orgOne, admin: false, rights: allRights, actor: { type: "api_key", id: "key", name: null } },
  requestId: null,
  sourceIp: null,
} as const;

/** Stops the first transaction before it is kept, until `go`. */
function stopping(database: Database) {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  let reached = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let first = true;
  const watched: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (db) => {
        const result = await work(db);
        if (first) {
          first = false;
          reached();
          await gone;
        }
        return result;
      }),
  };
  return { watched, stopped, go: () => go() };
}

async function openRig() {
  const { url, remove } = await createDatabase();
  onTestFinished(remove);
  const database = await openPostgresDatabase({ url });
  onTestFinished(() => database.close());
  const clock = createManualClock(startOfTime);
  await createConfigStore(database, clock).save(orgOne, [
    { type: "buyer", doc: { ...about, id: "b1", name: "First" } },
    { type: "buyer", doc: { ...about, id: "b2", name: "Second" } },
    { type: "target", doc: { ...about, id: "t", name: "Target", buyer_id: "b1", type: "number" } },
    { type: "number", doc: { ...about, id: "n", number: "+18005550150" } },
    { type: "number_pool", doc: { ...about, id: "p", name: "Pool", numbers_count: 0 } },
  ]);
  const serviceOn = (on: Database) =>
    createResourceService({
      database: on,
      clock,
      definitions,
      settled: async () => undefined,
      configOf: () => undefined,
      outbox: { drain: async () => undefined },
      onTrouble: expect.fail,
    });
  const { watched, stopped, go } = stopping(database);
  const [slow, quick] = [serviceOn(watched), serviceOn(database)];

  /** The status of `second`, which meets what `first` has written and not yet kept; both finish. */
  async function meeting(first: (service: typeof slow) => Promise<unknown>, second: typeof first): Promise<unknown[]> {
    const statusOf = (work: Promise<unknown>) =>
      work.then(
        () => 200,
        (error: unknown) => (error instanceof Error && "status" in error ? error.status : error),
      );
    const one = statusOf(first(slow));
    await stopped;
    const other = statusOf(second(quick));
    await vi.waitFor(async () => {
      const sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      expect(await database.query(sql)).toHaveLength(1);
    }, 5000);
    go();
    return Promise.all([one, other]);
  }
  const removing = (type: ResourceType, id: string) => (service: typeof slow) =>
    service.remove(definitionOf(type), actor, { id });
  return { database, meeting, remove: removing };
}

type Service = ReturnType<typeof createResourceService>;

const join = (service: Service) =>
  service.editAll(actor, [
    {
      definition: definitionOf("number"),
      id: "n",
      action: "update" as const,
      apply: (doc) => ({ ...doc, number_pool_id: "p", status: "pooled" }),
    },
    {
      definition: definitionOf("number_pool"),
      id: "p",
      action: "update" as const,
      apply: (doc) => ({ ...doc, numbers_count: Number(doc["numbers_count"]) + 1 }),
    },
  ]);

const isThere = async (db: Queryable, type: string, id: string) => (await findDocument(db, orgOne, type, id)) !== null;
const auditedDeletes = (db: Queryable) => db.query("SELECT id FROM audit_outbox WHERE record->>'action' = 'delete'");

describe.skipIf(testDatabaseUrl === undefined)("a delete on a PostgreSQL server (TEST_DATABASE_URL)", () => {
  it("of a pool that a number joins at the same time is refused", async () => {
    const { database, meeting, remove } = await openRig();
    expect(await meeting(join, remove("number_pool", "p"))).toEqual([200, 409]);
    expect(await isThere(database, "number_pool", "p")).toBe(true);
  });

  it("of a pool keeps out a number that would join at the same time", async () => {
    const { database, meeting, remove } = await openRig();
    expect(await meeting(remove("number_pool", "p"), join)).toEqual([200, 404]);
    expect((await findDocument(database, orgOne, "number", "n"))?.doc["number_pool_id"]).toBeNull();
  });

  it("of a number that joins a pool at the same time is refused", async () => {
    const { database, meeting, remove } = await openRig();
    expect(await meeting(join, remove("number", "n"))).toEqual([200, 409]);
    expect(await isThere(database, "number", "n")).toBe(true);
  });

  it("of a target whose buyer is changed at the same time leaves neither buyer in use", async () => {
    const { database, meeting, remove } = await openRig();
    const patch = (service: Service) =>
      service.patch(definitionOf("target"), actor, { id: "t", input: { buyer_id: "b2" } });
    expect(await meeting(patch, remove("target", "t"))).toEqual([200, 200]);
    expect(await database.query("SELECT from_id FROM document_references")).toEqual([]);
  });

  it("that two ask for at the same time is one's, and told of once", async () => {
    const { database, meeting, remove } = await openRig();
    expect(await meeting(remove("buyer", "b2"), remove("buyer", "b2"))).toEqual([200, 404]);
    expect(await auditedDeletes(database)).toHaveLength(1);
  });
});
