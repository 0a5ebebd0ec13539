import { onTestFinished } from "vitest";
import type { CallEvent } from "../../../ingest/event.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import type { Topic } from "../../../ingest/log/log.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../../ingest/rtb.ts";
import { duckdbRtbDialect } from "../../../warehouse/rtb/dialect-duckdb.ts";
import { anEvent, orgOne, secondsIn, signalsOfCall } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";

export const theDay = { from: new Date(secondsIn(0)), to: new Date(secondsIn(86_400)) };
export const about = { orgId: orgOne, period: theDay, timezone: "UTC" } as const;

/** An empty warehouse in memory, filled as the loader fills it. */
export async function openRtbStore() {
  const warehouse = await openEmptyWarehouse();
  onTestFinished(() => warehouse.close());
  const stored = new Map<Topic, number>();
  async function store(topic: Topic, records: readonly unknown[]): Promise<void> {
    const firstOffset = stored.get(topic) ?? 0;
    const nextOffset = firstOffset + records.length;
    stored.set(topic, nextOffset);
    const values = records.map((record) => JSON.stringify(record));
    await warehouse.store({ topic, partition: 0, firstOffset, nextOffset, values });
  }
  return {
    warehouse,
    stats: { warehouse, dialect: duckdbRtbDialect },
    requests: (records: readonly (InboundRtbRequest | OutboundRtbRequest)[]) => store("rtb-requests", records),
    calls: (events: readonly CallEvent[]) => store("call-events", events),
    store,
  };
}

/** The last event of a call of so many seconds, with fields of its own. */
export const aCallOf = (call_id: string, given: Partial<CallEvent> = {}, seconds = 16): CallEvent => ({
  ...anEvent("call.completed", signalsOfCall(seconds)),
  id: `${call_id}:call.completed` as CallEvent["id"],
  call_id: call_id as CallEvent["call_id"],
  ...given,
});

/** Every event of a call, in order. */
export function eventsOf(signals: ReturnType<typeof signalsOfCall>): CallEvent[] {
  let call: Parameters<typeof applySignal>[0];
  return signals.flatMap((signal, position) => {
    const applied = applySignal(call, signal, position);
    if (applied.kind !== "applied") throw new Error(`${signal.kind} cannot follow here: ${applied.kind}`);
    call = applied.call;
    return applied.events;
  });
}
