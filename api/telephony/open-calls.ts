import { z } from "zod";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import { callId, type OrgId, orgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { Database, Queryable } from "../config/database.ts";

/** What the next instruction for a call needs, kept where every process of the API finds it. */
export const openCallSchema = z.object({
  call_id: callId,
  org_id: orgId,
  campaign_id: z.string().nullable(),
  /** The tracking number that was dialed. */
  number: z.string(),
  state: z.enum(["dialing", "connected", "ended"]),
  /** Targets tried so far, the present one last. */
  tried: z.array(z.string()),
});
export type OpenCall = z.infer<typeof openCallSchema>;

/** A call as a switch's report leaves it, and the signals that tell of it. */
export interface CallStep {
  readonly call: OpenCall;
  readonly signals: readonly SignalInput[];
}

/** An ended call is kept this long, so that a repeated callback meets what it should. */
const keepEndedMs = 60 * 60 * 1000;
/** A call that its switch has forgotten. */
const keepSilentMs = 12 * 60 * 60 * 1000;
const rowsPerRound = 500;

export interface OpenCallDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Makes signals durable in the log. */
  publish(signals: readonly SignalInput[]): Promise<void>;
}

/**
 * Calls that switches still report on. A step and its signals are written in one row before the log has them, so that
 * a crash in between loses neither; a signal that is told twice for it changes nothing.
 */
export function createOpenCallStore({ database, clock, publish }: OpenCallDeps) {
  /** Hands the row's signals to the log; a step that came meanwhile has its own in the row and clears them itself. */
  async function tell(callId: string, version: number, signals: readonly SignalInput[]): Promise<void> {
    await publish(signals);
    await database.query("UPDATE open_calls SET untold = NULL WHERE call_id = $1 AND version = $2", [callId, version]);
  }

  return {
    async open({ call, signals }: CallStep): Promise<void> {
      await database.query(
        `INSERT INTO open_calls (call_id, org_id, campaign_id, version, doc, untold, updated_at)
         VALUES ($1, $2, $3, 1, $4, $5, $6)`,
        [
          call.call_id,
          call.org_id,
          call.campaign_id,
          JSON.stringify(call),
          JSON.stringify(signals),
          isoTime(clock.now()),
        ],
      );
      await tell(call.call_id, 1, signals);
    },

    /** Makes one step of a call, one at a time; null for a call that is not this organization's. */
    async step<S extends CallStep>(orgId: OrgId, id: string, decide: (call: OpenCall) => S): Promise<S | null> {
      const made = await database.transaction(async (db) => {
        const row = await hold(db, orgId, id);
        if (row === null) return null;
        const step = decide(row.call);
        const untold = [...row.untold, ...step.signals];
        await db.query("UPDATE open_calls SET doc = $1, untold = $2, updated_at = $3 WHERE call_id = $4", [
          JSON.stringify(step.call),
          JSON.stringify(untold),
          isoTime(clock.now()),
          id,
        ]);
        return { step, untold, version: row.version };
      });
      if (made === null) return null;
      await tell(id, made.version, made.untold);
      return made.step;
    },

    /** Publishes what an earlier run had written and not yet told. */
    async tellLeftOver(): Promise<void> {
      const rows = await database.query(
        `SELECT call_id, version, untold FROM open_calls WHERE untold IS NOT NULL LIMIT ${rowsPerRound}`,
      );
      for (const { call_id, version, untold } of rows) {
        await tell(String(call_id), Number(version), JSON.parse(String(untold)) as SignalInput[]);
      }
      if (rows.length === rowsPerRound) await this.tellLeftOver();
    },

    /** Forgets ended calls, and those that no switch has spoken of for long. */
    async sweep(): Promise<void> {
      await database.query(
        `DELETE FROM open_calls WHERE untold IS NULL
         AND (updated_at < $1 OR (updated_at < $2 AND (doc->>'state') = 'ended'))`,
        [isoTime(clock.now() - keepSilentMs), isoTime(clock.now() - keepEndedMs)],
      );
    },
  };
}
export type OpenCallStore = ReturnType<typeof createOpenCallStore>;

/** The row, held from here on: a report that comes at the same moment waits, and sees what this one has made of it. */
async function hold(db: Queryable, orgId: OrgId, id: string) {
  const [row] = await db.query(
    "UPDATE open_calls SET version = version + 1 WHERE call_id = $1 AND org_id = $2 RETURNING doc, untold, version",
    [id, orgId],
  );
  if (row === undefined) return null;
  const untold = row.untold === null ? [] : (JSON.parse(String(row.untold)) as SignalInput[]);
  return { call: openCallSchema.parse(JSON.parse(String(row.doc))), untold, version: Number(row.version) };
}
