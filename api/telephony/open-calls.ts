import { isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import { type CallName, type CallStep, type StepDeps, type Written, writeFirst, writeNext } from "./call-steps.ts";
import type { OpenCall } from "./open-call.ts";
import {
  deleteRows,
  findAbandoned,
  findArrivingCall,
  findOpenAmong,
  findOwner,
  findRow,
  findUntold,
} from "./open-call-rows.ts";
import { type Refusal, writeRefusal } from "./refusal.ts";
import { createTeller } from "./teller.ts";
import type { Told } from "./told.ts";

/** An ended call is kept this long, so that a repeated callback meets what it should. */
const keepEndedMs = 60 * 60 * 1000;
/** A call that its switch has forgotten. */
const keepSilentMs = 12 * 60 * 60 * 1000;
/** Longer than a call can have come in without all processes knowing of it. */
const arrivingMs = 60_000;

export interface OpenCallDeps extends StepDeps {
  /** Makes it durable in the log. */
  publish(told: readonly Told[]): Promise<void>;
  /** Told of what could not be told to the log; it is tried again. */
  onTrouble(error: unknown): void;
}

/**
 * Calls that switches still report on. A step and what it tells are written in one row before the log has it, so that
 * a crash in between loses neither; what is told twice for it changes nothing.
 */
export function createOpenCallStore(deps: OpenCallDeps) {
  const { database, clock, publish, onTrouble } = deps;
  const { tell, underWay } = createTeller(database, publish);

  async function told<S>(callId: string, written: Written<S> | null): Promise<S | null> {
    if (written === null) return null;
    await tell(callId, written.version, written.untold);
    return written.step;
  }

  return {
    /** The first step of a call, in a transaction that `decide` may use; null when there is a call of this id. */
    open: async <S extends CallStep>(name: CallName, decide: (db: Queryable) => Promise<S>): Promise<S | null> =>
      told(name.callId, await writeFirst(deps, name, decide)),

    async find(orgId: OrgId, id: string): Promise<OpenCall | null> {
      return (await findRow(database, orgId, id))?.call ?? null;
    },

    /** The caller's call that came in just now and has not ended, or not until then; null where there is none. */
    findArriving: (orgId: OrgId, caller: string, until: string): Promise<CallId | null> =>
      findArrivingCall(database, { orgId, caller, until, since: isoTime(clock.now() - arrivingMs) }),

    /** Those of the calls that switches still report on. */
    openAmong: (orgId: OrgId, ids: readonly string[]): Promise<ReadonlySet<string>> =>
      findOpenAmong(database, orgId, ids),

    /** A call, once the log has what led to it: nobody acts on what could still be forgotten. */
    async findTold(orgId: OrgId, id: string): Promise<OpenCall | null> {
      const row = await findRow(database, orgId, id);
      if (row === null || row.untold.length === 0) return row?.call ?? null;
      const tellNow = () => tell(id, row.version, row.untold);
      // An attempt that began before this one may fail of what is over by now.
      await (underWay(id)?.catch(tellNow) ?? tellNow());
      // Meanwhile somebody else may have failed to answer, and have ended it.
      return (await findRow(database, orgId, id))?.call ?? null;
    },

    /** Whose call it is; null for one that is not, or no longer, kept. */
    ownerOf: (id: string) => findOwner(database, id),

    /**
     * Ends a call whose switch got no answer of ours, in a transaction that `giveBack` may use; the log is told as soon
     * as it can be. Null where it is none, or was answered by somebody after all.
     */
    async refuse(name: CallName, refusal: Refusal): Promise<OpenCall | null> {
      const written = await writeRefusal(deps, name, refusal);
      // Whoever looks for what is left over tells it, if the log does not take it now.
      if (written !== null) tell(name.callId, written.version, written.untold).catch(() => undefined);
      return written?.step.call ?? null;
    },

    /** Calls that are still to be routed, though nobody has decided anything for so long, some at a time. */
    abandoned: (silentMs: number) => findAbandoned(database, isoTime(clock.now() - silentMs)),

    /**
     * Makes one step of a call, one at a time, in a transaction that `decide` may use; null for a call that is not this
     * organization's.
     */
    step: async <S extends CallStep>(
      orgId: OrgId,
      callId: string,
      decide: (call: OpenCall, db: Queryable) => S | Promise<S>,
    ): Promise<S | null> => told(callId, await writeNext(deps, { callId, orgId }, decide)),

    /** Publishes what was written `sinceMs` ago or earlier and not told yet: by a run that died, or in vain. */
    async tellLeftOver(sinceMs = 0): Promise<void> {
      for await (const rows of findUntold(database, isoTime(clock.now() - sinceMs), onTrouble))
        for (const { callId, version, untold } of rows) await tell(callId, version, untold).catch(onTrouble);
    },

    /** Forgets ended calls, and those that no switch has spoken of for long. */
    sweep(): Promise<void> {
      const now = clock.now();
      return deleteRows(database, { silentSince: isoTime(now - keepSilentMs), endedSince: isoTime(now - keepEndedMs) });
    },
  };
}
export type OpenCallStore = ReturnType<typeof createOpenCallStore>;
