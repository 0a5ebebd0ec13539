import { describe, expect, it, onTestFinished, vi } from "vitest";
import { replaceReferences } from "../../../api/config/document-references.ts";
import { deleteDocument, findDocument, insertDocument } from "../../../api/config/documents.ts";
import type { ConfigChange, Database } from "../../../api/database/database.ts";
import { openPostgresDatabase, type PostgresDatabaseOptions } from "../../../api/database/database-postgres.ts";
import { readMigrations } from "../../../sql/migrate.ts";
import { describeDatabase } from "../../contract/database.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { createDatabase, onServer, testDatabaseUrl } from "../../postgres-server.ts";

const noServer = testDatabaseUrl === undefined;
if (noServer) process.stderr.write("SKIPPED: tests on a PostgreSQL server. `npm run test:services` runs them.\n");

async function createEmpty(): Promise<string> {
  const { url, remove } = await createDatabase();
  onTestFinished(remove);
  return url;
}

async function openHandle(url: string, given: Partial<PostgresDatabaseOptions> & { name?: string } = {}) {
  const { name = "test", ...options } = given;
  const named = new URL(url);
  named.searchParams.set("application_name", name);
  const database = await openPostgresDatabase({ url: named.href, ...options });
  onTestFinished(() => database.close());
  return database;
}

/** Ends the server's side of the connections of a handle. */
const cutOff = (name: string) =>
  onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}'`);

const nextHeard = (database: Database) =>
  new Promise<readonly ConfigChange[] | null>((resolve) => {
    const stop = database.onNotification((changes) => {
      stop();
      resolve(changes);
    });
  });

function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

const aDocument = (id: string) => ({
  id,
  org_id: orgOne,
  created_at: secondsIn(0),
  updated_at: secondsIn(0),
  name: id,
});
const noKeys = { externalId: null, uniqueKey: null };
const increment = "UPDATE sequences SET value = value + 1 WHERE name = $1";

describe.skipIf(noServer)("a PostgreSQL server (TEST_DATABASE_URL)", () => {
  describeDatabase({
    name: "PostgreSQL",
    async prepare() {
      const url = await createEmpty();
      return () => openPostgresDatabase({ url });
    },
    oneHandleBecause: null,
  });

  it("is brought up to date once by many processes that start at the same time", async () => {
    const url = await createEmpty();
    const databases = await Promise.all(Array.from({ length: 8 }, () => openHandle(url)));
    const counts = await Promise.all(
      databases.map((database) => database.query("SELECT count(*) AS n FROM schema_migrations")),
    );
    expect(new Set(counts.map(([row]) => row?.n))).toEqual(new Set([readMigrations("config", "postgres").length]));
  });

  it("runs one of two transactions again that wait for each other", async () => {
    const database = await openHandle(await createEmpty());
    await database.query("INSERT INTO sequences (name, value) VALUES ('a', 0), ('b', 0)");
    const [one, two] = [createGate(), createGate()];
    let runs = 0;
    const both = (first: string, second: string, mine: typeof one, other: typeof one) =>
      database.transaction(async (transaction) => {
        runs += 1;
        await transaction.query(increment, [first]);
        mine.open();
        await other.opened;
        await transaction.query(increment, [second]);
      });
    await Promise.all([both("a", "b", one, two), both("b", "a", two, one)]);
    expect(runs).toBe(3);
    expect(await database.query("SELECT value FROM sequences")).toEqual([{ value: 2 }, { value: 2 }]);
  });

  it("runs a transaction again that named a document which was deleted meanwhile", async () => {
    const database = await openHandle(await createEmpty());
    await insertDocument(database, "target", aDocument("t"), noKeys);
    let runs = 0;
    const work = database.transaction(async (transaction) => {
      runs += 1;
      const target = await findDocument(transaction, orgOne, "target", "t");
      if (target === null) throw new Error("there is no such target");
      await insertDocument(transaction, "routing_plan", aDocument("p"), noKeys);
      await replaceReferences(transaction, "routing_plan", aDocument("p"), [{ type: "target", id: "t", loc: [] }]);
      await database.transaction((other) => deleteDocument(other, target));
    });
    await expect(work).rejects.toThrow("there is no such target");
    expect(runs).toBe(2);
    expect(await findDocument(database, orgOne, "routing_plan", "p")).toBeNull();
  });

  it("gives up on work that is overtaken each time", async () => {
    const database = await openHandle(await createEmpty());
    let runs = 0;
    const work = database.transaction(async (transaction) => {
      runs += 1;
      await transaction.query("DO $$ BEGIN RAISE EXCEPTION 'overtaken' USING ERRCODE = '40001'; END $$");
    });
    await expect(work).rejects.toMatchObject({ code: "unavailable" });
    expect(runs).toBe(5);
  });

  it("stops a statement at its deadline", async () => {
    const database = await openHandle(await createEmpty(), { statementTimeoutMs: 50 });
    await expect(database.query("SELECT pg_sleep(60)")).rejects.toMatchObject({ code: "unavailable" });
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("keeps out a document that lists could not look into", async () => {
    const database = await openHandle(await createEmpty());
    for (const name of ["\u0000", "\ud800"]) {
      const insert = insertDocument(database, "buyer", { ...aDocument("b"), name } as never, noKeys);
      await expect(insert).rejects.toMatchObject({ code: "invalid" });
    }
  });

  it("goes on after its connections are lost, and says that notifications may have been missed", async () => {
    const url = await createEmpty();
    const database = await openHandle(url, { name: "lost" });
    const other = await openHandle(url);
    await database.query("SELECT 1");
    const heard = nextHeard(database);
    await cutOff("lost");
    expect(await heard).toBeNull();
    const next = nextHeard(database);
    const change = { orgId: orgOne, type: "buyer", id: "b" };
    await other.notify([change]);
    expect(await next).toEqual([change]);
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("makes good for others what it could not tell while its connection was lost", async () => {
    const url = await createEmpty();
    const clock = createManualClock(startOfTime);
    const database = await openHandle(url, { name: "mute", clock });
    const other = await openHandle(url);
    const heard = nextHeard(other);
    await cutOff("mute");
    // One sleeps until the next heartbeat; the other until it may connect again.
    await vi.waitFor(() => expect(clock.sleepers()).toBe(2));
    await database.notify([{ orgId: orgOne, type: "buyer", id: "b" }]);
    clock.advance(0);
    expect(await heard).toBeNull();
  });

  it("fails a transaction whose connection is lost, and keeps nothing of it", async () => {
    const database = await openHandle(await createEmpty(), { name: "torn" });
    const work = database.transaction(async (transaction) => {
      await transaction.query("INSERT INTO sequences (name, value) VALUES ('a', 1)");
      await cutOff("torn");
      await transaction.query(increment, ["a"]);
    });
    await expect(work).rejects.toMatchObject({ code: "unavailable" });
    expect(await database.query("SELECT name FROM sequences")).toEqual([]);
  });
});

describe("a PostgreSQL server that is not there", () => {
  it("is told of at the start, with what to do and without the password", async () => {
    const opened = openPostgresDatabase({ url: "postgresql://me:secret@127.0.0.1:1/none" });
    await expect(opened).rejects.toThrow(/cannot be reached: .*ECONNREFUSED.*Check DATABASE_URL/);
    await expect(opened).rejects.not.toThrow(/secret/);
  });
});
