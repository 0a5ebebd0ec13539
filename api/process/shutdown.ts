import type { Logger } from "pino";
import type { Clock } from "../../ingest/clock.ts";

export interface Closable {
  close(): Promise<void>;
}

export interface ShutdownDeps {
  readonly logger: Pick<Logger, "debug" | "error">;
  readonly clock: Clock;
}

/** The event log may wait for its consumers, producer and connections, ten seconds each. */
const partTimeoutMs = 30_000;
/** Less than the 60 s after which compose.yaml kills a process. */
const totalTimeoutMs = 45_000;

/** Thrown if a part is opened while the process is shutting down. */
export class ClosingError extends Error {
  override readonly name = "ClosingError";
}

/**
 * Closes the parts of a process once, in reverse order of opening. A part that fails to close, or not in time, does not
 * keep the others open; a part that is added after the shutdown began is closed at once.
 */
export function createShutdown({ logger, clock }: ShutdownDeps) {
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
    const withinMs = Math.min(partTimeoutMs, Math.max(0, closedBy - clock.now()));
    const isInTime = await Promise.race([closed, clock.sleep(withinMs, inTime.signal).then(() => false)]);
    inTime.abort();
    if (!isInTime) logger.error({ part: name, withinMs }, "did not close in time");
  }

  async function closeAll(): Promise<void> {
    closedBy = clock.now() + totalTimeoutMs;
    for (const { name, part } of opened.reverse()) await closeOne(name, part);
    await Promise.all(late);
  }

  return {
    /** Adds a part as soon as it is open. Throws `ClosingError` if the shutdown has begun. */
    add<T extends Closable>(name: string, part: T): T {
      if (closing !== null) {
        late.push(closeOne(name, part));
        throw new ClosingError(`The process is shutting down: its ${name} is closed again.`);
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
export type Shutdown = ReturnType<typeof createShutdown>;

/**
 * Opens the parts of a process. If a step fails, or `stop` aborts before the last one, everything that is open is closed
 * and the error, or the reason of `stop`, is thrown.
 */
export async function openOrClose<T>(
  shutdown: Pick<Shutdown, "close">,
  stop: AbortSignal | undefined,
  open: () => Promise<T>,
): Promise<T> {
  stop?.throwIfAborted();
  const opening = open();
  try {
    return await (stop === undefined ? opening : Promise.race([opening, rejectedBy(stop)]));
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

function rejectedBy(stop: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
}
