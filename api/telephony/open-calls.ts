import { z } from "zod";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import { callId, type OrgId, orgId } from "../../ingest/primitives.ts";
import type { Database, Queryable } from "../config/database.ts";

/** What the next instruction for a call needs, kept where every process of the API finds it. */
export const openCallSchema = z.object({
  call_id: callId,
  org_id: orgId,
  /** The tracking number that was dialed. */
  number: z.string(),
  state: z.enum(["dialing", "connected", "ended"]),
  /** Target now dialed or connected; null when the call was refused. */
  target_id: z.string().nullable(),
  /** Targets tried so far, the present one included. */
  tried: z.array(z.string()),
  /** When the call came in, and the time of the last thing that a switch said of it. */
  started_at: z.string(),
  last_at: z.string(),
});
export type OpenCall = z.infer<typeof openCallSchema>;

/** An ended call is kept this long, so that a repeated callback meets what it should. */
const keepEndedMs = 60 * 60 * 1000;
/** A call that its switch has forgotten. */
const keepSilentMs = 12 * 60 * 60 * 1000;

/** Calls that switches still report on. Two reports on one call cannot both change it: the second one is tried again. */
export function createOpenCallStore(database: Database, clock: Clock) {
  const columns = (call: OpenCall) => [JSON.stringify(call), isoTime(clock.now()), call.call_id] as const;

  return {
    async open(call: OpenCall): Promise<void> {
      await database.query(
        "INSERT INTO open_calls (doc, updated_at, call_id, org_id, version) VALUES ($1, $2, $3, $4, 1)",
        [...columns(call), call.org_id],
      );
    },

    /**
     * Changes a call by what `work` makes of it, one report at a time. `work` returns the call as it shall stand and
     * its own result; null for a call that is not this organization's.
     */
    async change<T>(
      orgId: OrgId,
      id: string,
      work: (call: OpenCall) => Promise<{ call: OpenCall; result: T }>,
    ): Promise<T | null> {
      return database.transaction(async (transaction) => {
        const found = await find(transaction, orgId, id);
        if (found === null) return null;
        const { call, result } = await work(found);
        await transaction.query(
          "UPDATE open_calls SET doc = $1, updated_at = $2, version = version + 1 WHERE call_id = $3",
          [...columns(call)],
        );
        return result;
      });
    },

    /** Forgets ended calls, and those that no switch has spoken of for long. */
    async sweep(): Promise<void> {
      await database.query(
        "DELETE FROM open_calls WHERE updated_at < $1 OR (updated_at < $2 AND (doc->>'state') = 'ended')",
        [isoTime(clock.now() - keepSilentMs), isoTime(clock.now() - keepEndedMs)],
      );
    },
  };
}
export type OpenCallStore = ReturnType<typeof createOpenCallStore>;

async function find(transaction: Queryable, orgId: OrgId, id: string): Promise<OpenCall | null> {
  const [row] = await transaction.query("SELECT doc FROM open_calls WHERE call_id = $1 AND org_id = $2", [id, orgId]);
  return row === undefined ? null : openCallSchema.parse(JSON.parse(String(row.doc)));
}
