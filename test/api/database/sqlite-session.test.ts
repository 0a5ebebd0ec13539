import Sqlite from "libsql";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSqliteSession } from "../../../api/database/sqlite-session.ts";

/** A real connection; `parts` may name a whole that is not there until the commit, which then fails. */
function openSession() {
  const connection = new Sqlite(":memory:");
  connection.exec("PRAGMA foreign_keys = ON");
  connection.exec("CREATE TABLE wholes (id TEXT PRIMARY KEY)");
  connection.exec("CREATE TABLE parts (whole TEXT REFERENCES wholes (id) DEFERRABLE INITIALLY DEFERRED)");
  const syncs: { resolve(): void; reject(error: Error): void }[] = [];
  const session = createSqliteSession({
    connection,
    sync: () => new Promise((resolve, reject) => void syncs.push({ resolve, reject })),
  });
  const answered: string[] = [];
  /** Notes the name with `rows` or the error's code as soon as the request is answered. */
  const note = (name: string, request: Promise<unknown>) =>
    request.then(
      () => void answered.push(`${name} rows`),
      (error: { code?: string }) => void answered.push(`${name} ${error.code}`),
    );
  return {
    session,
    connection,
    syncs,
    answered,
    note,
    insertWhole: (id: string) => session.statement("INSERT INTO wholes (id) VALUES ($1)", [id]),
    readWholes: () => session.statement("SELECT id FROM wholes ORDER BY id", []),
    wholes: () => connection.prepare("SELECT id FROM wholes ORDER BY id").pluck().all(),
  };
}

/** Lets the event loop turn, until what it has to do is done. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a SQLite session", () => {
  // A group that has been open for long is committed at once: here time stands still.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("answers what shares a commit once that is on the disk, each with its own outcome", async () => {
    const { session, connection, syncs, answered, note, insertWhole, wholes } = openSession();
    void note("first", insertWhole("a"));
    void note("again", insertWhole("a"));
    session.begin();
    session.within("INSERT INTO wholes (id) VALUES ($1)", ["b"]);
    void note("transaction", session.commit());
    expect(connection.inTransaction).toBe(true);
    await turn();
    expect(connection.inTransaction).toBe(false);
    expect([wholes(), answered]).toEqual([["a", "b"], ["again unique_violation"]]);
    expect(syncs).toHaveLength(1);
    syncs[0]?.resolve();
    await turn();
    expect(answered.slice(1).sort()).toEqual(["first rows", "transaction rows"]);
  });

  it("lets commits that come while the disk is awaited share the next sync", async () => {
    const { syncs, answered, note, insertWhole } = openSession();
    for (const id of ["a", "b", "c"]) {
      void note(id, insertWhole(id));
      await turn();
    }
    expect(syncs).toHaveLength(1);
    syncs[0]?.resolve();
    await turn();
    expect([syncs.length, answered]).toEqual([2, ["a rows"]]);
    syncs[1]?.resolve();
    await turn();
    expect(answered).toEqual(["a rows", "b rows", "c rows"]);
  });

  it("answers a reading of what is not on the disk yet with it, and any other at once", async () => {
    const { session, syncs, answered, note, insertWhole, readWholes } = openSession();
    expect(await readWholes()).toEqual([]);
    void note("write", insertWhole("a"));
    void note("read", readWholes());
    session.begin();
    // Only what is asked within the transaction sees it at once.
    expect(session.within("SELECT id FROM wholes")).toEqual([{ id: "a" }]);
    session.rollback();
    await turn();
    expect(answered).toEqual([]);
    syncs[0]?.resolve();
    await turn();
    expect(answered).toEqual(["write rows", "read rows"]);
  });

  it("undoes a transaction alone, not what shares its commit", async () => {
    const { session, insertWhole, wholes } = openSession();
    void insertWhole("before");
    session.begin();
    session.within("INSERT INTO wholes (id) VALUES ($1)", ["undone"]);
    session.rollback();
    void insertWhole("z");
    await turn();
    expect(wholes()).toEqual(["before", "z"]);
  });

  it("fails all of a group whose commit fails, keeps nothing of it, and goes on", async () => {
    const { session, syncs, answered, note, insertWhole, wholes } = openSession();
    void note("a", insertWhole("a"));
    session.begin();
    session.within("INSERT INTO parts (whole) VALUES ($1)", ["missing"]);
    void note("transaction", session.commit());
    void note("b", insertWhole("b"));
    await turn();
    expect(answered.sort()).toEqual(["a invalid", "b invalid", "transaction invalid"]);
    expect(wholes()).toEqual([]);
    void note("again", insertWhole("again"));
    await turn();
    syncs[0]?.resolve();
    await turn();
    expect([wholes(), answered.at(-1)]).toEqual([["again"], "again rows"]);
  });

  it("answers nothing more when the disk has failed to store a commit", async () => {
    const { syncs, answered, note, insertWhole, readWholes } = openSession();
    void note("write", insertWhole("a"));
    await turn();
    syncs[0]?.reject(new Error("EIO"));
    await turn();
    void note("read", readWholes());
    await turn();
    expect(answered).toEqual(["write unavailable", "read unavailable"]);
  });

  it("fails what is written while the disk fails, too", async () => {
    const { connection, syncs, answered, note, insertWhole } = openSession();
    void note("synced", insertWhole("a"));
    await turn();
    void note("open", insertWhole("b"));
    syncs[0]?.reject(new Error("EIO"));
    await turn();
    expect(answered.sort()).toEqual(["open unavailable", "synced unavailable"]);
    expect(connection.inTransaction).toBe(false);
  });

  it("refuses a statement that has fewer parameters than it names, and text with a NUL", async () => {
    const { session, answered, note, insertWhole, wholes } = openSession();
    void insertWhole("a");
    void note("none", session.statement("INSERT INTO wholes (id) VALUES ($1)", []));
    void note("NUL", insertWhole("b\0c"));
    await turn();
    expect(answered).toEqual(["none invalid", "NUL invalid"]);
    expect(wholes()).toEqual(["a"]);
  });
});
