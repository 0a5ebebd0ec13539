import Sqlite from "libsql";
import { describe, expect, it } from "vitest";
import { createSqliteSession, type SqliteRequest } from "../../../api/database/sqlite-session.ts";

/** A real connection; `parts` may name a whole that is not there until the commit, which then fails. */
function openSession() {
  const connection = new Sqlite(":memory:");
  connection.exec("PRAGMA foreign_keys = ON");
  connection.exec("CREATE TABLE wholes (id TEXT PRIMARY KEY)");
  connection.exec("CREATE TABLE parts (whole TEXT REFERENCES wholes (id) DEFERRABLE INITIALLY DEFERRED)");
  const session = createSqliteSession(connection);
  let id = 0;
  const statement = (sql: string, ...params: string[]): SqliteRequest => ({ kind: "statement", id: ++id, sql, params });
  const within = (sql: string, ...params: string[]): SqliteRequest => ({ kind: "within", id: ++id, sql, params });
  const commit = (): SqliteRequest => ({ kind: "commit", id: ++id });
  const take = (...requests: SqliteRequest[]) => {
    for (const request of requests) session.take(request);
  };
  const wholes = () => connection.prepare("SELECT id FROM wholes ORDER BY id").pluck().all();
  return { ...session, take, statement, within, commit, connection, wholes };
}

const insertWhole = "INSERT INTO wholes (id) VALUES ($1)";
const insertPart = "INSERT INTO parts (whole) VALUES ($1)";
const begin = { kind: "begin" } as const;
const rollback = { kind: "rollback" } as const;

describe("a SQLite session", () => {
  it("answers what shares a commit after the commit, each with its own outcome", () => {
    const { take, settle, statement, within, commit, connection, wholes } = openSession();
    take(statement(insertWhole, "a"), statement(insertWhole, "a"), begin, within(insertWhole, "b"), commit());
    expect(connection.inTransaction).toBe(true);
    const replies = settle();
    expect(connection.inTransaction).toBe(false);
    expect(replies.map(({ id, kind }) => [id, kind]).sort()).toEqual([
      [1, "rows"],
      [2, "failure"],
      [3, "rows"],
      [4, "rows"],
    ]);
    expect(replies.find(({ id }) => id === 2)).toMatchObject({ code: "unique_violation" });
    expect(wholes()).toEqual(["a", "b"]);
  });

  it("answers a reading of what is not committed yet with it, and any other at once", () => {
    const { take, settle, statement, within } = openSession();
    take(statement("SELECT count(*) AS n FROM wholes"));
    expect(settle()).toEqual([{ id: 1, kind: "rows", columns: ["n"], rows: [[0]] }]);
    take(statement(insertWhole, "a"), statement("SELECT id FROM wholes"), begin, within("SELECT id FROM wholes"));
    // The transaction goes on, so nothing is committed: what is asked within it alone is answered.
    expect(settle()).toEqual([{ id: 4, kind: "rows", columns: ["id"], rows: [["a"]] }]);
    take(rollback);
    expect(settle().map(({ id }) => id)).toEqual([2, 3]);
  });

  it("undoes a transaction alone, not what shares its commit", () => {
    const { take, settle, statement, within, wholes } = openSession();
    take(statement(insertWhole, "before"), begin, within(insertWhole, "undone"), rollback, statement(insertWhole, "z"));
    settle();
    expect(wholes()).toEqual(["before", "z"]);
  });

  it("fails all of a group whose commit fails, keeps nothing of it, and goes on", () => {
    const { take, settle, statement, within, commit, wholes } = openSession();
    take(statement(insertWhole, "a"), begin, within(insertPart, "missing"), commit(), statement(insertWhole, "b"));
    const outcomes = Object.fromEntries(settle().map(({ id, kind }) => [id, kind]));
    expect(outcomes).toEqual({ 1: "failure", 2: "rows", 3: "failure", 4: "failure" });
    expect(wholes()).toEqual([]);
    take(statement(insertWhole, "again"));
    expect(settle()).toMatchObject([{ kind: "rows" }]);
    expect(wholes()).toEqual(["again"]);
  });

  it("refuses a statement that has fewer parameters than it names, and text with a NUL", () => {
    const { take, settle, statement, wholes } = openSession();
    take(statement(insertWhole, "a"), statement(insertWhole), statement(insertWhole, "b\0c"));
    expect(settle().filter(({ kind }) => kind === "failure")).toMatchObject([
      { id: 2, code: "invalid" },
      { id: 3, code: "invalid" },
    ]);
    expect(wholes()).toEqual(["a"]);
  });
});
