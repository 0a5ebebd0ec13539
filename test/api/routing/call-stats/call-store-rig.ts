import { onTestFinished, vi } from "vitest";
import { type CallStore, type CallStoreDeps, openCallStore } from "../../../../api/routing/call-stats/call-store.ts";
import type { Holder } from "../../../../api/routing/call-stats.ts";
import type { CallEvent } from "../../../../ingest/event.ts";
import type { EventLog } from "../../../../ingest/log/log.ts";
import type { CallId, OrgId } from "../../../../ingest/primitives.ts";
import type { Warehouse } from "../../../../warehouse/warehouse.ts";
import { openTemporaryLog } from "../../../ingest/log/temporary-log.ts";
import { anEvent, orgOne, signalsOfCall, startOfTime } from "../../../make.ts";
import { createManualClock, type ManualClock } from "../../../manual-clock.ts";
import { openEmptyWarehouse } from "../../../migrated-files.ts";
import { hour } from "./records.ts";

/** Ample, for a machine that does other work meanwhile. */
export const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });

export const topic = "call-events";

export const target: Holder = { kind: "target", id: "tgt-1" };

export interface Rig {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly clock: ManualClock;
  readonly troubles: unknown[];
  /** Stores what the log has and the warehouse not yet. */
  load(): Promise<void>;
  open(given?: Partial<CallStoreDeps>): Promise<CallStore>;
}

export async function createRig({ keptDays = null }: { keptDays?: number | null } = {}): Promise<Rig> {
  const { log } = await openTemporaryLog({ partitions: 3 });
  const clock = createManualClock(startOfTime + hour);
  const warehouse = await openEmptyWarehouse({ retention: { days: keptDays, clock } });
  onTestFinished(() => warehouse.close());
  const troubles: unknown[] = [];
  return {
    log,
    warehouse,
    clock,
    troubles,
    async load() {
      for (const [partition, end] of (await log.ends(topic)).entries()) {
        const firstOffset = await warehouse.position(topic, partition);
        const values: string[] = [];
        for await (const { value } of log.read({ topic, partition, offset: firstOffset })) values.push(value);
        await warehouse.store({ topic, partition, firstOffset, nextOffset: end, values });
      }
    },
    async open(given = {}) {
      const onTrouble = (error: unknown) => troubles.push(error);
      const stats = await openCallStore({ log, warehouse, clock, lookbackDays: () => 30, onTrouble, ...given });
      onTestFinished(() => stats.close());
      return stats;
    },
  };
}

export interface Given {
  readonly id?: string;
  readonly at?: number;
  readonly org?: OrgId;
}

/** The last event of a call of 16 connected seconds, which brings 30 and costs 20 dollars. */
export function completed({ id = "call-1", at = startOfTime, org = orgOne }: Given = {}): CallEvent {
  const whose = { call_id: id as CallId, org_id: org };
  const event = anEvent("call.completed", signalsOfCall(16, whose));
  const moved = new Date(at).toISOString();
  return { ...event, started_at: moved, connected_at: moved, created_at: moved };
}

export const publish = (log: EventLog, events: readonly CallEvent[]) =>
  log.publish(events.map((event) => ({ topic, key: event.call_id, value: JSON.stringify(event) })));

export const many = (count: number, given: (index: number) => Given): CallEvent[] =>
  Array.from({ length: count }, (_, index) => completed({ id: `call-${index}`, ...given(index) }));

export const sums = (stats: CallStore, holder = target, org = orgOne) =>
  (["calls", "connected", "converted", "revenue", "payout"] as const).map((name) =>
    stats.ofOrganization(org).sumSince(holder, name, 0),
  );

export const calls = (stats: CallStore, since = 0, org = orgOne) =>
  stats.ofOrganization(org).sumSince(target, "calls", since);
