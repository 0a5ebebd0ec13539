import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { Database, DatabaseRow, Queryable } from "../database/database.ts";
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
/** Longer than a call can have come in without all processes knowing of it. */
const arrivingMs = 60_000;

export interface OpenCallDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Makes it durable in the log. */
  publish(told: readonly Told[]): Promise<void>;
  /** Told of what could not be told to the log; it is tried again. */
  onTrouble(error: unknown): void;
}

/**
 * Calls that switches still report on. A step and what it tells are written in one row before the log has it, so that
 * a crash in between loses neither; what is told twice for it changes nothing.
 */
export function createOpenCallStore({ database, clock, publish, onTrouble }: OpenCallDeps) {
  /** Of calls whose last words are on their way to the log: those of the next step follow them. */
  const telling = new Map<string, Promise<void>>();

  /** Hands the log what the row has for it; a step that came meanwhile has its own in the row and clears it itself. */
  function tell(callId: string, version: number, told: readonly Told[]): Promise<void> {
    const before = telling.get(callId);
    if (told.length === 0) return before ?? Promise.resolve();
    // What could not be told before is in the row, and so among what is told now.
    const work = Promise.resolve(before?.catch(() => undefined)).then(async () => {
      await publish(told);
      await database.query("UPDATE open_calls SET untold = NULL WHERE call_id = $1 AND version = $2", [
        callId,
        version,
      ]);
    });
    const done = () => {
      if (telling.get(callId) === work) telling.delete(callId);
    };
    telling.set(callId, work);
    work.then(done, done);
    return work;
  }

  const nowText = () => isoTime(clock.now());

  async function select(orgId: OrgId, id: string): Promise<Row | null> {
    const [row] = await database.query(
      "SELECT doc, untold, version FROM open_calls WHERE call_id = $1 AND org_id = $2",
      [id, orgId],
    );
    return row === undefined ? null : toRow(row);
  }

  return {
    /** The first step of a call, in a transaction that `decide` may use; null when there is a call of this id. */
    async open<S extends CallStep>(
      { callId, orgId }: { readonly callId: string; readonly orgId: OrgId },
      decide: (db: Queryable) => Promise<S>,
    ): Promise<S | null> {
      const made = await database.transaction(async (db) => {
        // Before anything is decided: whoever tells of the same call at this moment waits, and finds it there.
        const placed = await db.query(
          `INSERT INTO open_calls (call_id, org_id, version, doc, updated_at) VALUES ($1, $2, 1, '{}', $3)
           ON CONFLICT (call_id) DO NOTHING RETURNING call_id`,
          [callId, orgId, nowText()],
        );
        if (placed.length === 0) return null;
        const step = await decide(db);
        await db.query("UPDATE open_calls SET campaign_id = $1, doc = $2, untold = $3 WHERE call_id = $4", [
          ...[step.call.campaign_id, JSON.stringify(step.call), toUntold(step.tell), callId],
        ]);
        return step;
      });
      if (made !== null) await tell(callId, 1, made.tell);
      return made;
    },

    async find(orgId: OrgId, id: string): Promise<OpenCall | null> {
      return (await select(orgId, id))?.call ?? null;
    },

    /** The caller's call that has come in last, of those that came in just now; null where none has. */
    async findArriving(orgId: OrgId, caller: string): Promise<CallId | null> {
      const [row] = await database.query(
        `SELECT call_id FROM open_calls WHERE updated_at > $1 AND org_id = $2 AND (doc->>'caller') = $3
           AND (doc->>'state') <> 'ended' ORDER BY updated_at DESC LIMIT 1`,
        [isoTime(clock.now() - arrivingMs), orgId, caller],
      );
      return row === undefined ? null : (String(row.call_id) as CallId);
    },

    /** Those of the calls that switches still report on. */
    async openAmong(orgId: OrgId, ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const places = ids.map((_, index) => `$${index + 2}`).join(", ");
      const rows = await database.query(`SELECT call_id FROM open_calls WHERE org_id = $1 AND call_id IN (${places})`, [
        ...[orgId, ...ids],
      ]);
      return new Set(rows.map(({ call_id }) => String(call_id)));
    },

    /** A call, once the log has what led to it: nobody acts on what could still be forgotten. */
    async findTold(orgId: OrgId, id: string): Promise<OpenCall | null> {
      const row = await select(orgId, id);
      if (row !== null && row.untold.length > 0) await (telling.get(id) ?? tell(id, row.version, row.untold));
      return row?.call ?? null;
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
        if (step.call === row.call && step.tell.length === 0) return { step, untold, version: row.version };
        await db.query("UPDATE open_calls SET doc = $1, untold = $2, updated_at = $3 WHERE call_id = $4", [
          ...[JSON.stringify(step.call), toUntold(untold), nowText(), id],
        ]);
        return { step, untold, version: row.version };
      });
      if (made === null) return null;
      await tell(id, made.version, made.untold);
      return made.step;
    },

    /** Publishes what was written `sinceMs` ago or earlier and not told yet: by a run that died, or in vain. */
    async tellLeftOver(sinceMs = 0): Promise<void> {
      const rows = await database.query(
        `SELECT call_id, doc, untold, version FROM open_calls WHERE untold IS NOT NULL AND updated_at <= $1
         ORDER BY updated_at LIMIT ${rowsPerRound}`,
        [isoTime(clock.now() - sinceMs)],
      );
      for (const row of rows) {
        const { untold, version } = toRow(row);
        await tell(String(row.call_id), version, untold).catch(onTrouble);
      }
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

const toUntold = (told: readonly Told[]): string | null => (told.length === 0 ? null : JSON.stringify(told));

interface Row {
  readonly call: OpenCall;
  readonly untold: readonly Told[];
  readonly version: number;
}

const toRow = ({ doc, untold, version }: DatabaseRow): Row => ({
  call: openCallSchema.parse(JSON.parse(String(doc))),
  untold: untold === null || untold === undefined ? [] : (JSON.parse(String(untold)) as Told[]),
  version: Number(version),
});

/** The row, held from here on: a report that comes at the same moment waits, and sees what this one has made of it. */
async function hold(db: Queryable, orgId: OrgId, id: string): Promise<Row | null> {
  const [row] = await db.query(
    "UPDATE open_calls SET version = version + 1 WHERE call_id = $1 AND org_id = $2 RETURNING doc, untold, version",
    [id, orgId],
  );
  return row === undefined ? null : toRow(row);
}
