import type { Call } from "../../../ingest/call.ts";
import type { CallId, OrgId } from "../../../ingest/primitives.ts";
import type { Update } from "../../../ingest/signal.ts";
import { findStoredCall } from "../../../warehouse/calls/stored-call.ts";
import type { EarlierCall } from "../../routing/facts.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { type CallLoaderDeps, createCallLoader } from "./load-call.ts";

export interface CallFinderDeps extends CallLoaderDeps {
  readonly openCalls: Pick<OpenCallStore, "find" | "openAmong">;
  /** Of the last 32 days at least, newest first: what this process has in memory. */
  earlierCalls(orgId: OrgId, caller: string): readonly EarlierCall[];
}

/** A call that a request is for. */
export interface FoundCall {
  readonly callId: CallId;
  /** Null for one that has come in just now, of which nothing has been told yet. */
  readonly stored: Update["stored"];
}
export interface CallerSought {
  readonly orgId: OrgId;
  readonly caller: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly statuses: readonly Call["status"][];
}

/**
 * Finds calls by id or by caller, those in progress too: by caller in memory, beyond that in the warehouse. A call is
 * given as the warehouse has it or the log has told since.
 */
export function createCallFinder({ log, warehouse, openCalls, earlierCalls, onTrouble }: CallFinderDeps) {
  const { load, loadAll } = createCallLoader({ log, warehouse, onTrouble });

  return {
    async byId(orgId: OrgId, callId: CallId): Promise<FoundCall | null> {
      const stored = await load(orgId, callId);
      if (stored !== null) return { callId, stored };
      return (await openCalls.find(orgId, callId)) && { callId, stored };
    },

    /** Those of the calls that there are. */
    async byIds(orgId: OrgId, callIds: readonly CallId[]): Promise<ReadonlyMap<CallId, FoundCall>> {
      const stored = await loadAll(orgId, callIds);
      const untold = callIds.filter((id) => !stored.has(id));
      const begun = await openCalls.openAmong(orgId, untold);
      const found = callIds.filter((id) => stored.has(id) || begun.has(id));
      return new Map(found.map((callId) => [callId, { callId, stored: stored.get(callId) ?? null }]));
    },

    /** The caller's most recent call of these. */
    async byCaller(sought: CallerSought): Promise<FoundCall | null> {
      const { orgId, caller, since, statuses } = sought;
      const inMemory = earlierCalls(orgId, caller).find(({ at, status }) => at >= since && statuses.includes(status));
      const callId = (inMemory?.call_id ?? (await findStoredCall(warehouse, sought))) as CallId | null;
      return callId && { callId, stored: await load(orgId, callId) };
    },
  };
}
export type CallFinder = ReturnType<typeof createCallFinder>;
