import type { Database } from "../../database/database.ts";
import { waitingWebhooks } from "./claims.ts";

/**
 * Webhooks of which events wait in the database for their first attempt. While they do, later events go there, too: an
 * event of a call must not overtake the one before it.
 */
export function createBacklog(database: Pick<Database, "query">) {
  /** Keyed by webhook: the number of writes in flight, and the number of the last addition. */
  const webhooks = new Map<string, { writing: number; last: number }>();
  let additions = 0;

  const note = (webhookId: string, writing: number): void => {
    additions += 1;
    const known = webhooks.get(webhookId);
    webhooks.set(webhookId, { writing: (known?.writing ?? 0) + writing, last: additions });
  };

  return {
    has: (webhookId: string): boolean => webhooks.has(webhookId),

    /** Runs the write of an event of the webhook to the database. */
    async whileAdding<T>(webhookId: string, write: () => Promise<T>): Promise<T> {
      note(webhookId, 1);
      try {
        return await write();
      } finally {
        note(webhookId, -1);
      }
    },

    /** Reads which webhooks have events that wait, whichever process wrote them, and removes the others. */
    async refresh(): Promise<void> {
      const before = additions;
      const waiting = await waitingWebhooks(database);
      for (const [id, { writing, last }] of webhooks) {
        if (!waiting.has(id) && writing === 0 && last <= before) webhooks.delete(id);
      }
      for (const id of waiting) if (!webhooks.has(id)) webhooks.set(id, { writing: 0, last: 0 });
    },

    isEmpty: (): boolean => webhooks.size === 0,
  };
}
export type Backlog = ReturnType<typeof createBacklog>;
