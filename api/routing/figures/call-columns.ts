/**
 * One typed array for each field of the calls in memory: some 75 bytes a call, where an object takes three times that
 * and is looked at by every collection of garbage.
 */
const types = {
  at: Float64Array,
  caller: Float64Array,
  revenue: Float64Array,
  payout: Float64Array,
  version: Int32Array,
  whole_seconds: Int32Array,
  connected_seconds: Int32Array,
  campaign_id: Int32Array,
  publisher_id: Int32Array,
  target_id: Int32Array,
  rtb_id: Int32Array,
  buyer_id: Int32Array,
  flags: Uint8Array,
  /** The slot of the caller's next older call, and of another one of the same hour; -1 after the last. */
  next_of_caller: Int32Array,
  next_of_hour: Int32Array,
} as const;
export type ColumnName = keyof typeof types;
type Columns = Record<ColumnName, Float64Array | Int32Array | Uint8Array>;

const firstCapacity = 64;

export function createColumns() {
  let capacity = 0;
  let columns = make(0);

  function grow(slots: number): void {
    capacity = Math.max(firstCapacity, capacity);
    // A half more each time: the arrays double what they hold only for as long as they are copied.
    while (capacity < slots) capacity = Math.ceil(capacity * 1.5);
    const larger = make(capacity);
    for (const name of names) larger[name].set(columns[name]);
    columns = larger;
  }

  return {
    get: (name: ColumnName, slot: number): number => columns[name][slot] ?? 0,
    set(name: ColumnName, slot: number, value: number): void {
      columns[name][slot] = value;
    },
    /** Makes room for so many slots. */
    hold(slots: number): void {
      if (slots > capacity) grow(slots);
    },
  };
}

const names = Object.keys(types) as ColumnName[];
export type CallColumns = ReturnType<typeof createColumns>;

const make = (length: number): Columns =>
  Object.fromEntries(names.map((name) => [name, new types[name](length)])) as unknown as Columns;
