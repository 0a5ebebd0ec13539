import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createChdbConnection } from "chdb/connection";

type Connection = ReturnType<typeof createChdbConnection>;

/** What the real client sends beside settings. */
const notSettings = ["database", "session_id", "session_timeout", "query_id", "query", "default_format", "role"];
/** The engine in process keeps a setting of this kind for all that comes after on the connection, and knows no client. */
const ofServers = [
  "readonly",
  "cancel_http_readonly_queries_on_client_close",
  "wait_end_of_query",
  "enable_http_compression",
];

export interface FrontGiven {
  /** What the engine keeps; of one process at a time. */
  readonly folder: string;
  /** Any that is free, unless given. */
  readonly port?: number;
  /** Stands around the work on each statement. */
  around?<T>(statement: string, work: () => Promise<T>): Promise<T>;
}

/**
 * ClickHouse's engine in this process behind as much of its HTTP interface as the client speaks. A request has its own
 * settings; those of a session share its temporary tables.
 */
export async function openFront({ folder, port = 0, around = (_, work) => work() }: FrontGiven) {
  const connections = new Map<string, Promise<Connection>>();
  let isAway = false;
  let password = "";

  async function connect(query: URLSearchParams): Promise<Connection> {
    const settings = [...query].filter(
      ([name]) => !name.startsWith("param_") && !notSettings.includes(name) && !ofServers.includes(name),
    );
    const database = query.get("database") ?? "default";
    const key = JSON.stringify([query.get("session_id"), database, query.has("session_id") ? null : settings]);
    const opening = connections.get(key) ?? open(database);
    connections.set(key, opening);
    opening.catch(() => connections.delete(key));
    const connection = await opening;
    for (const [name, value] of settings) await connection.command({ query: `SET ${name} = '${value}'` });
    return connection;
  }

  /** Whoever asks for a connection that another request opens waits until it is in its database. */
  async function open(database: string): Promise<Connection> {
    const connection = createChdbConnection({ path: folder });
    await connection.command({ query: `USE \`${database}\`` }).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    return connection;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams: query, pathname } = new URL(request.url ?? "/", "http://engine");
    if (isAway) return void request.socket.destroy();
    if (pathname === "/ping") return void response.end("Ok.\n");
    const sent = await buffer(request);
    const signedIn = Buffer.from((request.headers.authorization ?? "").replace(/^Basic /, ""), "base64").toString();
    if (signedIn !== `default:${password}`) {
      return fail(response, {
        status: 403,
        message: "Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)",
      });
    }
    try {
      const connection = await connect(query);
      const form = await formOf(request, sent);
      const statement = query.get("query");
      const text = form.get("query") ?? (statement === null ? sent.toString() : `${statement}\n${sent}`);
      const bound = [...query, ...form].filter(([name]) => name.startsWith("param_"));
      const query_params = Object.fromEntries(
        bound.map(([name, value]) => [name.slice("param_".length), plain(value)]),
      );
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const { stream } = await around(text, () =>
        connection.exec({ query: text, query_params, abort_signal: gone.signal }),
      );
      response.writeHead(200, { "Content-Type": "text/plain", "X-ClickHouse-Query-Id": query.get("query_id") ?? "" });
      stream.pipe(response);
    } catch (error) {
      fail(response, { status: 500, message: describe(error) });
    }
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** Requests that sign in otherwise are refused, as a server refuses them. */
    setPassword: (next: string) => {
      password = next;
    },
    /** Drops every connection until it is told to come back. */
    goAway: () => {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack: () => {
      isAway = false;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      for (const opening of connections.values()) await (await opening).close();
    },
  };
}

/** What the client sends in parts, as it does with many values. */
async function formOf({ headers }: IncomingMessage, sent: Buffer): Promise<ReadonlyMap<string, string>> {
  const { "content-type": type = "" } = headers;
  if (!type.startsWith("multipart/form-data")) return new Map();
  const form = await new Response(new Uint8Array(sent), { headers: { "Content-Type": type } }).formData();
  return new Map([...form].map(([name, value]) => [name, String(value)]));
}

/** As in tab-separated values, which is how the client writes parameters. */
const plain = (value: string): string =>
  value.replaceAll(/\\([tnr0\\'])/g, (_, letter: string) => ({ t: "\t", n: "\n", r: "\r", 0: "\0" })[letter] ?? letter);

function fail(response: ServerResponse, { status, message }: { status: number; message: string }): void {
  const code = /^Code: (\d+)/.exec(message)?.[1] ?? "0";
  response.writeHead(status, { "X-ClickHouse-Exception-Code": code }).end(message);
}

/** The engine's own words stand at the end of the chain. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && !/^Code: /.test((error as Error).message)) return describe(cause);
  return error instanceof Error ? error.message : String(error);
}
