import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";
import { guard, owner, password, usersFiles } from "./clickhouse-users.ts";

const script = fileURLToPath(new URL("./clickhouse-process.ts", import.meta.url));
const readyWithinMs = 60_000;

export interface ClickhouseServer {
  /** With the user that owns the tables, and its password. */
  readonly url: string;
  /** The settings of a platform that has analysts' SQL run by the user that compose.yaml makes for it. */
  readonly guardSettings: Readonly<Record<string, string>>;
  /** Ends it at once, as a loss of power would, but for what the system has yet to write. */
  kill(): Promise<void>;
  /** On the same port, with what it had; the owner's password may be another one from then on. */
  startAgain(given?: { readonly ownerPassword?: string }): Promise<void>;
  /** Kills it and removes what it had. */
  stop(): Promise<void>;
  /** Removes what it had, at the end of this process, with which it ends. */
  removeFolder(): void;
}

/** Starts a ClickHouse server, in a process and a temporary folder of its own, with the users of compose.yaml. */
export async function startClickhouseServer(): Promise<ClickhouseServer> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-clickhouse-"));
  const port = await freePort();
  const start = (ownerPassword: string) => startProcess({ folder, port, ownerPassword });
  let child = await start(password);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  return {
    url: `http://${owner}:${password}@127.0.0.1:${port}`,
    guardSettings: { CLICKHOUSE_GUARD_USERNAME: guard, CLICKHOUSE_GUARD_PASSWORD: password },
    kill: () => end(child),
    async startAgain({ ownerPassword = password } = {}) {
      await end(child);
      child = await start(ownerPassword);
    },
    async stop() {
      await end(child);
      removeFolder();
    },
    removeFolder,
  };
}

interface Start {
  readonly folder: string;
  readonly port: number;
  readonly ownerPassword: string;
}

async function startProcess({ folder, port, ownerPassword }: Start): Promise<ChildProcess> {
  const config = writeConfig(folder, ownerPassword);
  // Its own process group: a terminal's Ctrl-C ends the tests first.
  const child = fork(script, [config, join(folder, "data"), String(port)], {
    execArgv: ["--import", "tsx"],
    detached: true,
    stdio: ["ignore", "ignore", openSync(join(folder, "output.log"), "a"), "ipc"],
    env: { ...process.env, CLICKHOUSE_GUARD_PASSWORD: password, CLICKHOUSE_ASSISTANT_PASSWORD: password },
  });
  // It answers nothing by this channel, which would keep the process that started it.
  child.disconnect();
  const deadline = Date.now() + readyWithinMs;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await end(child);
      throw new Error(`ClickHouse did not start; it said:\n${endOf(join(folder, "output.log"))}`);
    }
    await pause(20);
  }
  child.unref();
  return child;
}

function writeConfig(folder: string, ownerPassword: string): string {
  const files = {
    ...usersFiles(ownerPassword),
    "config.xml": `<clickhouse>
      <logger><level>none</level><log>${join(folder, "server.log")}</log></logger>
      <user_directories><users_xml><path>${join(folder, "users.xml")}</path></users_xml></user_directories>
    </clickhouse>`,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, "config.xml");
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );

function endOf(file: string): string {
  try {
    return readFileSync(file, "utf8").slice(-3000);
  } catch {
    return "";
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.ref();
  child.kill("SIGKILL");
  await ended;
}
