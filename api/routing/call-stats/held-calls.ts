import type { Clock } from "../../../ingest/clock.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import type { Holder, HolderKind } from "../call-stats.ts";

export interface HeldCallsDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  /** Milliseconds between two readings of other processes' reservations. Default 1,000. */
  readonly refreshEveryMs?: number;
  /** Called when they could not be read; that is tried again. */
  onTrouble(error: unknown): void;
}

interface HeldCall {
  readonly orgId: string;
  readonly holders: readonly Holder[];
}

/**
 * The places that calls hold, in memory, for the first look at a destination: this process's calls as they are
 * told here, other processes' as last read. Whether there is a place `reserve` alone decides.
 */
export async function openHeldCalls({ database, clock, onTrouble, refreshEveryMs = 1000 }: HeldCallsDeps) {
  let holds = createHolds();
  /** Calls that were told of since the last reading began: what it found of them may be older. */
  let told = new Set<string>();
  let reading: Promise<void> | null = null;
  const closing = new AbortController();

  async function read(): Promise<void> {
    told = new Set();
    const rows = await database.query("SELECT call_id, org_id, kind, id FROM call_holds");
    const before = holds;
    holds = createHolds();
    for (const [callId, call] of toCalls(rows)) holds.put(callId, call);
    for (const callId of told) holds.put(callId, before.of(callId));
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function keepFresh(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(refreshEveryMs, closing.signal);
      if (!closing.signal.aborted) await refresh().catch(onTrouble);
    }
  }

  await refresh();
  const refreshing = keepFresh();

  return {
    inUse: (orgId: string, holder: Holder): number => holds.inUse(orgId, holder),
    /** After the transaction in which `reserve` gave the call these. */
    reserved(call: { readonly orgId: string; readonly callId: string }, holders: readonly Holder[]): void {
      told.add(call.callId);
      holds.put(call.callId, { orgId: call.orgId, holders });
    },
    /** After the transaction with `release`. */
    released(callId: string): void {
      told.add(callId);
      holds.put(callId, undefined);
    },
    refresh,
    async close(): Promise<void> {
      closing.abort();
      await refreshing;
    },
  };
}
export type HeldCalls = Awaited<ReturnType<typeof openHeldCalls>>;

/** The holders of each call, and the number of calls of each holder. */
function createHolds() {
  const calls = new Map<string, HeldCall>();
  const counts = new Map<string, number>();

  function add({ orgId, holders }: HeldCall, sign: 1 | -1): void {
    for (const holder of holders) {
      const key = keyOf(orgId, holder);
      const count = (counts.get(key) ?? 0) + sign;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    }
  }

  return {
    of: (callId: string): HeldCall | undefined => calls.get(callId),
    inUse: (orgId: string, holder: Holder): number => counts.get(keyOf(orgId, holder)) ?? 0,
    /** In place of what the call held before; undefined when it holds nothing any more. */
    put(callId: string, call: HeldCall | undefined): void {
      const known = calls.get(callId);
      if (known !== undefined) add(known, -1);
      if (call === undefined) calls.delete(callId);
      else calls.set(callId, call);
      if (call !== undefined) add(call, 1);
    },
  };
}

const keyOf = (orgId: string, { kind, id }: Holder): string => `${kind} ${orgId} ${id}`;

function toCalls(rows: readonly DatabaseRow[]): Map<string, HeldCall> {
  const calls = new Map<string, HeldCall & { readonly holders: Holder[] }>();
  for (const { call_id, org_id, kind, id } of rows) {
    const call = calls.get(String(call_id)) ?? { orgId: String(org_id), holders: [] };
    call.holders.push({ kind: kind as HolderKind, id: String(id) });
    calls.set(String(call_id), call);
  }
  return calls;
}
