import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A process of the platform, as `npm start` runs it; resolves when it serves. Killed after the test at the latest. */
export async function startProcess(settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: "silent", ...settings, PORT: "0" };
  const child = spawn(process.execPath, ["--import", "tsx", "api/commands/start.ts"], {
    ...{ cwd: root, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, "exit");
    }
    return child.exitCode;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /serves (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, end };
  }
  throw new Error(`A process with ${JSON.stringify(settings)} ended before it served.`);
}
