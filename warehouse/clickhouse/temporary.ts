import { randomUUID } from "node:crypto";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";

/** Temporary tables of one session, gone with it. */
export function createTemporary(client: ClickHouseClient) {
  const session_id = randomUUID();
  // The session alone would do, where each has its own temporary tables.
  const name = `batch_${session_id.replaceAll("-", "")}`;
  const made: string[] = [];
  const command = (query: string, settings: ClickHouseSettings = {}) =>
    client.command({ query, session_id, clickhouse_settings: settings });

  async function select<T>(query: string): Promise<readonly T[]> {
    const found = await client.query({ query, session_id, format: "JSONEachRow" });
    return found.json<T>();
  }

  async function createTable(suffix: string, definition: string, settings: ClickHouseSettings = {}): Promise<string> {
    const table = `${name}_${suffix}`;
    made.push(table);
    await command(`CREATE TEMPORARY TABLE ${table} ${definition}`, settings);
    return table;
  }

  return {
    session_id,
    command,
    select,
    createTable,
    /** Ends it; what cannot be dropped goes with the session. */
    async drop(): Promise<void> {
      for (const table of made) await command(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined);
    },
  };
}
export type Select = ReturnType<typeof createTemporary>["select"];
