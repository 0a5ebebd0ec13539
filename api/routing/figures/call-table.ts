import type { Holder } from "../facts.ts";
import { createCallerChains } from "./call-chains.ts";
import { createColumns } from "./call-columns.ts";
import { createNames, packCallId } from "./call-names.ts";
import { type CallRecord, holderColumns } from "./call-record.ts";
import { createCallRows } from "./call-rows.ts";
import { hourOf } from "./tallies.ts";

/** Calls by their id, by caller and by the hour of UTC in which they came in. */
export function createCallTable() {
  const columns = createColumns();
  const { get, set } = columns;
  const names = createNames();
  const { read, write } = createCallRows(columns, names, (slot) => packedIds[slot] ?? "");
  const callers = createCallerChains(columns);
  const slots = new Map<string, number>();
  const packedIds: string[] = [];
  const free: number[] = [];
  const newestOfHour = new Map<number, number>();

  function* slotsOfHour(hour: number): Generator<number> {
    let slot = newestOfHour.get(hour) ?? -1;
    while (slot !== -1) {
      const next = get("next_of_hour", slot);
      yield slot;
      slot = next;
    }
  }

  function remove(slot: number): void {
    callers.unlink(slot);
    slots.delete(packedIds[slot] ?? "");
    packedIds[slot] = "";
    free.push(slot);
  }

  function insert(call: CallRecord): void {
    const slot = free.pop() ?? packedIds.length;
    columns.hold(slot + 1);
    const id = packCallId(call.call_id);
    packedIds[slot] = id;
    slots.set(id, slot);
    set("at", slot, call.at);
    set("caller", slot, call.caller);
    write(slot, call);
    const hour = hourOf(call.at);
    set("next_of_hour", slot, newestOfHour.get(hour) ?? -1);
    newestOfHour.set(hour, slot);
    set("next_of_caller", slot, -1);
    callers.link(slot);
  }

  return {
    size: (): number => slots.size,
    find(callId: string): CallRecord | undefined {
      const slot = slots.get(packCallId(callId));
      return slot === undefined ? undefined : read(slot);
    },
    /** A call that is there keeps its caller and when it came in. */
    put(call: CallRecord): void {
      const slot = slots.get(packCallId(call.call_id));
      if (slot === undefined) insert(call);
      else write(slot, call);
    },
    /** Newest first. */
    ofCaller: (caller: number): CallRecord[] => callers.slotsOf(caller).map(read),
    /** In no order. */
    ofHour: (hour: number): CallRecord[] => [...slotsOfHour(hour)].map(read),
    /** A holder's calls of the rest of an hour, in no order; calls of others are passed over unread. */
    ofHolder({ kind, id }: Holder, since: number): CallRecord[] {
      const name = names.find(id);
      const column = holderColumns[kind];
      const found: CallRecord[] = [];
      for (const slot of slotsOfHour(hourOf(since))) {
        if (get(column, slot) === name && get("at", slot) >= since) found.push(read(slot));
      }
      return found;
    },
    /** Oldest first. */
    hours: (): number[] => [...newestOfHour.keys()].sort((one, other) => one - other),
    removeHour(hour: number): void {
      for (const slot of slotsOfHour(hour)) remove(slot);
      newestOfHour.delete(hour);
    },
  };
}
