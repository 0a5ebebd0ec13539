import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Baseline } from "./baseline.ts";
import type { Load, LoadResult } from "./load.ts";
import type { Cause } from "./receiver.ts";
import type { Sending } from "./sender.ts";

const start = (name: string): ChildProcess =>
  fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), { execArgv: ["--import", "tsx"] });

/** The process's answer to one message, or its error. */
function ask<T>(child: ChildProcess, message: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A process of the benchmark ended with ${code}.`));
    child.once("exit", ended);
    child.once("message", (answer: { result: T } | { error: string }) => {
      child.off("exit", ended);
      if ("error" in answer) reject(new Error(answer.error));
      else resolve(answer.result);
    });
    child.send(message);
  });
}

/** Makes load, one after another, in a process of its own that has never called from the same number twice. */
export function openLoader() {
  const child = start("load");
  return {
    run: (load: Load): Promise<LoadResult> => ask(child, load),
    close: () => void child.kill(),
  };
}
export type Loader = ReturnType<typeof openLoader>;

/** Resolves to the address of a baseline's server in a process of its own. */
export async function openBaseline(baseline: Baseline) {
  const child = start("baseline");
  return { url: await ask<string>(child, baseline), close: () => void child.kill() };
}

/** A customer's system in a process of its own; one that does not answer takes connections and says nothing. */
export async function openReceiver({ answers }: { readonly answers: boolean }) {
  const child = start("receiver");
  return {
    url: await ask<string>(child, { kind: "listen", answers }),
    hear: (count: number): Promise<LoadResult> => ask(child, { kind: "hear", count }),
    cause: (given: Cause): Promise<LoadResult> => ask(child, { kind: "cause", ...given }),
    close: () => void child.kill(),
  };
}

/** Sends requests and does nothing else, in a process of its own. */
export async function sendBare(sending: Sending): Promise<void> {
  const child = start("sender");
  try {
    await ask(child, sending);
  } finally {
    child.kill();
  }
}
