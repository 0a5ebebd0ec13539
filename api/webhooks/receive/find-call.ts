import type { Call } from "../../../ingest/call.ts";
import { callEventSchema } from "../../../ingest/event.ts";
import { toCall } from "../../../ingest/lifecycle/due-events.ts";
import { partitionOf } from "../../../ingest/log/key-partition.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { CallId, OrgId } from "../../../ingest/primitives.ts";
import type { Update } from "../../../ingest/signal.ts";
import { findStoredCall, readStoredCalls } from "../../../warehouse/calls/stored-call.ts";
import { type Warehouse, WarehouseError } from "../../../warehouse/warehouse.ts";
import type { CallStats } from "../../routing/call-stats.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";

interface CallLoaderDeps {
  readonly log: Pick<EventLog, "ends" | "read">;
  readonly warehouse: Pick<Warehouse, "query" | "position">;
  /** Called with the error of each call that cannot be read; it counts as not stored. */
  onTrouble(error: unknown): void;
}

export interface CallFinderDeps extends CallLoaderDeps {
  readonly openCalls: Pick<OpenCallStore, "find" | "openAmong">;
  /** The calls in memory. */
  statsOf(orgId: OrgId): Pick<CallStats, "earlierCalls" | "callsKnownSince">;
}

export interface FoundCall {
  readonly callId: CallId;
  /** Null for a call that has come in just now and has no event yet. */
  readonly stored: Update["stored"];
}
export interface CallerSought {
  readonly orgId: OrgId;
  readonly caller: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly statuses: readonly Call["status"][];
  readonly campaigns: Campaigns;
}

/** The campaigns whose calls are looked for; null for all. */
export type Campaigns = ReadonlySet<string> | null;

const isOf = (campaigns: Campaigns, { campaign_id }: { readonly campaign_id: string | null }): boolean =>
  campaigns === null || (campaign_id !== null && campaigns.has(campaign_id));

/**
 * Finds calls by id or by caller, also calls in progress: by caller in memory, beyond that in the warehouse. A call is
 * returned as of its last event.
 */
export function createCallFinder({ log, warehouse, openCalls, statsOf, onTrouble }: CallFinderDeps) {
  const { load, loadAll } = createCallLoader({ log, warehouse, onTrouble });

  return {
    async byId(orgId: OrgId, callId: CallId, campaigns: Campaigns): Promise<FoundCall | null> {
      const stored = await load(orgId, callId);
      const call = stored?.call ?? (await openCalls.find(orgId, callId));
      return call && isOf(campaigns, call) ? { callId, stored } : null;
    },

    /** Returns those of the calls that exist. */
    async byIds(orgId: OrgId, callIds: readonly CallId[]): Promise<ReadonlyMap<CallId, FoundCall>> {
      const stored = await loadAll(orgId, callIds);
      const others = callIds.filter((id) => !stored.has(id));
      const open = await openCalls.openAmong(orgId, others);
      const found = callIds.filter((id) => stored.has(id) || open.has(id));
      return new Map(found.map((callId) => [callId, { callId, stored: stored.get(callId) ?? null }]));
    },

    /** Returns the caller's most recent call of these. */
    async byCaller(sought: CallerSought): Promise<FoundCall | null> {
      const { orgId, caller, since, statuses, campaigns } = sought;
      const stats = statsOf(orgId);
      const known = stats
        .earlierCalls(caller)
        .find((call) => call.at >= since && statuses.includes(call.status) && isOf(campaigns, call));
      if (known === undefined && stats.callsKnownSince() <= since) return null;
      const callId = (known?.call_id ?? (await findStoredCall(warehouse, sought))) as CallId | null;
      return callId && { callId, stored: await load(orgId, callId) };
    },
  };
}
export type CallFinder = ReturnType<typeof createCallFinder>;

type Stored = NonNullable<Update["stored"]>;
/** The offset from which on calls of a partition are read from the log: the warehouse has what is before it. */
interface Start {
  readonly partition: number;
  readonly offset: number;
  readonly ids: ReadonlySet<string>;
}

/** Events that the warehouse may be behind the log; more than it stores in a second. */
const mostEventsBehind = 20_000;

/** Loads calls from the warehouse, with the events that the log has beyond it. */
function createCallLoader({ log, warehouse, onTrouble }: CallLoaderDeps) {
  async function load(orgId: OrgId, callId: string): Promise<Update["stored"]> {
    return (await loadAll(orgId, [callId])).get(callId) ?? null;
  }

  async function loadAll(orgId: OrgId, callIds: readonly string[]): Promise<ReadonlyMap<string, Stored>> {
    const ends = await log.ends("call-events");
    const starts: Start[] = [];
    for (const partition of new Set(callIds.map((callId) => partitionOf(callId, ends.length)))) {
      const ids = callIds.filter((callId) => partitionOf(callId, ends.length) === partition);
      // Before the rows are read: so what they lack is behind this offset.
      const position = await warehouse.position("call-events", partition);
      starts.push({ partition, offset: Math.min(position, ends[partition] ?? 0), ids: new Set(ids) });
    }
    const stored = await readStoredCalls(warehouse, orgId, callIds, onTrouble);
    const found = new Map<string, Stored>();
    for (const start of starts) {
      const since = await readSince(start);
      for (const id of start.ids) {
        const [known, newer] = [stored.get(id), since.calls.get(id)];
        if (since.isCut && known === undefined) throw tooFarBehind(start.partition);
        const isNewer = newer?.org_id === orgId && newer.version > (known?.version ?? -1);
        const call = isNewer ? newer : known;
        if (call !== undefined) found.set(id, { call, next_event: start.offset });
      }
    }
    return found;
  }

  /** Reads the last event of each call in the log from there on. */
  async function readSince({ partition, offset: first, ids }: Start) {
    const calls = new Map<string, Call>();
    for await (const { key, value, offset } of log.read({ topic: "call-events", partition, offset: first })) {
      if (offset - first >= mostEventsBehind) return { calls, isCut: true };
      if (!ids.has(key)) continue;
      const event = callEventSchema.safeParse(readJson(value));
      if (event.success) calls.set(key, toCall(event.data));
    }
    return { calls, isCut: false };
  }

  return { load, loadAll };
}

const tooFarBehind = (partition: number) =>
  new WarehouseError(
    "unavailable",
    `The warehouse is more than ${mostEventsBehind} events behind the log in call-events:${partition}: the call cannot be looked up yet, try again in a moment.`,
  );
