import type { Logger } from "pino";
import type { Clock } from "../../ingest/clock.ts";

export interface Closable {
  close(): Promise<void>;
}

export interface ClosersDeps {
  readonly logger: Pick<Logger, "debug" | "error">;
  readonly clock: Clock;
}

/** The log may wait for its consumers, its producer and its connections, ten seconds each. */
const partWithinMs = 30_000;
/** Below the 60 s after which compose.yaml has a process killed. */
const allWithinMs = 45_000;

/** Thrown to whoever opens a part of a process that is closing. */
export class ClosingError extends Error {
  override readonly name = "ClosingError";
}

/**
 * Closes what was opened in reverse order, once. A part that fails to close, or does not in time, does not keep the
 * others open; what is opened after the closing has begun is closed at once.
 */
export function createClosers({ logger, clock }: ClosersDeps) {
  const opened: { readonly name: string; readonly part: Closable }[] = [];
  const late: Promise<void>[] = [];
  let closing: Promise<void> | null = null;
  let closedBy = Number.POSITIVE_INFINITY;

  async function closeOne(name: string, part: Closable): Promise<void> {
    const inTime = new AbortController();
    const closed = part.close().then(
      () => true,
      (error: unknown) => {
        logger.error({ err: error, part: name }, "failed to close");
        return true;
      },
    );
    const withinMs = Math.min(partWithinMs, Math.max(0, closedBy - clock.now()));
    const isInTime = await Promise.race([closed, clock.sleep(withinMs, inTime.signal).then(() => false)]);
    inTime.abort();
    if (!isInTime) logger.error({ part: name, withinMs }, "did not close in time, is left as it is");
  }

  async function closeAll(): Promise<void> {
    closedBy = clock.now() + allWithinMs;
    for (const { name, part } of opened.reverse()) await closeOne(name, part);
    await Promise.all(late);
  }

  return {
    /** To be called with each part the moment it is open. Throws `ClosingError` when the closing has begun. */
    add<T extends Closable>(name: string, part: T): T {
      if (closing !== null) {
        late.push(closeOne(name, part));
        throw new ClosingError(`The process is closing: its ${name} is closed again.`);
      }
      opened.push({ name, part });
      logger.debug({ part: name }, "opened");
      return part;
    },
    closing: (): boolean => closing !== null,
    close(): Promise<void> {
      closing ??= closeAll();
      return closing;
    },
  };
}
export type Closers = ReturnType<typeof createClosers>;

/**
 * Opens the parts of a process. Where a step fails, or `stop` aborts before the last, all that is open is closed; then it
 * throws what failed, or the reason of `stop`.
 */
export async function openOrClose<T>(
  closers: Pick<Closers, "close">,
  stop: AbortSignal | undefined,
  open: () => Promise<T>,
): Promise<T> {
  stop?.throwIfAborted();
  const opening = open();
  try {
    return await (stop === undefined ? opening : Promise.race([opening, rejectedBy(stop)]));
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function rejectedBy(stop: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
}
