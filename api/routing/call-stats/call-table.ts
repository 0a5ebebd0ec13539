import { callStatuses } from "../../../ingest/call.ts";
import type { Holder } from "../call-stats.ts";
import { type CallRecord, holderColumns } from "./call-record.ts";
import { hourOf } from "./counters.ts";

/** A caller with more calls than this is known by the newest ones; each decision looks at all of them. */
const maxCallsOfCaller = 1000;
const firstCapacity = 64;

const makeColumns = (length: number) => ({
  at: new Float64Array(length),
  caller: new Float64Array(length),
  revenue: new Float64Array(length),
  payout: new Float64Array(length),
  version: new Int32Array(length),
  /** -1 for null, and so for the next. */
  whole_seconds: new Int32Array(length),
  connected_seconds: new Int32Array(length),
  /** Numbers of texts, and so for the next four. */
  campaign_id: new Int32Array(length),
  publisher_id: new Int32Array(length),
  target_id: new Int32Array(length),
  rtb_id: new Int32Array(length),
  buyer_id: new Int32Array(length),
  /** The status and one bit for each boolean. */
  flags: new Uint8Array(length),
});
const columnNames = Object.keys(makeColumns(0)) as (keyof ReturnType<typeof makeColumns>)[];

const statusBits = 3;
const connectedBit = 4;
const convertedBit = 8;
const receivableBit = 16;

/**
 * The recent calls of an organization, by id, by caller and by the hour of UTC in which they came in. Their fields are
 * numbers in typed arrays, one slot a call: of a million calls each takes 290 bytes, where objects in maps take 400 and make
 * a full garbage collection, which pings wait for, three times as long.
 */
export function createCallTable() {
  let columns = makeColumns(firstCapacity);
  const texts = createTexts();
  const slots = new Map<string, number>();
  const ids: string[] = [];
  const free: number[] = [];
  /** Most callers have one call; the slots of those that have more, newest first. */
  const byCaller = new Map<number, number | number[]>();
  const byHour = new Map<number, number[]>();

  function takeSlot(callId: string): number {
    const slot = free.pop() ?? ids.length;
    ids[slot] = callId;
    slots.set(callId, slot);
    if (slot >= columns.at.length) {
      // A half more each time: the arrays take twice the memory only for as long as they are copied.
      const larger = makeColumns(Math.ceil(slot * 1.5));
      for (const name of columnNames) larger[name].set(columns[name]);
      columns = larger;
    }
    return slot;
  }

  function write(slot: number, call: CallRecord): void {
    columns.revenue[slot] = call.revenue;
    columns.payout[slot] = call.payout;
    columns.version[slot] = call.version;
    columns.whole_seconds[slot] = call.whole_seconds ?? -1;
    columns.connected_seconds[slot] = call.connected_seconds ?? -1;
    columns.campaign_id[slot] = texts.toNumber(call.campaign_id);
    columns.publisher_id[slot] = texts.toNumber(call.publisher_id);
    columns.target_id[slot] = texts.toNumber(call.target_id);
    columns.rtb_id[slot] = texts.toNumber(call.rtb_id);
    columns.buyer_id[slot] = texts.toNumber(call.buyer_id);
    columns.flags[slot] =
      callStatuses.indexOf(call.status) |
      (call.connected ? connectedBit : 0) |
      (call.converted ? convertedBit : 0) |
      (call.receivable ? receivableBit : 0);
  }

  function read(slot: number): CallRecord {
    const flags = columns.flags[slot] ?? 0;
    return {
      call_id: ids[slot] ?? "",
      at: columns.at[slot] ?? 0,
      caller: columns.caller[slot] ?? 0,
      version: columns.version[slot] ?? 0,
      status: callStatuses[flags & statusBits] ?? "incoming",
      campaign_id: texts.toText(columns.campaign_id[slot]),
      publisher_id: texts.toText(columns.publisher_id[slot]),
      target_id: texts.toText(columns.target_id[slot]),
      rtb_id: texts.toText(columns.rtb_id[slot]),
      buyer_id: texts.toText(columns.buyer_id[slot]),
      whole_seconds: toSeconds(columns.whole_seconds[slot]),
      connected_seconds: toSeconds(columns.connected_seconds[slot]),
      connected: (flags & connectedBit) !== 0,
      converted: (flags & convertedBit) !== 0,
      receivable: (flags & receivableBit) !== 0,
      revenue: columns.revenue[slot] ?? 0,
      payout: columns.payout[slot] ?? 0,
    };
  }

  function slotsOfCaller(caller: number): readonly number[] {
    const known = byCaller.get(caller) ?? [];
    return typeof known === "number" ? [known] : known;
  }

  function setCaller(caller: number, all: number[]): void {
    const [first] = all;
    if (first === undefined) byCaller.delete(caller);
    else byCaller.set(caller, all.length === 1 ? first : all);
  }

  function insert(call: CallRecord): void {
    const slot = takeSlot(call.call_id);
    columns.at[slot] = call.at;
    columns.caller[slot] = call.caller;
    write(slot, call);
    const hour = hourOf(call.at);
    const ofHour = byHour.get(hour);
    if (ofHour === undefined) byHour.set(hour, [slot]);
    else ofHour.push(slot);
    if (call.caller === 0) return;
    const known = slotsOfCaller(call.caller);
    const older = known.findIndex((each) => (columns.at[each] ?? 0) <= call.at);
    const all = known.toSpliced(older < 0 ? known.length : older, 0, slot);
    setCaller(call.caller, all.slice(0, maxCallsOfCaller));
  }

  return {
    size: (): number => slots.size,
    find(callId: string): CallRecord | undefined {
      const slot = slots.get(callId);
      return slot === undefined ? undefined : read(slot);
    },
    /** A call that is there keeps its caller and when it came in. */
    put(call: CallRecord): void {
      const slot = slots.get(call.call_id);
      if (slot === undefined) insert(call);
      else write(slot, call);
    },
    /** Newest first. */
    ofCaller: (caller: number): CallRecord[] => slotsOfCaller(caller).map(read),
    ofHour: (hour: number): CallRecord[] => (byHour.get(hour) ?? []).map(read),
    /** A holder's calls of the rest of an hour; calls of others are passed over unread. */
    ofHolder({ kind, id }: Holder, since: number): CallRecord[] {
      const [ofKind, text] = [columns[holderColumns[kind]], texts.find(id)];
      const all = byHour.get(hourOf(since)) ?? [];
      return all.filter((slot) => ofKind[slot] === text && (columns.at[slot] ?? 0) >= since).map(read);
    },
    /** Oldest first. */
    hours: (): number[] => [...byHour.keys()].sort((one, other) => one - other),
    removeHour(hour: number): void {
      for (const slot of byHour.get(hour) ?? []) {
        const caller = columns.caller[slot] ?? 0;
        setCaller(
          caller,
          slotsOfCaller(caller).filter((each) => each !== slot),
        );
        slots.delete(ids[slot] ?? "");
        ids[slot] = "";
        free.push(slot);
      }
      byHour.delete(hour);
    },
  };
}

const toSeconds = (seconds = -1): number | null => (seconds < 0 ? null : seconds);

/** Texts that many calls share, each by a small number; 0 is null. */
function createTexts() {
  const texts: (string | null)[] = [null];
  const numbers = new Map<string | null, number>([[null, 0]]);
  return {
    toNumber(text: string | null): number {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    /** Undefined for a text that no call has had. */
    find: (text: string): number | undefined => numbers.get(text),
    toText: (number = 0): string | null => texts[number] ?? null,
  };
}
