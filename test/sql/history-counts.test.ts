import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it, onTestFinished } from "vitest";
import { readMigrations } from "../../sql/migrate.ts";

const rows = [
  "('one', '2026-01-01 23:59:59.999', 'a')",
  "('one', '2026-01-02 00:00:00.000', 'b')",
  "('one', '2026-01-02 00:00:59.999', 'c')",
  "('one', '2026-01-02 00:01:00.000', 'd')",
  "('two', '2026-01-02 00:00:00.000', 'a')",
];
const outgoing = `INSERT INTO outgoing_webhook_requests (org_id, created_at, id, updated_at, outgoing_webhook_config_id,
    event_type_id, method, url, path, attempt, outcome)
  SELECT org_id, moment::TIMESTAMP, id, moment::TIMESTAMP, 'hook', 'call.completed', 'POST', 'u', 'p', 1, 'delivered'
  FROM (VALUES ${rows.join(", ")}) AS given (org_id, moment, id)`;
const incoming = `INSERT INTO incoming_webhook_requests (org_id, created_at, id, updated_at, incoming_webhook_config_id, method, path)
  SELECT org_id, moment::TIMESTAMP, id, moment::TIMESTAMP, 'hook', 'POST', 'p' FROM (VALUES ${rows.join(", ")}) AS given (org_id, moment, id)`;

it("requests of before are counted in their days and minutes", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  for (const { version, sql } of readMigrations("warehouse", "duckdb")) {
    if (version === 5) for (const statement of [outgoing, incoming]) await connection.run(statement);
    // One transaction for each, as they are applied.
    await connection.run("BEGIN");
    await connection.run(sql);
    await connection.run("COMMIT");
  }
  const read = async (table: string) =>
    (await connection.runAndReadAll(`SELECT org_id, slot, requests FROM loader.${table} ORDER BY ALL`)).getRows();
  const midnight = BigInt(Date.parse("2026-01-02T00:00:00.000Z"));
  const [day, minute] = [midnight / 86_400_000n, midnight / 60_000n];
  for (const table of ["outgoing_webhook_requests", "incoming_webhook_requests"]) {
    expect(await read(`${table}_by_day`)).toEqual([
      ["one", day - 1n, 1n],
      ["one", day, 3n],
      ["two", day, 1n],
    ]);
    expect(await read(`${table}_by_minute`)).toEqual([
      ["one", minute - 1n, 1n],
      ["one", minute, 2n],
      ["one", minute + 1n, 1n],
      ["two", minute, 1n],
    ]);
  }
});
