import { createPeerExchange } from "../../../../api/routing/peers/peers.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

export const maxPending = 2000;

/** Processes on one clock that share peer state by a database of the test's; `exchange` lets each receive what all have sent. */
export function openPeers(count: number) {
  const clock = createManualClock(startOfTime);
  const troubles: unknown[] = [];
  const sent: string[] = [];
  const listeners = new Set<(message: string | null) => void>();
  let exchanges = 0;
  let isAway = false;

  function openProcess() {
    let own: ((message: string | null) => void) | undefined;
    return createPeerExchange({
      database: {
        async broadcast(messages) {
          if (isAway) throw new Error("away");
          sent.push(...messages);
          for (const listener of listeners) if (listener !== own) for (const message of messages) listener(message);
        },
        onBroadcast(listener) {
          own = listener;
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      clock,
      maxPending,
      onTrouble: (error: unknown) => void troubles.push(error),
      onExchanged: () => void exchanges++,
    });
  }

  const processes = Array.from({ length: count }, openProcess);
  return {
    clock,
    troubles,
    /** Messages, as the database was given them. */
    sent,
    /** Passes a message of nobody here to all of them. */
    receive(message: string): void {
      for (const listener of listeners) listener(message);
    },
    processes,
    openProcess,
    /** Rounds that did not fail. */
    exchanges: () => exchanges,
    /** When it is back, everybody is told that something may have been missed. */
    setAway(away: boolean): void {
      isAway = away;
      if (!away) for (const listener of listeners) listener(null);
    },
    async exchange(): Promise<void> {
      for (const { round } of [...processes, ...processes]) await round();
    },
  };
}
export type OpenedPeers = ReturnType<typeof openPeers>;
