import { toE164 } from "../../ingest/phone-number.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { UnreadableError } from "../../ingest/unreadable.ts";
import type { Queryable } from "../database/database.ts";
import type { HeldCalls } from "../routing/figures/held-calls.ts";
import type { ArrivingCall } from "./instruction.ts";
import type { OpenCallStore } from "./open-calls.ts";
import type { Refusal } from "./refusal.ts";

/** What a call may have taken before it was opened: E.164, the caller null where it was withheld. */
export interface Taking {
  readonly orgId: OrgId;
  readonly callId: CallId;
  readonly number: string;
  readonly caller: string | null;
}

export interface RefusalDeps {
  readonly openCalls: Pick<OpenCallStore, "refuse" | "abandoned" | "find">;
  readonly held: Pick<HeldCalls, "released">;
  /** In the transaction that ends the call: its number's allocation and its caller's data are there for the next one. */
  giveBack(db: Queryable, taking: Taking): Promise<void>;
  /** Told of what could not be written; it is tried again. */
  onTrouble(error: unknown): void;
}

/** Calls that wait in memory for a database that is away; those beyond are left to the sweep for abandoned ones. */
const maxWaiting = 10_000;
/** Whoever decides writes a step in 35 s: whose call has none for so long has died, and so has the switch's request. */
const abandonedMs = 95_000;

/**
 * Ends calls whose switch got no answer, at once and durably: the end is written where the call is, and the log told of it
 * when it can be. While the database is away it waits in this process's memory. What a process that is killed then leaves
 * behind, still to be routed, `tend` of any other finds; of a call that was being dialed, its silence tells.
 */
export function createRefusals({ openCalls, held, giveBack, onTrouble }: RefusalDeps) {
  const waiting = new Map<CallId, { readonly taking: Taking; readonly heard: Refusal["heard"] }>();

  async function end(taking: Taking, heard: Refusal["heard"]): Promise<void> {
    const refused = await openCalls.refuse(taking, { heard, giveBack: (db) => giveBack(db, taking) });
    if (refused !== null) held.released(taking.callId);
    waiting.delete(taking.callId);
  }

  function passUnreadable(error: unknown): null {
    if (!(error instanceof UnreadableError)) throw error;
    onTrouble(error);
    return null;
  }

  async function endAbandoned(): Promise<void> {
    for await (const calls of openCalls.abandoned(abandonedMs)) {
      for (const { orgId, callId } of calls) {
        const call = await openCalls.find(orgId, callId).catch(passUnreadable);
        if (call !== null) await end({ orgId, callId, number: call.number, caller: call.caller }, "abandoned");
      }
    }
  }

  return {
    /** Never throws: whoever refuses a call has an answer to give. */
    async refuse(taking: Taking, heard: "failure" | "nothing"): Promise<void> {
      await end(taking, heard).catch((error: unknown) => {
        const isForEver = error instanceof UnreadableError;
        if (!isForEver && waiting.size < maxWaiting) waiting.set(taking.callId, { taking, heard });
        onTrouble(error);
      });
    },

    /** Ends what could not be ended before; throws where it cannot be yet. */
    async retry(): Promise<void> {
      for (const { taking, heard } of [...waiting.values()]) {
        await end(taking, heard).catch((error: unknown) => {
          passUnreadable(error);
          // It never can be, and is in the way of no other.
          waiting.delete(taking.callId);
        });
      }
    },

    /** Ends calls that a process has left behind. */
    endAbandoned,
  };
}
export type Refusals = ReturnType<typeof createRefusals>;

export const toTaking = (orgId: OrgId, callId: CallId, { from, to }: ArrivingCall): Taking => ({
  orgId,
  callId,
  number: toE164(to) ?? to,
  caller: toE164(from),
});
