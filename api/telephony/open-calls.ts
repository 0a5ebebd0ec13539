import { refusedReason } from "../../ingest/call.ts";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { Database, Queryable } from "../database/database.ts";
import { release } from "../routing/call-stats/reservations.ts";
import type { CallStep } from "./call-step.ts";
import type { OpenCall } from "./open-call.ts";
import {
  changeRow,
  clearOutbox,
  deleteRows,
  findAbandoned,
  findArrivingCall,
  findOpenAmong,
  findOwner,
  findRow,
  findUnpublished,
  insertRow,
  type OpenCallRow,
  takeRow,
} from "./open-call-rows.ts";
import { createOutbox, type OutboxMessage, signalMessage } from "./outbox.ts";

/** An ended call is kept this long, so that a repeated callback finds it. */
const keepEndedMs = 60 * 60 * 1000;
/** A call of which its switch reports nothing is kept this long. */
const keepSilentMs = 12 * 60 * 60 * 1000;
/** Longer than it takes until all processes know of a call that comes in. */
const arrivingMs = 60_000;

export interface OpenCallDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Makes messages durable in the log. */
  publish(messages: readonly OutboxMessage[]): Promise<void>;
  /** Receives errors of publishing that is tried again. */
  onTrouble(error: unknown): void;
}

const alreadyOpen = new Error("There is a call of this id.");

interface CallName {
  readonly callId: string;
  readonly orgId: OrgId;
}

/** A step that is stored, with the whole outbox of the call's row. */
interface Written<S> {
  readonly step: S;
  readonly outbox: readonly OutboxMessage[];
  readonly version: number;
}

export interface Refusal {
  /**
   * Why the switch has no answer: answering `failed`, the switch was `disconnected` before the answer, or the process that
   * was to answer is gone and the call `abandoned`.
   */
  readonly cause: "failed" | "disconnected" | "abandoned";
  /** Returns what the call has taken; also called where there is no call, as the taking comes before it. */
  giveBack(db: Queryable): Promise<void>;
}

/**
 * Stores calls that switches still report on. A step and its messages for the log are written in one row before the log has
 * them, so that a crash in between loses neither; a message that is published twice changes nothing.
 */
