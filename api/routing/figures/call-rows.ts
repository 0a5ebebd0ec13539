import { callStatuses } from "../../../ingest/call.ts";
import type { CallColumns } from "./call-columns.ts";
import type { CallNames } from "./call-names.ts";
import { type CallRecord, holderColumns } from "./call-record.ts";

const statusBits = 3;
const connectedBit = 4;
const convertedBit = 8;
const receivableBit = 16;
const plainColumns = ["revenue", "payout", "version"] as const;

/** Calls as numbers in columns, a slot each; what they are linked by is not theirs. */
export function createCallRows({ get, set }: CallColumns, names: CallNames, idOf: (slot: number) => string) {
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
      call_id: idOf(slot),
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

  return { read, write };
}
