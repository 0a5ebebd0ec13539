import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { builtCommand } from "../built.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A line of what the process logs. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** What runs the platform, where and by which arguments of Node.js. */
interface Program {
  readonly cwd: string;
  readonly args: readonly string[];
}
const built = (): Program => ({ cwd: root, args: builtCommand("start") });

/** A process of the platform, as `npm start` runs it. Killed after the test at the latest. */
export function spawnProcess(settings: Readonly<Record<string, string>>, { cwd, args } = built()) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", ...settings };
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let ending: string | undefined;
  const ended = once(child, "close").then(([code, signal]): number | null => {
    ending = signal === null ? `exit code ${code}` : String(signal);
    return code;
  });
  const printed = text(child.stdout);
  const lines: LogLine[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    // Whatever is no JSON fails the tests that read lines.
    lines.push(line.startsWith("{") ? JSON.parse(line) : { level: -1, msg: line });
  });
  return {
    lines,
    /** Its exit code, when it has ended; null where a signal ended it. */
    ended,
    /** How it ended; undefined while it runs. */
    ending: () => ending,
    /** All that it wrote to standard output. */
    printed,
    signal: (signal: NodeJS.Signals): boolean => child.kill(signal),
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}

/** Likewise, when it serves. */
export async function startProcess(settings: Readonly<Record<string, string>>, program = built()) {
  const { lines, ended, ending, end, signal } = spawnProcess({ ...settings, PORT: "0" }, program);
  const serving = () => lines.find(({ msg }) => msg.startsWith("Trunkline serves"));
  await vi.waitFor(() => {
    if (serving() === undefined && ending() === undefined) throw new Error("It does not serve yet.");
  }, 220_000);
  const url = serving()?.["url"];
  if (url === undefined) throw new Error(`It ended before it served, and said ${JSON.stringify(lines)}.`);
  return { url: String(url), lines, ended, end, signal, ending };
}
