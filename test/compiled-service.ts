import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
/** Settings by which no caller is asked to wait for having asked too often. */
export const unlimited = {
  API_RATE_LIMIT_PER_MIN: "10000000",
  RTB_RATE_LIMIT_PER_MIN: "10000000",
  WEBHOOK_RATE_LIMIT_PER_MIN: "10000000",
  ASSISTANT_RATE_LIMIT_PER_MIN: "1000000",
};

export const build = () => execFileSync(process.execPath, ["build.mjs"], { cwd: root, stdio: "inherit" });

/** The service as npm start runs it, in a process of its own. */
export async function startService(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
  build();
  return startBuilt(dataDir, settings);
}

/** Resolves when the built service serves requests. */
export async function startBuilt(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
  const args = [
    "--enable-source-maps",
    "--require",
    "./dist/api/commands/thread-pool.cjs",
    "dist/api/commands/start.js",
  ];
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    DATA_DIR: dataDir,
    ...unlimited,
    ...settings,
  };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}.`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      const { msg = "", url: serves } = parse(line);
      if (msg.startsWith("Trunkline serves")) resolve(String(serves));
    });
  });
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB(child));
  }, 200);
  return {
    url,
    /** What the service itself holds now. */
    memoryMiB: () => residentMiB(child),
    /** What the service itself came to hold. */
    mostMemoryMiB: () => Math.round(most),
    async stop(): Promise<void> {
      clearInterval(looking);
      const early = child.exitCode ?? child.signalCode;
      if (early !== null) throw new Error(`The service ended with ${early}.`);
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function parse(line: string): { msg?: string; url?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** Linux tells; elsewhere it is 0. */
function residentMiB({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
