import { describe, expect, it, onTestFinished } from "vitest";
import { nextInSequence } from "../../api/config/documents.ts";
import { type ConfigChange, type Database, deleteInChunks, maxBroadcastBytes } from "../../api/database/database.ts";
import { describeStatements } from "./database-statements.ts";

export interface DatabaseEngine {
  readonly name: string;
  /** An empty database. Each call of what it returns opens one more handle of it, as one more process would. */
  prepare(): Promise<() => Promise<Database>>;
  /** Why there is only one handle at a time; null where there are several. */
  readonly oneHandleBecause: string | null;
}

/** An empty database, open until the test ends. */
export async function openOne(engine: DatabaseEngine): Promise<Database> {
  const open = await engine.prepare();
  return closedAfterTest(await open());
}

function closedAfterTest(database: Database): Database {
  onTestFinished(() => database.close());
  return database;
}

const change: ConfigChange = { orgId: "org_one", type: "buyer", id: "b1" };
const insertOrganization = "INSERT INTO organizations (id, name, timezone, created_at) VALUES ($1, $2, 'UTC', 't')";
const idsOf = async (database: Database) =>
  (await database.query("SELECT id FROM organizations ORDER BY id")).map(({ id }) => id);

/** What every config database does, whatever engine it runs on. */
export function describeDatabase(engine: DatabaseEngine): void {
  describe(`the config database on ${engine.name}`, () => {
    describeValues(engine);
    describeTransactions(engine);
    describeNotifications(engine);
    describeStatements(engine.name, () => openOne(engine));
    it("closes twice, and is unavailable from then on", async () => {
      const database = await (await engine.prepare())();
      await Promise.all([database.close(), database.close()]);
      await database.close();
      await expect(database.query("SELECT 1 AS one")).rejects.toMatchObject({ name: "DatabaseError" });
    });
  });
}

function describeValues(engine: DatabaseEngine): void {
  it.each([
    ["plain", "Blue Lake"],
    ["accents, other scripts and what lies beyond 16 bits", "Zoë Łukasz 東京 עברית 🌊👩‍👩‍👧"],
    ["quotes, backslashes and lines", `it's "so" \\n \n\t $1 -- ; %s`],
    ["no characters", ""],
    ["64 kB", "é".repeat(32 * 1024)],
  ])("keeps text: %s", async (_what, text) => {
    const database = await openOne(engine);
    await database.query(insertOrganization, ["a", text]);
    expect(await database.query("SELECT name FROM organizations WHERE name = $1", [text])).toEqual([{ name: text }]);
  });

  it("gives whole numbers as numbers, the largest safe one and counts too", async () => {
    const database = await openOne(engine);
    await database.query("INSERT INTO sequences (name, value) VALUES ('s', $1)", [Number.MAX_SAFE_INTEGER]);
    expect(await database.query("SELECT value, count(*) AS n FROM sequences GROUP BY value")).toEqual([
      { value: Number.MAX_SAFE_INTEGER, n: 1 },
    ]);
  });

  it("gives truth values and nothing as such", async () => {
    const database = await openOne(engine);
    const insert =
      "INSERT INTO api_keys (id, org_id, name, prefix, hash, is_admin, created_at, expires_at) VALUES ($1, 'o', 'n', 'p', $1, $2, 't', $3)";
    await database.query(insert, ["1", true, null]);
    await database.query(insert, ["2", false, "later"]);
    expect(await database.query("SELECT is_admin, expires_at FROM api_keys ORDER BY id")).toEqual([
      { is_admin: true, expires_at: null },
      { is_admin: false, expires_at: "later" },
    ]);
  });

  it("deletes all rows of a condition, more than at once, and no others", async () => {
    const database = await openOne(engine);
    const of = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => `('${name}${index}', '${name}', 'UTC', 't')`).join(", ");
    await database.query(
      `INSERT INTO organizations (id, name, timezone, created_at) VALUES ${of(2300, "gone")}, ${of(2, "kept")}`,
    );
    await deleteInChunks(database, { table: "organizations", key: "id", where: "name = $1", params: ["gone"] });
    expect(await idsOf(database)).toEqual(["kept0", "kept1"]);
  });

  it("gives no rows for a statement that has none", async () => {
    const database = await openOne(engine);
    expect(await database.query("SELECT id FROM organizations")).toEqual([]);
    expect(await database.query("DELETE FROM open_calls WHERE call_id = $1 RETURNING call_id", ["none"])).toEqual([]);
  });

  it("refuses a statement with a code, and goes on", async () => {
    const database = await openOne(engine);
    await expect(database.query("SELECT nonsense FROM nowhere")).rejects.toMatchObject({ code: "invalid" });
    await database.query(insertOrganization, ["a", "A"]);
    await expect(database.query(insertOrganization, ["a", "B"])).rejects.toMatchObject({ code: "unique_violation" });
    expect(await idsOf(database)).toEqual(["a"]);
  });
}

