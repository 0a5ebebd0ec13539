import type { Call } from "../../../ingest/call.ts";
import { callEventSchema } from "../../../ingest/event.ts";
import { toCall } from "../../../ingest/lifecycle/owed.ts";
import { partitionOf } from "../../../ingest/log/key-partition.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { parseJson } from "../../../ingest/parse.ts";
import type { CallId, OrgId } from "../../../ingest/primitives.ts";
import type { Update } from "../../../ingest/signal.ts";
import { findStoredCall, readStoredCall } from "../../../warehouse/stored-call.ts";
import { type Warehouse, WarehouseError } from "../../../warehouse/warehouse.ts";
import type { EarlierCall } from "../../routing/facts.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";

export interface CallFinderDeps {
  readonly log: Pick<EventLog, "ends" | "read">;
  readonly warehouse: Pick<Warehouse, "query" | "position">;
  readonly openCalls: Pick<OpenCallStore, "find">;
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

/** Events that the warehouse may be behind the log; more than it stores in a second. */
const mostEventsBehind = 20_000;

/**
 * Finds calls by id or by caller, those in progress too: by caller in memory, beyond that in the warehouse. A call is
 * given as the warehouse has it or the log has told since.
 */
export function createCallFinder({ log, warehouse, openCalls, earlierCalls }: CallFinderDeps) {
  async function load(orgId: OrgId, callId: string): Promise<Update["stored"]> {
    const ends = await log.ends("call-events");
    const partition = partitionOf(callId, ends.length);
    // Before the row is read: so what it lacks stands behind this place.
    const position = await warehouse.position("call-events", partition);
    const next_event = Math.min(position, ends[partition] ?? 0);
    const stored = await readStoredCall(warehouse, orgId, callId);
    const since = await readSince(callId, { partition, offset: next_event });
    if (since.isCut && stored === null) throw tooFarBehind(partition);
    const told = since.call?.org_id === orgId && since.call.version > (stored?.version ?? -1) ? since.call : stored;
    return told && { call: told, next_event };
  }

  /** The call as the log has told it last from there on. */
  async function readSince(callId: string, at: { readonly partition: number; readonly offset: number }) {
    let call: Call | null = null;
    for await (const { key, value, offset } of log.read({ topic: "call-events", ...at })) {
      if (offset - at.offset >= mostEventsBehind) return { call, isCut: true };
      if (key !== callId) continue;
      const json = parseJson(value);
      const event = callEventSchema.safeParse(json.ok ? json.value : undefined);
      if (event.success) call = toCall(event.data);
    }
    return { call, isCut: false };
  }

  return {
    async byId(orgId: OrgId, callId: CallId): Promise<FoundCall | null> {
      const stored = await load(orgId, callId);
      if (stored !== null) return { callId, stored };
      return (await openCalls.find(orgId, callId)) && { callId, stored };
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

const tooFarBehind = (partition: number) =>
  new WarehouseError(
    "unavailable",
    `The warehouse is more than ${mostEventsBehind} events behind the log in call-events:${partition}: whether there is such a call cannot be told yet.`,
  );