export function createOpenCallStore({ database, clock, publish, onTrouble }: OpenCallDeps) {
  const outbox = createOutbox({ publish, clear: (callId, version) => clearOutbox(database, callId, version) });

  /** Returns the step once the log has it; with the call as it stands where an earlier request's failure has ended it. */
  async function published<S extends CallStep>(name: CallName, written: Written<S> | null): Promise<S | null> {
    if (written === null) return null;
    const isLatest = await outbox.publish(name.callId, written.version, written.outbox);
    const row = isLatest ? null : await findRow(database, name.orgId, name.callId);
    return row === null || row.call.refused_at === null ? written.step : { ...written.step, call: row.call };
  }

  async function write<S extends CallStep>(db: Queryable, row: OpenCallRow, step: S): Promise<Written<S>> {
    const messages = [...row.outbox, ...step.messages];
    if (step.call !== row.call || step.messages.length > 0) {
      const changed = { call: step.call, outbox: messages, at: isoTime(clock.now()) };
      await changeRow(db, row.call.call_id, changed);
    }
    return { step, outbox: messages, version: row.version };
  }

  return {
    /** Writes the first step of a call, in a transaction that `decide` may use; null when there is a call of this id. */
    async open<S extends CallStep>(
      { callId, orgId }: CallName,
      decide: (db: Queryable) => Promise<S>,
    ): Promise<S | null> {
      const open = database.transaction(async (db): Promise<Written<S>> => {
        const step = await decide(db);
        const { call, messages: outbox } = step;
        // Rolls back what was decided for a call that another request has opened meanwhile.
        if (!(await insertRow(db, { call, outbox, at: isoTime(clock.now()) }))) throw alreadyOpen;
        return { step, outbox, version: 1 };
      });
      const written = await open.catch((error: unknown) => {
        if (error !== alreadyOpen) throw error;
        return null;
      });
      return published({ callId, orgId }, written);
    },

    /**
     * Writes one step of a call, one at a time, in a transaction that `decide` may use; null for a call that is not this
     * organization's.
     */
    async step<S extends CallStep>(
      orgId: OrgId,
      callId: string,
      decide: (call: OpenCall, db: Queryable) => S | Promise<S>,
    ): Promise<S | null> {
      const written = await database.transaction(async (db) => {
        const row = await takeRow(db, orgId, callId);
        return row && write(db, row, await decide(row.call, db));
      });
      return published({ callId, orgId }, written);
    },

    /**
     * Ends a call whose switch got no answer, in a transaction that `giveBack` may use; the log has it as soon as it can be
     * reached. Null where there is none, or where it was answered after all.
     */
    async refuse({ callId, orgId }: CallName, { cause, giveBack }: Refusal): Promise<OpenCall | null> {
      const written = await database.transaction(async (db): Promise<Written<CallStep> | null> => {
        const row = await takeRow(db, orgId, callId);
        if (row === null || mayBeRefused(row, cause)) await giveBack(db);
        if (row === null || !mayBeRefused(row, cause)) return null;
        await release(db, callId);
        return write(db, row, refusedStep(row.call, clock.now()));
      });
      // If the log is away, `publishPending` publishes it later.
      if (written !== null) outbox.publish(callId, written.version, written.outbox).catch(() => undefined);
      return written?.step.call ?? null;
    },

    async find(orgId: OrgId, id: string): Promise<OpenCall | null> {
      return (await findRow(database, orgId, id))?.call ?? null;
    },

    /** Finds a call once the log has all of it, so that nobody acts on what could still be lost. */
    async findPublished(orgId: OrgId, id: string): Promise<OpenCall | null> {
      const row = await findRow(database, orgId, id);
      if (row === null || row.outbox.length === 0) return row?.call ?? null;
      const publishNow = () => outbox.publish(id, row.version, row.outbox);
      // An attempt that began before this one may fail of what is over by now.
      await (outbox.publishing(id)?.catch(publishNow) ?? publishNow());
      // Meanwhile another process may have failed to answer, and have ended it.
      return (await findRow(database, orgId, id))?.call ?? null;
    },

    /** Finds the caller's call that came in just now and has not ended, or ended after `until`; null where there is none. */
    findArriving: (orgId: OrgId, caller: string, until: string): Promise<CallId | null> =>
      findArrivingCall(database, { orgId, caller, until, since: isoTime(clock.now() - arrivingMs) }),

    /** Returns the ids of those calls that are still open. */
    openAmong: (orgId: OrgId, ids: readonly string[]): Promise<ReadonlySet<string>> =>
      findOpenAmong(database, orgId, ids),

    /** The organization of a call; null for one that is not, or no longer, kept. */
    ownerOf: (id: string) => findOwner(database, id),

    /** Calls that are still to be routed, though nothing was decided for so long, some at a time. */
    abandoned: (silentMs: number) => findAbandoned(database, isoTime(clock.now() - silentMs)),

    /** Publishes what was written `sinceMs` ago or earlier and is not published: its process died, or the log was away. */
    async publishPending(sinceMs = 0): Promise<void> {
      for await (const rows of findUnpublished(database, isoTime(clock.now() - sinceMs), onTrouble))
        for (const row of rows) await outbox.publish(row.callId, row.version, row.outbox).catch(onTrouble);
    },

    /** Deletes calls that ended, or that no switch has reported on, long enough ago. */
    sweep(): Promise<void> {
      const now = clock.now();
      return deleteRows(database, { silentSince: isoTime(now - keepSilentMs), endedSince: isoTime(now - keepEndedMs) });
    },
  };
}
export type OpenCallStore = ReturnType<typeof createOpenCallStore>;

function refusedStep(call: OpenCall, now: number): CallStep {
  const { org_id, call_id, skew_ms } = call;
  const at = isoTime(now + (skew_ms ?? 0));
  return {
    call: {
      ...call,
      state: "ended",
      lease: null,
      dial_plan: [],
      refused_at: call.dials + call.turns <= 1 ? isoTime(now) : null,
      instruction: { action: call.heard || call.dials > 0 ? "hangup" : "reject", say: [], reason: refusedReason },
    },
    messages: [signalMessage({ kind: "failed", org_id, call_id, reason: refusedReason, at })],
  };
}

/**
 * Returns true if the call may be ended for want of an answer. A carrier that stops waiting and asks again may have been
 * answered the second time: then the log has all of the call's outbox, or its switch has reported that it rings, and the
 * call is not the first request's to end.
 */
function mayBeRefused({ call, outbox }: OpenCallRow, cause: Refusal["cause"]): boolean {
  const steps = call.dials + call.turns;
  if (call.state === "routing") return cause === "abandoned" || steps === 0;
  const isFirst = (call.state === "dialing" || call.state === "menu") && steps === 1 && call.ringing === 0;
  return isFirst && (cause === "disconnected" || (cause === "failed" && outbox.length > 0));
}
