import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { closeSqlite, openSqlite, type SqliteConnection } from "../../sql/sqlite.ts";
import { importDuckdb } from "./import-duckdb.ts";
import { createSqliteSession, type SqliteReply, type SqliteRequest } from "./sqlite-session.ts";

/** What the service is sent. */
export type ToSqliteService = SqliteRequest | { readonly kind: "close" };
/** What it sends: first whether it has the file open, then answers, several at once. */
export type FromSqliteService =
  | { readonly kind: "opened"; readonly booleans: ReadonlySet<string> }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "replies"; readonly replies: readonly SqliteReply[] };

export interface SqliteFile {
  readonly path: string;
  /** Where an earlier version kept its config, if it did. */
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
        // A full disk: what is committed stands in the file beside it, and the lock goes with the process.
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
 * Names of the columns that hold truth values, which SQLite keeps as numbers. By name alone, as a result tells of
 * `RETURNING` columns nothing else: so a name has one type in all tables. Throws where that does not hold.
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
