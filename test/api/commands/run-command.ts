import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import pLimit from "p-limit";
import { builtCommand } from "../../built.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
interface Given {
  readonly args: readonly string[];
  /** What of the environment the command sees; nothing else. */
  readonly settings: Readonly<Record<string, string>>;
  readonly input?: string;
  /** A folder with another installation that is built. */
  readonly installation?: string;
}

/** A command of `api/commands/` in a process of its own, as a shell would run it. */
export async function spawnCommand(name: string, given: Given): Promise<CommandResult> {
  const { args, settings, input = "", installation: cwd = root } = given;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
  const module = cwd === root ? builtCommand(name) : [`dist/api/commands/${name}.js`];
  const child = spawn(process.execPath, [...module, ...args], { cwd, env });
  child.stdin.on("error", () => undefined).end(input);
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, out, err };
}

const mutex = pLimit(1);
let runs = 0;

/**
 * Likewise in this process, one after the other, without the second that a process takes to begin: the command's module
 * is run anew with the process's arguments, environment and outputs exchanged.
 */
export const runCommandOf = (name: string, args: readonly string[], settings: Given["settings"]) =>
  mutex(async (): Promise<CommandResult> => {
    const [out, err]: [string[], string[]] = [[], []];
    const undo = [
      exchange(process, "argv", [process.execPath, name, ...args]),
      exchange(process, "env", { ...settings }),
      exchange(process, "stdin", Readable.from([])),
      exchange(console, "log", (...said: unknown[]) => void out.push(`${format(...said)}\n`)),
      exchange(console, "error", (...said: unknown[]) => void err.push(`${format(...said)}\n`)),
    ];
    runs += 1;
    const module = `${root}api/commands/${name}.ts?run=${runs}`;
    try {
      await import(module);
      return { code: Number(process.exitCode ?? 0), out: out.join(""), err: err.join("") };
    } finally {
      process.exitCode = undefined;
      for (const restore of undo) restore();
    }
  });

/** Returns what puts the property back as it was. */
function exchange(holder: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (before !== undefined) Object.defineProperty(holder, name, before);
  };
}
