import type { Clock } from "../../ingest/clock.ts";

interface TidyingGiven {
  readonly clock: Pick<Clock, "now">;
  tidy(): Promise<void>;
  /** Told of what nobody waits for; it is tried again. */
  onTrouble(error: unknown): void;
}

const everyMs = 60_000;

/** Tidies up behind those who come by: one round at a time. */
export function createTidying({ clock, tidy, onTrouble }: TidyingGiven) {
  let underWay: Promise<void> | null = null;
  let begunAt = clock.now();

  return {
    /** Once a minute at the most; `also` is done with it. */
    tidySometimes(also: () => Promise<void> = async () => {}): void {
      if (underWay !== null || clock.now() < begunAt + everyMs) return;
      begunAt = clock.now();
      underWay = tidy()
        .then(also)
        .catch(onTrouble)
        .finally(() => {
          underWay = null;
        });
    },
    async close(): Promise<void> {
      await underWay;
    },
  };
}
