import type { Process } from "../compose.ts";

/** Why a command ends that was told to. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
}

/**
 * Aborts at the first SIGINT or SIGTERM, with a `StoppedError`, so that a command can finish what is in hand; a second
 * one ends it at once.
 */
export function createStopSignal(say: (text: string) => void = sayToPeople): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(130);
      say(`${name}: finishing what is in hand; once more ends it at once.`);
      stop.abort(new StoppedError(`Stopped by ${name}.`));
    });
  }
  return stop.signal;
}

/** A terminal shows the keys that were pressed first. */
const sayToPeople = (text: string): void => console.error(`\n${text}`);

/** Resolves when the command is told to stop; rejects when a part of the platform cannot go on. */
export async function untilStopped(stop: AbortSignal, platform: Pick<Process, "failure">): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
  const failed = platform.failure.then((error) => {
    throw new Error(`The platform cannot go on: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
  await Promise.race([stopped, failed]);
}
