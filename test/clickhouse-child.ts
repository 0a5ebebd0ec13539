import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Order } from "./clickhouse-process.ts";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./temporary.ts";

const script = fileURLToPath(new URL("./clickhouse-process.ts", import.meta.url));

/** ClickHouse's engine in a process of its own, which can be killed and started again with what it had, on its port. */
export async function startClickhouseProcess() {
  const folder = temporaryFolder();
  const port = await freePort();
  let child = await start();
  onTestFinished(() => end(child));

  async function start(): Promise<ChildProcess> {
    const started = fork(script, [folder, String(port)], { execArgv: ["--import", "tsx"] });
    const [told] = await Promise.race([once(started, "message"), once(started, "exit")]);
    if (told !== port) throw new Error(`ClickHouse did not start: it ended with ${told}.`);
    return started;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    async order(order: Order): Promise<void> {
      child.send(order);
      await once(child, "message");
    },
    /** At once, as a loss of power would, but for what the system has yet to write. */
    kill: () => end(child),
    async startAgain(): Promise<void> {
      await end(child);
      child = await start();
    },
    /** Whether it has ended, by itself too. */
    isGone: () => child.exitCode !== null || child.signalCode !== null,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
