import { randomUUID } from "node:crypto";
import { type Client, escapeLiteral } from "pg";
import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import type { ConfigChange, Queryable } from "./database.ts";

export interface AnnouncementDeps {
  /** A connection of its own that the announcements keep, and replace when it is lost. */
  connect(): Promise<Client>;
  readonly clock: Clock;
  /** Told when the connection cannot be had; it is tried again. */
  onTrouble(error: unknown): void;
}
type Listener = (changes: readonly ConfigChange[] | null) => void;

const channel = "trunkline_config";
/** PostgreSQL takes less than 8000 bytes of payload; the rest is for what stands around the changes. */
const maxPayloadBytes = 7800;
/** Where more changed than this holds (some 1,000 documents), reading all again is no dearer than each by itself. */
const maxPayloads = 16;
const firstRetryMs = 100;
const longestRetryMs = 10_000;
/** A connection that was lost without a word is found out by asking. */
const heartbeatMs = 15_000;

const announcementSchema = z.object({
  from: z.string(),
  changes: z.array(z.object({ orgId: z.string(), type: z.string(), id: z.string() })).nullable(),
});

/**
 * Announcements between processes by LISTEN and NOTIFY, both on one connection: as long as it stands nothing is
 * missed, and when it was lost all are told that something may have been, by us what we could not say then.
 */
export async function openAnnouncements({ connect, clock, onTrouble }: AnnouncementDeps) {
  const self = randomUUID();
  const listeners = new Set<Listener>();
  const closing = new AbortController();
  let client: Client | null = null;
  let owed = false;
  let reconnecting: Promise<void> = Promise.resolve();

  const tell: Listener = (changes) => {
    for (const listener of listeners) listener(changes);
  };

  function hear(payload: string | undefined): void {
    const announcement = readPayload(payload);
    if (announcement?.from !== self) tell(announcement?.changes ?? null);
  }

  async function listen(): Promise<void> {
    const next = await connect();
    next.on("notification", ({ payload }) => hear(payload));
    next.once("end", () => lose(next));
    await next.query(`LISTEN ${channel}`).catch(async (error: unknown) => {
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
        await listen();
      } catch (error) {
        onTrouble(error);
        continue;
      }
      tell(null);
      if (owed) await send([]);
      return;
    }
  }

  /** The changes are committed already: where they cannot be told now, that is made good when the connection is back. */
  async function send(payloads: readonly string[]): Promise<void> {
    const current = client;
    if (current === null) {
      owed = true;
      return;
    }
    const due = owed ? [toPayload(self, null)] : payloads;
    owed = false;
    try {
      await current.query(notification(due));
    } catch {
      owed = true;
      lose(current);
    }
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(heartbeatMs, closing.signal);
      const current = client;
      if (current !== null && !closing.signal.aborted) await current.query("SELECT 1").catch(() => lose(current));
    }
  }

  async function end(): Promise<void> {
    const last = client;
    client = null;
    await last?.end();
  }

  await listen();
  const watching = watch();

  return {
    /** This process hears at once; the others when the database has passed it on. */
    async announce(changes: readonly ConfigChange[]): Promise<void> {
      if (changes.length === 0) return;
      tell(changes);
      await send(toPayloads(self, changes));
    },
    /** In a transaction: the server passes it on when that is kept; this process is told then by `tell`. */
    async announceIn(transaction: Queryable, changes: readonly ConfigChange[]): Promise<void> {
      if (changes.length > 0) await transaction.query(notification(toPayloads(self, changes)));
    },
    tell,
    onAnnounced(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close(): Promise<void> {
      closing.abort();
      await reconnecting;
      await end();
      await watching;
    },
  };
}

const notification = (payloads: readonly string[]): string =>
  `SELECT ${payloads.map((payload) => `pg_notify('${channel}', ${escapeLiteral(payload)})`).join(", ")}`;

const toPayload = (from: string, changes: readonly ConfigChange[] | null): string => JSON.stringify({ from, changes });

/** As many payloads as the changes need; one that says "anything may have changed" where they are too many or too long. */
export function toPayloads(from: string, changes: readonly ConfigChange[]): string[] {
  const parts: ConfigChange[][] = [];
  let room = 0;
  for (const { orgId, type, id } of changes) {
    const change = { orgId, type, id };
    const bytes = Buffer.byteLength(JSON.stringify(change)) + 1;
    if (bytes > maxPayloadBytes) return [toPayload(from, null)];
    if (bytes > room) {
      parts.push([]);
      room = maxPayloadBytes;
    }
    parts.at(-1)?.push(change);
    room -= bytes;
  }
  return parts.length > maxPayloads ? [toPayload(from, null)] : parts.map((part) => toPayload(from, part));
}

/** Null for what no process of ours wrote. */
function readPayload(payload: string | undefined): z.infer<typeof announcementSchema> | null {
  try {
    return announcementSchema.parse(JSON.parse(payload ?? ""));
  } catch {
    return null;
  }
}
