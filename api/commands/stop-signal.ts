import type { Process } from "../compose.ts";

/** The reason of a command's abort by a signal. */
class StoppedError extends Error {
  override readonly name = "StoppedError";
}

/**
 * Returns a signal that aborts at the first SIGINT or SIGTERM, with a `StoppedError`, so that a command can finish its
 * work in progress; a second one ends the process at once.
 */
export function createStopSignal(say: (text: string) => void = printOnTerminal): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      // `process.exit` waits for ever, or aborts, while a commit of LMDB waits for this thread. What was acknowledged is durable.
      if (stop.signal.aborted) process.kill(process.pid, "SIGKILL");
      say(`${name}: finishing the work in progress; once more ends it at once.`);
      stop.abort(new StoppedError(`Stopped by ${name}.`));
    });
  }
  return stop.signal;
}

/** Begins a line of its own: a terminal has echoed the pressed keys. */
const printOnTerminal = (text: string): void => console.error(`\n${text}`);

/** Resolves when the command is to stop; rejects when a part of the platform cannot go on. */
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
