import type { Holder } from "../call-stats.ts";
import { createColumns } from "./call-columns.ts";
import { createNames } from "./call-names.ts";
import { type CallRecord, holderColumns } from "./call-record.ts";
import { createCallRows } from "./call-rows.ts";
import { createCallSlots } from "./call-slots.ts";
import { createCallerChains } from "./caller-chains.ts";
import { createHourChains } from "./hour-chains.ts";
import { hourOf } from "./tallies.ts";

/** Calls by their id, by caller and by the hour of UTC in which they came in. */
export function createCallTable() {
  const columns = createColumns();
  const { get, set } = columns;
  const names = createNames();
  const slots = createCallSlots();
  const { read, write } = createCallRows(columns, names, slots.idOf);
  const callers = createCallerChains(columns);
  const hours = createHourChains(columns);

  function insert(call: CallRecord): void {
    const slot = slots.take(call.call_id);
    columns.hold(slot + 1);
    set("at", slot, call.at);
    set("caller", slot, call.caller);
    set("next_of_caller", slot, -1);
    write(slot, call);
    hours.link(slot);
    callers.link(slot);
  }

  return {
    size: slots.size,
    find(callId: string): CallRecord | undefined {
      const slot = slots.find(callId);
      return slot === undefined ? undefined : read(slot);
    },
    /** A call that is there keeps its caller and when it came in. */
    put(call: CallRecord): void {
      const slot = slots.find(call.call_id);
      if (slot === undefined) insert(call);
      else write(slot, call);
    },
    /** Newest first. */
    ofCaller: (caller: number): CallRecord[] => callers.slotsOf(caller).map(read),
    /** In no order. */
    ofHour: (hour: number): CallRecord[] => [...hours.slotsOf(hour)].map(read),
    /** A holder's calls of the rest of an hour, in no order; calls of others are passed over unread. */
    ofHolder({ kind, id }: Holder, since: number): CallRecord[] {
      const name = names.find(id);
      const column = holderColumns[kind];
      const found: CallRecord[] = [];
      for (const slot of hours.slotsOf(hourOf(since))) {
        if (get(column, slot) === name && get("at", slot) >= since) found.push(read(slot));
      }
      return found;
    },
    /** Oldest first. */
    hours: hours.hours,
    removeHour(hour: number): void {
      for (const slot of hours.slotsOf(hour)) {
        callers.unlink(slot);
        slots.free(slot);
      }
      hours.remove(hour);
    },
  };
}
