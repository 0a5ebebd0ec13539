import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TrialReply, TrialRequest } from "./trial-process.ts";

/** How a trial ended: `unfinished` was out of time, of memory, or could not begin. */
export type TrialOutcome =
  | { readonly kind: "read"; readonly held: number }
  | { readonly kind: "fault"; readonly why: string }
  | { readonly kind: "unfinished"; readonly why: string };

/** Of several GB a trial reads what it can in this time; whoever calls must not wait for longer. */
const mostMs = 15_000;
/** Those by which an engine falls; others come from whoever manages the machine. */
const falls: readonly (NodeJS.Signals | null)[] = ["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"];

const ownScript = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "trial-process.ts" : "trial-process.js", import.meta.url),
);

/** Reads a store as a whole in a process of its own. */
export async function tryFile(
  request: TrialRequest,
  { script = ownScript, withinMs = mostMs }: { readonly script?: string; readonly withinMs?: number } = {},
): Promise<TrialOutcome> {
  const child = fork(script, {
    execArgv: script.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [],
    // Of the environment, and so of its secrets, it gets nothing.
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  const outcome = new Promise<TrialOutcome>((resolve) => {
    const tooLong = setTimeout(
      () => resolve({ kind: "unfinished", why: `it takes longer than ${withinMs / 1000} s` }),
      withinMs,
    );
    child.once("error", (error) => resolve({ kind: "unfinished", why: error.message }));
    child.once("exit", (code, signal) => {
      const why = `the process that read it ended with ${signal ?? code}`;
      resolve({ kind: falls.includes(signal) ? "fault" : "unfinished", why });
    });
    child.once("message", (reply: TrialReply) => resolve(toOutcome(reply)));
    child.once("exit", () => clearTimeout(tooLong));
    child.send(request);
  });
  try {
    return await outcome;
  } finally {
    child.kill("SIGKILL");
    // Its locks go with it.
    await ended;
  }
}

function toOutcome(reply: TrialReply): TrialOutcome {
  if ("held" in reply) return { kind: "read", held: reply.held };
  return { kind: reply.isFile ? "fault" : "unfinished", why: reply.fault };
}
