import type { Place } from "./line.ts";

/** Work that this process has in hand, and how much of it is for each place. */
export function createInHand() {
  const works = new Set<Promise<void>>();
  const places = new Map<string, { readonly place: Place; count: number }>();

  return {
    size: (): number => works.size,
    /** Those that have more than so many in hand. */
    placesAbove: (many: number): Place[] =>
      [...places.values()].filter(({ count }) => count > many).map(({ place }) => place),
    /** Takes work in hand that never rejects; `onDone` hears how many are left of its place. */
    add(place: Place, work: Promise<void>, onDone: (left: number) => void): void {
      const known = places.get(keyOf(place)) ?? { place, count: 0 };
      places.set(keyOf(place), known);
      known.count += 1;
      const done = work.finally(() => {
        works.delete(done);
        known.count -= 1;
        if (known.count === 0) places.delete(keyOf(place));
        onDone(known.count);
      });
      works.add(done);
    },
    /** Resolves when all is done that is in hand now. */
    async settled(): Promise<void> {
      await Promise.all(works);
    },
  };
}

const keyOf = ({ orgId, endpoint }: Place): string => `${orgId} ${endpoint}`;
