import { toE164 } from "../../ingest/phone-number.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { UnreadableError } from "../../ingest/unreadable.ts";
import type { Queryable } from "../database/database.ts";
import type { HeldCalls } from "../routing/call-stats/held-calls.ts";
import type { ArrivingCall } from "./instruction.ts";
import type { OpenCallStore, Refusal } from "./open-calls.ts";

/** A call that is refused. Its number and its caller (null where withheld) are E.164: what was taken for it goes by them. */
export interface UnansweredCall {
  readonly orgId: OrgId;
  readonly callId: CallId;
  readonly number: string;
  readonly caller: string | null;
}

export const toUnansweredCall = (orgId: OrgId, callId: CallId, { from, to }: ArrivingCall): UnansweredCall => ({
  orgId,
  callId,
  number: toE164(to) ?? to,
  caller: toE164(from),
});

export interface UnansweredCallsDeps {
  readonly openCalls: Pick<OpenCallStore, "refuse" | "abandoned" | "find">;
  readonly held: Pick<HeldCalls, "released">;
  /** Returns its number's allocation and its caller's data, in the transaction that ends the call. */
  giveBack(db: Queryable, call: UnansweredCall): Promise<void>;
  /** Receives errors of writes that are tried again. */
  onTrouble(error: unknown): void;
}

/** Calls that wait in memory for a database that is away; those beyond are left to the sweep for abandoned ones. */
const maxWaiting = 10_000;
/** A process that decides writes a step within 35 s: a call without one for so long has lost its process. */
const abandonedMs = 95_000;

/**
 * Ends calls whose switch got no answer, at once and durably. While the database is away they wait in this process's memory;
 * those of a process that was killed meanwhile are found by `endAbandoned` of any other while they are still to be routed,
 * and time out in the lifecycle once they were dialed.
 */
export function createUnansweredCalls({ openCalls, held, giveBack, onTrouble }: UnansweredCallsDeps) {
  const waiting = new Map<CallId, { readonly call: UnansweredCall; readonly cause: Refusal["cause"] }>();

  async function end(call: UnansweredCall, cause: Refusal["cause"]): Promise<void> {
    const refused = await openCalls.refuse(call, { cause, giveBack: (db) => giveBack(db, call) });
    if (refused !== null) held.released(call.callId);
    waiting.delete(call.callId);
  }

  function passUnreadable(error: unknown): null {
    if (!(error instanceof UnreadableError)) throw error;
    onTrouble(error);
    return null;
  }

  return {
    /** Ends a call, or remembers to end it. Never throws: the request that was not answered has an error of its own. */
    async refuse(call: UnansweredCall, cause: "failed" | "disconnected"): Promise<void> {
      await end(call, cause).catch((error: unknown) => {
        const isPermanent = error instanceof UnreadableError;
        if (!isPermanent && waiting.size < maxWaiting) waiting.set(call.callId, { call, cause });
        onTrouble(error);
      });
    },

    /** Ends what could not be ended before; throws where it still cannot. */
    async retry(): Promise<void> {
      for (const { call, cause } of [...waiting.values()]) {
        await end(call, cause).catch((error: unknown) => {
          passUnreadable(error);
          // It can never be ended, and must not hold up others.
          waiting.delete(call.callId);
        });
      }
    },

    /** Ends calls whose process has died before it routed them. */
    async endAbandoned(): Promise<void> {
      for await (const calls of openCalls.abandoned(abandonedMs)) {
        for (const { orgId, callId } of calls) {
          const call = await openCalls.find(orgId, callId).catch(passUnreadable);
          if (call !== null) await end({ orgId, callId, number: call.number, caller: call.caller }, "abandoned");
        }
      }
    },
  };
}
export type UnansweredCalls = ReturnType<typeof createUnansweredCalls>;
