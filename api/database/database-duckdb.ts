import { createQueue, inTransaction, openDuckdb } from "../../sql/duckdb.ts";
import {
  type ConfigChange,
  type Database,
  DatabaseError,
  type DatabaseRow,
  type DatabaseValue,
  type Queryable,
  runWork,
} from "./database.ts";
import { createListeners } from "./listeners.ts";

/** The embedded config database, a file apart from the warehouse's: no reporting SQL can ever reach a secret. */
export async function openDuckdbDatabase({ path }: { readonly path: string }): Promise<Database> {
  const instance = await openDuckdb(path, "config", { threads: 1 });
  const connection = await instance.connect();
  const inTurn = createQueue();
  const { tell, add } = createListeners();
  let closed = false;

  const direct: Queryable = {
    async query(sql: string, params: readonly DatabaseValue[] = []): Promise<DatabaseRow[]> {
      try {
        const reader = await connection.runAndReadAll(sql, [...params]);
        return reader.getRowObjectsJS().map(toRow);
      } catch (error) {
        throw toDatabaseError(error);
      }
    },
  };

  return {
    query: (sql, params) => inTurn(() => direct.query(sql, params)),
    // One connection, one transaction at a time: none can come between, so none is tried again.
    async transaction(work) {
      const announced: ConfigChange[] = [];
      const announce = async (changes: readonly ConfigChange[]) => void announced.push(...changes);
      const result = await inTurn(() => inTransaction(connection, () => runWork({ ...direct, announce }, work)));
      if (announced.length > 0) tell(announced);
      return result;
    },
    announce: async (changes) => tell(changes),
    onAnnounced: add,
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

/** The driver gives its errors no codes: from how its messages begin, here alone, they get one. */
function toDatabaseError(error: unknown): DatabaseError {
  const message = error instanceof Error ? error.message : String(error);
  if (/^Constraint Error: .*(Duplicate key|unique constraint|primary key)/i.test(message)) {
    return new DatabaseError("unique_violation", message, { cause: error });
  }
  return new DatabaseError(/^(IO|Fatal|Connection) Error/.test(message) ? "unavailable" : "invalid", message, {
    cause: error,
  });
}
