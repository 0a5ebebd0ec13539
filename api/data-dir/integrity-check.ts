import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { CheckReply, CheckRequest } from "./integrity-check-process.ts";

/** Outcome of an integrity check; `unfinished` ran out of time or memory, or could not start. */
export type CheckOutcome =
  | { readonly kind: "read"; readonly held: number }
  | { readonly kind: "fault"; readonly why: string }
  | { readonly kind: "unfinished"; readonly why: string };

/** The start of the platform waits for a check: it ends here unfinished for files of many GB. */
const timeoutMs = 15_000;
/** Signals by which an engine crashes; others come from whoever manages the machine. */
const crashes: readonly (NodeJS.Signals | null)[] = ["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"];

const ownScript = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "integrity-check-process.ts" : "integrity-check-process.js",
    import.meta.url,
  ),
);

/** Reads a store as a whole in a child process, so that a crash of its engine does no harm. */
export async function checkIntegrity(
  request: CheckRequest,
  { script = ownScript, withinMs = timeoutMs }: { readonly script?: string; readonly withinMs?: number } = {},
): Promise<CheckOutcome> {
  const child = fork(script, {
    execArgv: script.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [],
    // The environment holds secrets, which the child does not need.
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  const outcome = new Promise<CheckOutcome>((resolve) => {
    const timeout = setTimeout(
      () => resolve({ kind: "unfinished", why: `it takes longer than ${withinMs / 1000} s` }),
      withinMs,
    );
    child.once("error", (error) => resolve({ kind: "unfinished", why: error.message }));
    child.once("exit", (code, signal) => {
      const why = `the process that read it ended with ${signal ?? code}`;
      resolve({ kind: crashes.includes(signal) ? "fault" : "unfinished", why });
    });
    child.once("message", (reply: CheckReply) => resolve(toOutcome(reply)));
    child.once("exit", () => clearTimeout(timeout));
    child.send(request);
  });
  try {
    return await outcome;
  } finally {
    child.kill("SIGKILL");
    // The file's locks are released with it.
    await ended;
  }
}

function toOutcome(reply: CheckReply): CheckOutcome {
  if ("held" in reply) return { kind: "read", held: reply.held };
  return { kind: reply.isFile ? "fault" : "unfinished", why: reply.fault };
}
