import { randomUUID } from "node:crypto";
import { type Client, escapeLiteral } from "pg";
import { z } from "zod";
import { type ConfigChange, createListeners, DatabaseError, type Queryable } from "./database.ts";
import { openReconnectingClient, type ReconnectingClientDeps } from "./reconnecting-client.ts";

export type NotificationDeps = Pick<ReconnectingClientDeps, "connect" | "clock" | "onTrouble">;

/**
 * Opens change notifications and broadcasts between processes by LISTEN and NOTIFY, both on one connection: none is missed
 * while it stands. After a lost connection all listeners are called with null, as something may have been missed; those
 * of other processes too if this one could not send change notifications. A failed broadcast is the sender's to repeat.
 */
export async function openNotifications(deps: NotificationDeps) {
  const self = randomUUID();
  const notifications = createListeners<readonly ConfigChange[] | null>();
  const broadcasts = createListeners<string | null>();
  let hasUnsent = false;

  function receiveNotification(payload: string | undefined): void {
    const notification = readPayload(payload);
    if (notification?.from !== self) notifications.emit(notification?.changes ?? null);
  }

  function receiveBroadcast(payload = ""): void {
    if (!payload.startsWith(self)) broadcasts.emit(payload.slice(self.length));
  }

  const connection = await openReconnectingClient({
    ...deps,
    async prepare(client: Client) {
      client.on("notification", ({ channel, payload }) =>
        channel === broadcastChannel ? receiveBroadcast(payload) : receiveNotification(payload),
      );
      await client.query(`LISTEN ${changeChannel}; LISTEN ${broadcastChannel}`);
    },
    async onReconnect() {
      notifications.emit(null);
      broadcasts.emit(null);
      if (hasUnsent) await send([]);
    },
  });

  /** Sends notifications of committed changes; those that cannot be sent now are made up for after the reconnect. */
  async function send(payloads: readonly string[]): Promise<void> {
    const current = connection.current();
    if (current === null) {
      hasUnsent = true;
      return;
    }
    const due = hasUnsent ? [toPayload(self, null)] : payloads;
    hasUnsent = false;
    try {
      await current.query(notifyStatement(due));
    } catch {
      hasUnsent = true;
      connection.discard(current);
    }
  }

  return {
    /** Notifies this process at once, and the others as soon as the database has passed it on. */
    async notify(changes: readonly ConfigChange[]): Promise<void> {
      if (changes.length === 0) return;
      notifications.emit(changes);
      await send(toPayloads(self, changes));
    },
    /** Notifies the other processes when the transaction commits; this process is notified by `emit` after that. */
    async notifyIn(transaction: Queryable, changes: readonly ConfigChange[]): Promise<void> {
      if (changes.length > 0) await transaction.query(notifyStatement(toPayloads(self, changes)));
    },
    emit: notifications.emit,
    onNotification: notifications.add,
    async broadcast(messages: readonly string[]): Promise<void> {
      const current = connection.current();
      if (current === null) throw new DatabaseError("unavailable", "The connection to PostgreSQL is lost.");
      if (messages.length === 0) return;
      const payloads = messages.map((message) => self + message);
      await current.query(broadcastStatement, [payloads]).catch((cause: unknown) => {
        connection.discard(current);
        throw new DatabaseError("unavailable", "The connection to PostgreSQL was lost.", { cause });
      });
    },
    onBroadcast: broadcasts.add,
    close: connection.close,
  };
}

const changeChannel = "trunkline_config";
const broadcastChannel = "trunkline_broadcast";
/** PostgreSQL takes less than 8000 bytes of payload; the rest is for the JSON around the changes. */
const maxPayloadBytes = 7800;
/** For more changes than this holds, some 1,000 documents, reading everything again is as cheap. */
const maxPayloads = 16;

const payloadSchema = z.object({
  from: z.string(),
  changes: z.array(z.object({ orgId: z.string(), type: z.string(), id: z.string() })).nullable(),
});

const notifyStatement = (payloads: readonly string[]): string =>
  `SELECT ${payloads.map((payload) => `pg_notify('${changeChannel}', ${escapeLiteral(payload)})`).join(", ")}`;

/** Sends broadcasts, given as an array of texts. */
const broadcastStatement = `SELECT count(pg_notify('${broadcastChannel}', payload)) FROM unnest($1::text[]) AS payload`;

/** Null changes: anything may have changed. */
const toPayload = (from: string, changes: readonly ConfigChange[] | null): string => JSON.stringify({ from, changes });

/** Returns as many payloads as the changes need; a single one without changes if they are too many or too long. */
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

/** Parses a payload; null for one that no process of this platform wrote. */
function readPayload(payload: string | undefined): z.infer<typeof payloadSchema> | null {
  try {
    return payloadSchema.parse(JSON.parse(payload ?? ""));
  } catch {
    return null;
  }
}