function describeTransactions(engine: DatabaseEngine): void {
  it("keeps all of a transaction and returns its result", async () => {
    const database = await openOne(engine);
    const result = await database.transaction(async (transaction) => {
      await transaction.query(insertOrganization, ["a", "A"]);
      await transaction.query(insertOrganization, ["b", "B"]);
      return (await transaction.query("SELECT count(*) AS n FROM organizations"))[0]?.n;
    });
    expect([result, await idsOf(database)]).toEqual([2, ["a", "b"]]);
  });

  it("keeps nothing of a transaction that throws, and throws what it threw", async () => {
    const database = await openOne(engine);
    const thrown = new Error("changed my mind");
    const work = database.transaction(async (transaction) => {
      await transaction.query(insertOrganization, ["a", "A"]);
      throw thrown;
    });
    await expect(work).rejects.toBe(thrown);
    expect(await idsOf(database)).toEqual([]);
  });

  it("keeps nothing of a transaction in which a statement failed, even if its work goes on", async () => {
    const database = await openOne(engine);
    const work = database.transaction(async (transaction) => {
      await transaction.query(insertOrganization, ["a", "A"]);
      await transaction.query(insertOrganization, ["a", "again"]).catch(() => undefined);
    });
    await expect(work).rejects.toThrow();
    expect(await idsOf(database)).toEqual([]);
    await database.query(insertOrganization, ["b", "B"]);
  });

  it("gives 50 transactions at once 50 numbers of a sequence", async () => {
    const database = await openOne(engine);
    const numbers = await Promise.all(
      Array.from({ length: 50 }, () => database.transaction((transaction) => nextInSequence(transaction, "pool"))),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });
}

function describeNotifications(engine: DatabaseEngine): void {
  it("is received in this process before notify resolves, until the listener is removed", async () => {
    const database = await openOne(engine);
    const received: unknown[] = [];
    const stop = database.onNotification((changes) => received.push(changes));
    await database.notify([change]);
    expect(received).toEqual([[change]]);
    stop();
    await database.notify([change]);
    expect(received).toHaveLength(1);
  });

  it("is received of a transaction when that is kept, before its result is there, and of no other", async () => {
    const database = await openOne(engine);
    const received: unknown[] = [];
    database.onNotification((changes) => received.push(changes));
    const thrown = database.transaction(async (transaction) => {
      await transaction.notify([change]);
      throw new Error("changed my mind");
    });
    await expect(thrown).rejects.toThrow("changed my mind");
    await database.transaction(async (transaction) => {
      await transaction.notify([change]);
      await transaction.notify([]);
      await transaction.notify([{ ...change, id: "b2" }]);
      expect(received).toEqual([]);
    });
    expect(received).toEqual([[change, { ...change, id: "b2" }]]);
  });

  const several = engine.oneHandleBecause === null;
  const unless = several ? "" : ` (not here: ${engine.oneHandleBecause})`;
  it.skipIf(!several)(`is received by every other handle, in order and once${unless}`, async () => {
    const open = await engine.prepare();
    const [one, two] = [closedAfterTest(await open()), closedAfterTest(await open())];
    const last = { ...change, id: "last ✓" };
    const lists = [one, two].map((database) => {
      const received: ConfigChange[] = [];
      const all = new Promise<ConfigChange[]>((resolve) => {
        database.onNotification((changes) => {
          received.push(...(changes ?? []));
          if (received.at(-1)?.id === last.id) resolve(received);
        });
      });
      return all;
    });
    const many = Array.from({ length: 300 }, (_, index) => ({ ...change, id: `b${index}` }));
    await one.transaction((transaction) => transaction.notify([change]));
    await one.notify(many);
    await one.notify([last]);
    expect(await Promise.all(lists)).toEqual([
      [change, ...many, last],
      [change, ...many, last],
    ]);
  });

  it.skipIf(!several)(`tells others that anything may have changed where very much has${unless}`, async () => {
    const open = await engine.prepare();
    const [one, two] = [closedAfterTest(await open()), closedAfterTest(await open())];
    const received = new Promise((resolve) => two.onNotification(resolve));
    await one.notify(Array.from({ length: 50_000 }, (_, index) => ({ ...change, id: `b${index}` })));
    expect(await received).toBeNull();
  });

  it.skipIf(!several)(`is not taken for a broadcast, which every other handle receives in order${unless}`, async () => {
    const open = await engine.prepare();
    const [one, two] = [closedAfterTest(await open()), closedAfterTest(await open())];
    const received: (string | null)[] = [];
    one.onBroadcast(() => received.push("its own"));
    const last = new Promise((resolve) => {
      two.onBroadcast((message) => {
        received.push(message);
        if (message === "last ✓") resolve(message);
      });
    });
    const long = "x".repeat(maxBroadcastBytes);
    await one.notify([change]);
    await one.broadcast([]);
    await one.broadcast(["'first'", long]);
    await one.broadcast(["last ✓"]);
    await last;
    expect(received).toEqual(["'first'", long, "last ✓"]);
  });
}
