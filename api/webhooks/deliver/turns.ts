import type { Clock } from "../../../ingest/clock.ts";
import { createLine, type LineLimits, type Place } from "./line.ts";

export interface TurnLimits extends LineLimits {
  /** Requests under way at once. */
  readonly total: number;
}

export interface Queue {
  /** How many wait for the endpoint, for any of its organization's, and for any at all. */
  readonly endpoint: number;
  readonly org: number;
  readonly all: number;
  /** How long the first of the endpoint has waited. */
  readonly waitedMs: number;
}

/**
 * Hands out places to whoever is next in line. What hangs takes its own endpoint's places and nobody else's.
 */
export function createTurns({ total, ...limits }: TurnLimits, clock: Pick<Clock, "now">) {
  const line = createLine(limits);
  let active = 0;
  let waiting = 0;

  function admit(): void {
    while (active < total) {
      const next = line.next();
      if (next === undefined) return;
      active += 1;
      waiting -= 1;
      next.begin();
    }
  }

  function leave(place: Place): void {
    active -= 1;
    line.leave(place);
    admit();
  }

  return {
    /** Resolves when its turn has come, with what gives the place back; once more does nothing. */
    enter(place: Place): Promise<() => void> {
      let left = false;
      const leaveOnce = () => {
        if (!left) leave(place);
        left = true;
      };
      return new Promise((resolve) => {
        waiting += 1;
        line.join(place, { since: clock.now(), begin: () => resolve(leaveOnce) });
        admit();
      });
    },

    waiting(place: Place): Queue {
      const { endpoint, org } = line.waiting(place);
      const [first] = endpoint;
      const waitedMs = first === undefined ? 0 : clock.now() - first.since;
      return { endpoint: endpoint.length, org, all: waiting, waitedMs };
    },
  };
}
export type Turns = ReturnType<typeof createTurns>;
