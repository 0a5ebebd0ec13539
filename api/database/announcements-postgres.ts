import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import {
  broadcastChannel,
  broadcastStatement,
  listenStatement,
  notifyStatement,
  readPayload,
  toPayload,
  toPayloads,
} from "./announcement-payloads.ts";
import { type ConfigChange, DatabaseError, type Queryable } from "./database.ts";
import { type LastingConnectionDeps, openLastingConnection } from "./lasting-connection.ts";
import { createListeners } from "./listeners.ts";

export type AnnouncementDeps = Pick<LastingConnectionDeps, "connect" | "clock" | "onTrouble">;

/**
 * Announcements and broadcasts between processes by LISTEN and NOTIFY, both on one connection: as long as it stands
 * nothing is missed, and when it was lost all are told that something may have been, by us what we could not say then.
 * A broadcast that could not be sent is its sender's to repeat.
 */
export async function openAnnouncements(deps: AnnouncementDeps) {
  const self = randomUUID();
  const { emit: tell, add } = createListeners<readonly ConfigChange[] | null>();
  const broadcasts = createListeners<string | null>();
  let owed = false;

  function hear(payload: string | undefined): void {
    const announcement = readPayload(payload);
    if (announcement?.from !== self) tell(announcement?.changes ?? null);
  }

  function receiveBroadcast(payload = ""): void {
    if (!payload.startsWith(self)) broadcasts.emit(payload.slice(self.length));
  }

  const connection = await openLastingConnection({
    ...deps,
    async prepare(client: Client) {
      client.on("notification", ({ channel, payload }) =>
        channel === broadcastChannel ? receiveBroadcast(payload) : hear(payload),
      );
      await client.query(listenStatement);
    },
    async onBack() {
      tell(null);
      broadcasts.emit(null);
      if (owed) await send([]);
    },
  });

  /** The changes are committed already: where they cannot be told now, that is made good when the connection is back. */
  async function send(payloads: readonly string[]): Promise<void> {
    const current = connection.current();
    if (current === null) {
      owed = true;
      return;
    }
    const due = owed ? [toPayload(self, null)] : payloads;
    owed = false;
    try {
      await current.query(notifyStatement(due));
    } catch {
      owed = true;
      connection.lose(current);
    }
  }

  return {
    /** This process hears at once; the others when the database has passed it on. */
    async announce(changes: readonly ConfigChange[]): Promise<void> {
      if (changes.length === 0) return;
      tell(changes);
      await send(toPayloads(self, changes));
    },
    /** In a transaction: the server passes it on when that is kept; this process is told then by `tell`. */
    async announceIn(transaction: Queryable, changes: readonly ConfigChange[]): Promise<void> {
      if (changes.length > 0) await transaction.query(notifyStatement(toPayloads(self, changes)));
    },
    tell,
    onAnnounced: add,
    async broadcast(messages: readonly string[]): Promise<void> {
      const current = connection.current();
      if (current === null) throw new DatabaseError("unavailable", "The connection to PostgreSQL is lost.");
      if (messages.length === 0) return;
      const payloads = messages.map((message) => self + message);
      await current.query(broadcastStatement, [payloads]).catch((cause: unknown) => {
        connection.lose(current);
        throw new DatabaseError("unavailable", "The connection to PostgreSQL was lost.", { cause });
      });
    },
    onBroadcast: broadcasts.add,
    close: connection.close,
  };
}
