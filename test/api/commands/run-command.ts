import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A command of `api/commands/` in a process of its own, as a shell would run it, with these settings alone. */
export async function runCommandOf(name: string, args: readonly string[], settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
  const child = spawn(process.execPath, ["--import", "tsx", `api/commands/${name}.ts`, ...args], { cwd: root, env });
  child.stdin.on("error", () => undefined).end();
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, out, err };
}
