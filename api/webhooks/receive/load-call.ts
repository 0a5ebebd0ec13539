import type { Call } from "../../../ingest/call.ts";
import { callEventSchema } from "../../../ingest/event.ts";
import { toCall } from "../../../ingest/lifecycle/owed.ts";
import { partitionOf } from "../../../ingest/log/key-partition.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Update } from "../../../ingest/signal.ts";
import { readStoredCalls } from "../../../warehouse/calls/stored-call.ts";
import { type Warehouse, WarehouseError } from "../../../warehouse/warehouse.ts";

export interface CallLoaderDeps {
  readonly log: Pick<EventLog, "ends" | "read">;
  readonly warehouse: Pick<Warehouse, "query" | "position">;
  /** Told of calls that cannot be read: as if they were not stored. */
  onTrouble(error: unknown): void;
}

type Stored = NonNullable<Update["stored"]>;
/** Where calls of a partition are looked for behind what is stored. */
interface Start {
  readonly partition: number;
  readonly offset: number;
  readonly ids: ReadonlySet<string>;
}

/** Events that the warehouse may be behind the log; more than it stores in a second. */
const mostEventsBehind = 20_000;

/** Calls as the warehouse has them or the log has told since. */
export function createCallLoader({ log, warehouse, onTrouble }: CallLoaderDeps) {
  async function load(orgId: OrgId, callId: string): Promise<Update["stored"]> {
    return (await loadAll(orgId, [callId])).get(callId) ?? null;
  }

  async function loadAll(orgId: OrgId, callIds: readonly string[]): Promise<ReadonlyMap<string, Stored>> {
    const ends = await log.ends("call-events");
    const starts: Start[] = [];
    for (const partition of new Set(callIds.map((callId) => partitionOf(callId, ends.length)))) {
      const ids = callIds.filter((callId) => partitionOf(callId, ends.length) === partition);
      // Before the rows are read: so what they lack stands behind this place.
      const position = await warehouse.position("call-events", partition);
      starts.push({ partition, offset: Math.min(position, ends[partition] ?? 0), ids: new Set(ids) });
    }
    const stored = await readStoredCalls(warehouse, orgId, callIds, onTrouble);
    const found = new Map<string, Stored>();
    for (const start of starts) {
      const since = await readSince(start);
      for (const id of start.ids) {
        const [known, told] = [stored.get(id), since.calls.get(id)];
        if (since.isCut && known === undefined) throw tooFarBehind(start.partition);
        const isNewer = told?.org_id === orgId && told.version > (known?.version ?? -1);
        const call = isNewer ? told : known;
        if (call !== undefined) found.set(id, { call, next_event: start.offset });
      }
    }
    return found;
  }

  /** The calls as the log has told them last from there on. */
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
    `The warehouse is more than ${mostEventsBehind} events behind the log in call-events:${partition}: whether there is such a call cannot be told yet.`,
  );
