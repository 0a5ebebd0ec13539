import { createQueue, inTransaction, openDuckdb } from "../../sql/duckdb.ts";
import type { Database, DatabaseRow, DatabaseValue, Queryable } from "./database.ts";

/** The embedded config database, a file apart from the warehouse's: no reporting SQL can ever reach a secret. */
export async function openDuckdbDatabase({ path }: { readonly path: string }): Promise<Database> {
  const instance = await openDuckdb(path, "config");
  const connection = await instance.connect();
  const inTurn = createQueue();
  const listeners = new Set<(orgId: string) => void>();
  let closed = false;

  const direct: Queryable = {
    async query(sql: string, params: readonly DatabaseValue[] = []): Promise<DatabaseRow[]> {
      const reader = await connection.runAndReadAll(sql, [...params]);
      return reader.getRowObjectsJS().map(toRow);
    },
  };

  return {
    query: (sql, params) => inTurn(() => direct.query(sql, params)),
    // One connection, one transaction at a time: none can come between, so none is tried again.
    transaction: (work) => inTurn(() => inTransaction(connection, () => work(direct))),
    async announce(orgId) {
      for (const listener of listeners) listener(orgId);
    },
    onAnnounced(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      if (closed) return;
      closed = true;
      await inTurn(async () => {
        connection.closeSync();
        instance.closeSync();
      });
    },
  };
}

function toRow(row: Record<string, unknown>): DatabaseRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "bigint" ? Number(value) : (value as DatabaseValue),
    ]),
  );
}
