import { callStatuses } from "../../../ingest/call.ts";
import type { Holder } from "../facts.ts";
import { createCallerChains } from "./call-chains.ts";
import { createColumns } from "./call-columns.ts";
import { createNames, packCallId, unpackCallId } from "./call-names.ts";
import { type CallRecord, holderColumns } from "./call-record.ts";
import { hourOf } from "./tallies.ts";

const statusBits = 3;
const connectedBit = 4;
const convertedBit = 8;
const receivableBit = 16;
const plainColumns = ["revenue", "payout", "version"] as const;

/** Calls by their id, by caller and by the hour of UTC in which they came in. */
export function createCallTable() {
  const columns = createColumns();
  const { get, set } = columns;
  const names = createNames();
  const callers = createCallerChains(columns);
  const slots = new Map<string, number>();
  const packedIds: string[] = [];
  const free: number[] = [];
  const newestOfHour = new Map<number, number>();

  function write(slot: number, call: CallRecord): void {
    for (const name of plainColumns) set(name, slot, call[name]);
    for (const name of Object.values(holderColumns)) set(name, slot, names.toNumber(call[name]));
    for (const name of ["whole_seconds", "connected_seconds"] as const) set(name, slot, call[name] ?? -1);
    const { connected, converted, receivable } = call;
    const bits = (connected ? connectedBit : 0) | (converted ? convertedBit : 0) | (receivable ? receivableBit : 0);
    set("flags", slot, callStatuses.indexOf(call.status) | bits);
  }

  function read(slot: number): CallRecord {
    const flags = get("flags", slot);
    const seconds = (name: "whole_seconds" | "connected_seconds") => (get(name, slot) < 0 ? null : get(name, slot));
    return {
      call_id: unpackCallId(packedIds[slot] ?? ""),
      at: get("at", slot),
      caller: get("caller", slot),
      version: get("version", slot),
      status: callStatuses[flags & statusBits] ?? "incoming",
      campaign_id: names.toText(get("campaign_id", slot)),
      publisher_id: names.toText(get("publisher_id", slot)),
      target_id: names.toText(get("target_id", slot)),
      rtb_id: names.toText(get("rtb_id", slot)),
      buyer_id: names.toText(get("buyer_id", slot)),
      whole_seconds: seconds("whole_seconds"),
      connected_seconds: seconds("connected_seconds"),
      connected: (flags & connectedBit) !== 0,
      converted: (flags & convertedBit) !== 0,
      receivable: (flags & receivableBit) !== 0,
      revenue: get("revenue", slot),
      payout: get("payout", slot),
    };
  }

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
