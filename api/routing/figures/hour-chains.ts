import type { CallColumns } from "./call-columns.ts";
import { hourOf } from "./tallies.ts";

/** The calls of each hour of UTC as a chain through the columns, in no order. */
export function createHourChains({ get, set }: Pick<CallColumns, "get" | "set">) {
  const firsts = new Map<number, number>();

  return {
    link(slot: number): void {
      const hour = hourOf(get("at", slot));
      set("next_of_hour", slot, firsts.get(hour) ?? -1);
      firsts.set(hour, slot);
    },
    /** Whoever asks may free the slot that he has before he asks for the next. */
    *slotsOf(hour: number): Generator<number> {
      let slot = firsts.get(hour) ?? -1;
      while (slot !== -1) {
        const next = get("next_of_hour", slot);
        yield slot;
        slot = next;
      }
    },
    /** Oldest first. */
    hours: (): number[] => [...firsts.keys()].sort((one, other) => one - other),
    remove(hour: number): void {
      firsts.delete(hour);
    },
  };
}
