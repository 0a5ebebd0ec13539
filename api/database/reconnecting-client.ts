import type { Client } from "pg";
import type { Clock } from "../../ingest/clock.ts";
import { startBackgroundTask } from "../process/background-task.ts";

export interface ReconnectingClientDeps {
  /** Opens a connection. */
  connect(): Promise<Client>;
  /** Prepares a new connection before it is used, such as by listening on it. */
  prepare(client: Client): Promise<void>;
  /** Called when a lost connection was replaced. */
  onReconnect(): Promise<void>;
  readonly clock: Clock;
  /** Called with the error of a failed reconnect, which is retried. */
  onTrouble(error: unknown): void;
}

const firstRetryMs = 100;
const maxRetryMs = 10_000;
/** Interval of the query that finds connections that were lost without an error. */
const heartbeatMs = 15_000;

/** Opens one connection to PostgreSQL that is kept open: checked by a heartbeat and replaced, with backoff, when lost. */
export async function openReconnectingClient(deps: ReconnectingClientDeps) {
  const { clock, onTrouble } = deps;
  const closing = new AbortController();
  let client: Client | null = null;
  let reconnecting: Promise<void> = Promise.resolve();

  async function open(): Promise<void> {
    const next = await deps.connect();
    next.once("end", () => discard(next));
    await deps.prepare(next).catch(async (error: unknown) => {
      await next.end();
      throw error;
    });
    client = next;
  }

  function discard(lost: Client): void {
    if (client !== lost) return;
    client = null;
    lost.end().catch(() => undefined);
    reconnecting = reconnect().catch(onTrouble);
  }

  async function reconnect(): Promise<void> {
    for (let waitMs = 0; !closing.signal.aborted; waitMs = Math.min(waitMs * 2 || firstRetryMs, maxRetryMs)) {
      await clock.sleep(waitMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        await open();
      } catch (error) {
        onTrouble(error);
        continue;
      }
      return deps.onReconnect();
    }
  }

  async function check(): Promise<void> {
    const current = client;
    await current?.query("SELECT 1").catch(() => discard(current));
  }

  await open();
  const heartbeat = startBackgroundTask({ clock, everyMs: heartbeatMs, work: check, onTrouble });

  return {
    /** Returns the connection, null while it is lost. */
    current: (): Client | null => client,
    /** Replaces a connection that a caller found lost. */
    discard,
    async close(): Promise<void> {
      closing.abort();
      const stopped = heartbeat.close();
      await reconnecting;
      const last = client;
      client = null;
      await last?.end();
      await stopped;
    },
  };
}
