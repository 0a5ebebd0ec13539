import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { closeSqlite, openSqlite, type SqliteConnection } from "../../sql/sqlite.ts";
import { importDuckdb } from "./import-duckdb.ts";
import { createSqliteSession, type SqliteReply, type SqliteRequest } from "./sqlite-session.ts";

/** Messages to the service. */
export type ToSqliteService = SqliteRequest | { readonly kind: "close" };
/** Messages of the service: first the outcome of opening the file, then replies, several at once. */
export type FromSqliteService =
  | { readonly kind: "opened"; readonly booleans: ReadonlySet<string> }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "replies"; readonly replies: readonly SqliteReply[] };

export interface SqliteFile {
  readonly path: string;
  /** File in which an earlier version kept its config. */
  readonly importFrom?: string;
}

/** Serves a config database over a port until it is asked to close, and then closes the port. */
export async function serveSqlite({ path, importFrom }: SqliteFile, port: MessagePort): Promise<void> {
  const send = (message: FromSqliteService) => port.postMessage(message);
  let connection: SqliteConnection;
  let booleans: ReadonlySet<string>;
  try {
    connection = await openSqlite(path, "config");
    if (importFrom !== undefined) await importDuckdb(connection, importFrom);
    booleans = booleanColumns(connection);
  } catch (error) {
    send({ kind: "refused", error });
    return port.close();
  }
  const session = createSqliteSession(connection);

  function take(message: ToSqliteService): void {
    if (message.kind === "close") {
      settle();
      try {
        closeSqlite(connection);
      } catch {
        // A full disk: commits are in the write-ahead log, and the lock ends with the process.
      }
      port.close();
    } else session.take(message);
  }

  function settle(): void {
    const replies = session.settle();
    if (replies.length > 0) send({ kind: "replies", replies });
  }

  port.on("message", (first: ToSqliteService) => {
    take(first);
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      take(next.message as ToSqliteService);
    }
    if (connection.open) settle();
  });
  send({ kind: "opened", booleans });
}

/**
 * Returns the names of boolean columns, which SQLite stores as numbers. Results of `RETURNING` give the name alone, so a
 * name must have one type in all tables: throws if it has not.
 */
function booleanColumns(connection: SqliteConnection): ReadonlySet<string> {
  const columns = connection
    .prepare(
      "SELECT DISTINCT c.name, c.type FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'",
    )
    .all() as { readonly name: string; readonly type: string }[];
  const booleans = new Set(columns.filter(({ type }) => type === "BOOLEAN").map(({ name }) => name));
  const other = columns.find(({ name, type }) => type !== "BOOLEAN" && booleans.has(name));
  if (other !== undefined)
    throw new Error(`Column ${other.name} is BOOLEAN in one table and ${other.type} in another.`);
  return booleans;
}
