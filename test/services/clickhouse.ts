import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";

const script = fileURLToPath(new URL("../clickhouse-process.ts", import.meta.url));

/** Starts ClickHouse's engine in a process and a temporary folder of its own, behind what the client speaks of its HTTP. */
export async function startClickhouseEngine(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-clickhouse-"));
  const port = await freePort();
  // Its own process group: a terminal's Ctrl-C ends the tests first.
  const child = fork(script, [folder, String(port)], { execArgv: ["--import", "tsx"], detached: true });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const [told] = await Promise.race([once(child, "message"), ended]);
  if (told !== port) {
    await stop();
    throw new Error(`ClickHouse's engine did not start: its process ended with ${told}.`);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}
