import type { CallColumns } from "./call-columns.ts";

/** A caller with more calls than this is known by the newest ones; each decision looks at all of them. */
const maxCallsOfCaller = 1000;

/** The calls of each caller as a chain through the columns, newest first. */
export function createCallerChains({ get, set }: Pick<CallColumns, "get" | "set">) {
  const newest = new Map<number, number>();
  const nextOf = (slot: number): number => get("next_of_caller", slot);
  const firstOf = (caller: number): number => newest.get(caller) ?? -1;

  function follow(caller: number, before: number, slot: number): void {
    if (before !== -1) set("next_of_caller", before, slot);
    else if (slot !== -1) newest.set(caller, slot);
    else newest.delete(caller);
  }

  /** The slot of the chain behind which `isPlace` holds of the next one; null when the chain is too long to come there. */
  function findPlace(caller: number, isPlace: (next: number) => boolean) {
    let before = -1;
    let next = firstOf(caller);
    for (let depth = 0; depth < maxCallsOfCaller; depth += 1) {
      if (next === -1 || isPlace(next)) return { before, next, depth };
      before = next;
      next = nextOf(next);
    }
    return null;
  }

  return {
    link(slot: number): void {
      const caller = get("caller", slot);
      if (caller === 0) return;
      const place = findPlace(caller, (next) => get("at", next) <= get("at", slot));
      if (place === null) return;
      set("next_of_caller", slot, place.next);
      follow(caller, place.before, slot);
      let last = slot;
      for (let depth = place.depth + 1; depth < maxCallsOfCaller && last !== -1; depth += 1) last = nextOf(last);
      if (last !== -1) set("next_of_caller", last, -1);
    },

    unlink(slot: number): void {
      const caller = get("caller", slot);
      const place = caller === 0 ? null : findPlace(caller, (next) => next === slot);
      if (place !== null && place.next === slot) follow(caller, place.before, nextOf(slot));
    },

    /** Newest first. */
    slotsOf(caller: number): number[] {
      const slots: number[] = [];
      for (let slot = firstOf(caller); slot !== -1; slot = nextOf(slot)) slots.push(slot);
      return slots;
    },
  };
}
