import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Database, Queryable } from "../config/database.ts";
import { type OpenCall, openCallSchema } from "./open-call.ts";
import type { Told } from "./told.ts";

/** A call as a switch's report leaves it, and what the log is told of it. */
export interface CallStep {
  readonly call: OpenCall;
  readonly tell: readonly Told[];
}

/** An ended call is kept this long, so that a repeated callback meets what it should. */
const keepEndedMs = 60 * 60 * 1000;
/** A call that its switch has forgotten. */
const keepSilentMs = 12 * 60 * 60 * 1000;
const rowsPerRound = 500;

export interface OpenCallDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Makes it durable in the log. */
  publish(told: readonly Told[]): Promise<void>;
}

/**
 * Calls that switches still report on. A step and what it tells are written in one row before the log has it, so that
 * a crash in between loses neither; what is told twice for it changes nothing.
 */
export function createOpenCallStore({ database, clock, publish }: OpenCallDeps) {
  /** Hands the log what the row has for it; a step that came meanwhile has its own in the row and clears it itself. */
  async function tell(callId: string, version: number, told: readonly Told[]): Promise<void> {
    await publish(told);
    await database.query("UPDATE open_calls SET untold = NULL WHERE call_id = $1 AND version = $2", [callId, version]);
  }

  const nowText = () => isoTime(clock.now());

  return {
    /** The first step of a call, in a transaction that `decide` may use; null when there is a call of this id. */
    async open<S extends CallStep>(callId: string, decide: (db: Queryable) => Promise<S>): Promise<S | null> {
      const made = await database.transaction(async (db) => {
        const known = await db.query("SELECT 1 AS one FROM open_calls WHERE call_id = $1", [callId]);
        if (known.length > 0) return null;
        const step = await decide(db);
        const { call, tell: told } = step;
        await db.query(
          `INSERT INTO open_calls (call_id, org_id, campaign_id, version, doc, untold, updated_at)
           VALUES ($1, $2, $3, 1, $4, $5, $6)`,
          [callId, call.org_id, call.campaign_id, ...[call, told].map((each) => JSON.stringify(each)), nowText()],
        );
        return step;
      });
      if (made !== null) await tell(callId, 1, made.tell);
      return made;
    },

    async find(orgId: OrgId, id: string): Promise<OpenCall | null> {
      const [row] = await database.query("SELECT doc FROM open_calls WHERE call_id = $1 AND org_id = $2", [id, orgId]);
      return row === undefined ? null : openCallSchema.parse(JSON.parse(String(row.doc)));
    },

    /** Whose call it is; null for one that is not, or no longer, kept. */
    async ownerOf(id: string): Promise<OrgId | null> {
      const [row] = await database.query("SELECT org_id FROM open_calls WHERE call_id = $1", [id]);
      return row === undefined ? null : (String(row.org_id) as OrgId);
    },

    /**
     * Makes one step of a call, one at a time, in a transaction that `decide` may use; null for a call that is not this
     * organization's.
     */
    async step<S extends CallStep>(
      orgId: OrgId,
      id: string,
      decide: (call: OpenCall, db: Queryable) => S | Promise<S>,
    ): Promise<S | null> {
      const made = await database.transaction(async (db) => {
        const row = await hold(db, orgId, id);
        if (row === null) return null;
        const step = await decide(row.call, db);
        const untold = [...row.untold, ...step.tell];
        await db.query("UPDATE open_calls SET doc = $1, untold = $2, updated_at = $3 WHERE call_id = $4", [
          ...[step.call, untold].map((each) => JSON.stringify(each)),
          ...[nowText(), id],
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
        await tell(String(call_id), Number(version), JSON.parse(String(untold)) as Told[]);
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
  const untold = row.untold === null ? [] : (JSON.parse(String(row.untold)) as Told[]);
  return { call: openCallSchema.parse(JSON.parse(String(row.doc))), untold, version: Number(row.version) };
}
