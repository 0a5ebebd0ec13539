import type { Platform } from "../compose.ts";

/** Waits for SIGINT or SIGTERM, or for a part that cannot go on, and stops the platform. A second signal ends at once. */
export async function runUntilStopped(platform: Platform, before: () => Promise<void> = async () => {}): Promise<void> {
  const reason = await Promise.race([signalled(), platform.failure.then((error) => ({ error }))]);
  if (typeof reason === "string") console.log(`\n${reason}: finishing what is in hand …`);
  else console.error(`Stopping: ${reason.error instanceof Error ? reason.error.message : String(reason.error)}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  await before();
  await platform.stop();
  process.exitCode = typeof reason === "string" ? 0 : 1;
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(signal));
  });
}
