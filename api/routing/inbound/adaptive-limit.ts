export interface AdaptiveLimitOptions {
  /** Beyond this delay there are too many at once. */
  readonly targetMs: number;
  readonly least: number;
  /** At the start. */
  readonly first: number;
  readonly most: number;
}

/** In one step the limit falls to half at the most, and to nine tenths at the least. */
const [steepest, gentlest] = [0.5, 0.9];

/**
 * Limits work in flight by a delay that is measured: the limit falls in proportion while the delay is too long, and rises
 * again as long as it is reached without one.
 */
export function createAdaptiveLimit({ targetMs, least, first, most }: AdaptiveLimitOptions) {
  let limit = first;
  let inFlight = 0;
  /** The most in flight since the delay was last measured. */
  let peak = 0;
  let onIdle: (() => void) | null = null;

  return {
    hasRoom: (): boolean => inFlight < limit,
    /** Returns false for work that is too much; else `leave` must follow. */
    enter(): boolean {
      if (inFlight >= limit) return false;
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      return true;
    },
    leave(): void {
      inFlight -= 1;
      if (inFlight === 0) onIdle?.();
    },
    observe(delayMs: number): void {
      if (delayMs > targetMs) {
        const part = Math.min(Math.max(targetMs / delayMs, steepest), gentlest);
        limit = Math.max(least, Math.floor(Math.min(limit, peak) * part));
      } else if (peak >= limit) {
        limit = Math.min(most, limit + Math.ceil(limit / 10));
      }
      peak = inFlight;
    },
    limit: (): number => limit,
    /** Resolves when nothing is in flight. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        onIdle = resolve;
        if (inFlight === 0) resolve();
      }),
  };
}
export type AdaptiveLimit = ReturnType<typeof createAdaptiveLimit>;
