import type { Client } from "pg";
import type { Clock } from "../../ingest/clock.ts";
import { startBackgroundTask } from "../process/background-task.ts";

export interface LastingConnectionDeps {
  /** A connection of its own that is kept, and replaced when it is lost. */
  connect(): Promise<Client>;
  /** Makes a new connection ready, before anybody uses it; it may listen on it. */
  prepare(client: Client): Promise<void>;
  /** Told when one stands again after it was lost. */
  onBack(): Promise<void>;
  readonly clock: Clock;
  /** Told when the connection cannot be had; it is tried again. */
  onTrouble(error: unknown): void;
}

const firstRetryMs = 100;
const longestRetryMs = 10_000;
/** A connection that was lost without a word is found out by asking. */
const heartbeatMs = 15_000;

/** One connection to PostgreSQL that is held open, asked now and then whether it stands, and had anew when it does not. */
export async function openLastingConnection(deps: LastingConnectionDeps) {
  const { clock, onTrouble } = deps;
  const closing = new AbortController();
  let client: Client | null = null;
  let reconnecting: Promise<void> = Promise.resolve();

  async function open(): Promise<void> {
    const next = await deps.connect();
    next.once("end", () => lose(next));
    await deps.prepare(next).catch(async (error: unknown) => {
      await next.end();
      throw error;
    });
    client = next;
  }

  function lose(lost: Client): void {
    if (client !== lost) return;
    client = null;
    lost.end().catch(() => undefined);
    reconnecting = reconnect().catch(onTrouble);
  }

  async function reconnect(): Promise<void> {
    for (let waitMs = 0; !closing.signal.aborted; waitMs = Math.min(waitMs * 2 || firstRetryMs, longestRetryMs)) {
      await clock.sleep(waitMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        await open();
      } catch (error) {
        onTrouble(error);
        continue;
      }
      return deps.onBack();
    }
  }

  async function ask(): Promise<void> {
    const current = client;
    await current?.query("SELECT 1").catch(() => lose(current));
  }

  await open();
  const heartbeat = startBackgroundTask({ clock, everyMs: heartbeatMs, work: ask, onTrouble });

  return {
    /** Null while it is lost. */
    current: (): Client | null => client,
    /** Whoever finds it lost says so: another is had. */
    lose,
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
