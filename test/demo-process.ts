import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DemoFile } from "../api/demo/installation.ts";
import { builtCommand } from "./built.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The demo as a process of its own, as a newcomer starts it: whoever spawns it kills it. */
export function spawnDemo(dataDir: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, builtCommand("demo"), {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", DEMO_CALLS: "1500", DEMO_LIVE: "false", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then(([code]): number | null => code);
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output.text += String(bytes)));
  return {
    output,
    /** Its exit code, when it has ended; null where a signal ended it. */
    ended,
    kill: () => void child.kill("SIGKILL"),
    ready: () => untilLine(child, /Trunkline is running/, output).then(() => readDemoFile(dataDir)),
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}

async function untilLine(
  child: ChildProcess & { stdout: NodeJS.ReadableStream },
  pattern: RegExp,
  output: { text: string },
) {
  for await (const line of createInterface({ input: child.stdout })) if (pattern.test(line)) return;
  throw new Error(`The demo ended before it said ${pattern}:\n${output.text}`);
}

const readDemoFile = (dataDir: string): DemoFile => JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
