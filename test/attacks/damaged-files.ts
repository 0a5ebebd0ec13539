import { execFileSync, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { root } from "../compiled-service.ts";
import { seedAttack, trackingNumber } from "./service.ts";

const callsPlaced = 20;
const buyersMade = 20;
const atOnce = 2;
/** A platform that takes longer to serve or to refuse has hung. */
const withinMs = 60_000;
const pageBytes = 4096;

type Damage = (path: string) => void;
const garbageAt =
  (place: (size: number) => number, bytes: number): Damage =>
  (path) => {
    const at = place(statSync(path).size);
    const file = openSync(path, "r+");
    writeSync(file, randomFillSync(Buffer.alloc(bytes)), 0, bytes, at);
    closeSync(file);
  };
const cutTo =
  (length: (size: number) => number): Damage =>
  (path) =>
    truncateSync(path, length(statSync(path).size));

const kinds = {
  "garbage at its start": garbageAt(() => 0, pageBytes),
  "garbage in its middle": garbageAt((size) => Math.floor(size / 2 / pageBytes) * pageBytes, 16 * pageBytes),
  "garbage in a tenth of its pages": (path) => {
    for (let at = 0; at < statSync(path).size; at += 10 * pageBytes)
      garbageAt(() => at + 2 * pageBytes, pageBytes)(path);
  },
  "cut to nothing": cutTo(() => 0),
  "cut to half": cutTo((size) => Math.floor(size / 2)),
  "cut by a page": cutTo((size) => Math.max(0, size - pageBytes)),
  missing: (path) => rmSync(path),
} satisfies Readonly<Record<string, Damage>>;
type Kind = keyof typeof kinds;
const allKinds = Object.keys(kinds) as readonly Kind[];

/** What an installation is told of when it ends: `closed` by SIGTERM, `killed` as it worked. */
const files: Readonly<Record<"closed" | "killed", Readonly<Record<string, readonly Kind[]>>>> = {
  closed: {
    "log/data.mdb": allKinds,
    "log/lock.mdb": ["garbage at its start", "cut to half", "missing"],
    "warehouse.duckdb": allKinds,
    "platform.sqlite": allKinds,
    "keys/issuer.json": ["garbage at its start", "cut to nothing", "cut to half"],
    "stores.json": ["garbage at its start", "cut to nothing", "missing"],
  },
  killed: {
    "log/data.mdb": allKinds,
    "warehouse.duckdb": allKinds,
    "warehouse.duckdb.wal": allKinds,
    "platform.sqlite": allKinds,
    // A log of writes that was cut is as one whose process ended earlier: nothing tells that there was more.
    "platform.sqlite-wal": ["garbage at its start", "garbage in its middle", "missing"],
  },
};

interface Case {
  readonly state: keyof typeof files;
  readonly file: string;
  readonly kind: Kind;
}
/** What was acknowledged. */
interface Books {
  readonly key: string;
  readonly calls: readonly string[];
  readonly buyers: readonly string[];
}

/**
 * Damages each file of an installation in each way and starts it. It must end with 1 and one line that names a file of it, or
 * serve all that was acknowledged. Returns what did neither.
 */
export async function attackFiles(dataDir: string): Promise<{ tried: number; refused: number; wrong: string[] }> {
  execFileSync(process.execPath, ["build.mjs"], { cwd: root, stdio: "ignore" });
  const books = await makeInstallations(dataDir);
  const cases = Object.entries(files).flatMap(([state, byFile]) =>
    Object.entries(byFile).flatMap(([file, ways]) => ways.map((kind) => ({ state, file, kind }) as Case)),
  );
  const wrong: string[] = [];
  let refused = 0;
  const left = cases.entries();
  const work = async () => {
    for (const [index, each] of left) {
      const folder = join(dataDir, `case-${index}`);
      const outcome = await tryCase(each, { from: join(dataDir, each.state), folder, books: books[each.state] });
      if (outcome.kind === "refused") refused += 1;
      if (outcome.kind === "wrong") wrong.push(`${each.state}, ${each.file} ${each.kind}: ${outcome.why}`);
      rmSync(folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { tried: cases.length, refused, wrong };
}

async function makeInstallations(dataDir: string): Promise<Record<keyof typeof files, Books>> {
  const closed = join(dataDir, "closed");
  const { victim } = await seedAttack(closed, 500);
  const first = await startIn(closed);
  if (first.kind !== "serves") throw new Error(`The platform does not start: ${JSON.stringify(first)}`);
  const books = await act(first.url, { key: victim.key, calls: [], buyers: [] });
  await first.end("SIGTERM");
  const killed = join(dataDir, "killed");
  cpSync(closed, killed, { recursive: true, preserveTimestamps: true });
  const second = await startIn(killed);
  if (second.kind !== "serves") throw new Error(`The platform does not start again: ${JSON.stringify(second)}`);
  const more = await act(second.url, books);
  await second.end("SIGKILL");
  return { closed: books, killed: more };
}

/** Has the platform acknowledge more than these, and waits until it has all of it stored. */
async function act(url: string, { key, calls, buyers }: Books): Promise<Books> {
  const made: string[] = [];
  for (let index = 0; index < buyersMade; index++) {
    const { statusCode, body } = await request(`${url}/api/v1/buyers`, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ name: `Buyer ${buyers.length + index}` }),
    });
    const { id } = (await body.json()) as { id?: string };
    if (statusCode !== 201 || id === undefined) throw new Error(`A buyer is answered ${statusCode}.`);
    made.push(id);
  }
  const books = { key, calls: [...calls, ...(await placeCalls(url, key))], buyers: [...buyers, ...made] };
  const missing = await whenStored(url, books);
  if (missing !== null) throw new Error(`Before anything is damaged, ${missing}.`);
  return books;
}

async function placeCalls(url: string, key: string): Promise<string[]> {
  const placed: string[] = [];
  for (let index = 0; index < callsPlaced; index++) {
    const { statusCode, body } = await request(`${url}/telephony/simulator/calls`, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ from: `+1212555${1000 + index}`, to: trackingNumber }),
    });
    const { call_id } = (await body.json()) as { call_id?: string };
    if (statusCode !== 201 || call_id === undefined) throw new Error(`A call is answered ${statusCode}.`);
    placed.push(call_id);
  }
  return placed;
}

/** Null when the history and the config hold it all; else what is missing. */
async function missingOf(url: string, { key, calls, buyers }: Books): Promise<string | null> {
  const headers = { "X-API-Key": key };
  async function ids(path: string, id: string): Promise<ReadonlySet<unknown>> {
    const { statusCode, body } = await request(`${url}${path}`, { headers });
    if (statusCode !== 200) throw new Error(`${path} is answered ${statusCode}: ${await body.text()}`);
    return new Set(((await body.json()) as { data: Record<string, unknown>[] }).data.map((each) => each[id]));
  }
  const config = await ids("/api/v1/buyers?limit=100", "id");
  const history = await ids("/api/v1/reports/calls?limit=200", "call_id");
  const lostBuyers = buyers.filter((id) => !config.has(id)).length;
  const lostCalls = calls.filter((id) => !history.has(id)).length;
  return lostBuyers + lostCalls === 0 ? null : `${lostCalls} calls and ${lostBuyers} buyers are missing`;
}

async function whenStored(url: string, books: Books): Promise<string | null> {
  for (let tries = 0; ; tries++) {
    const missing = await missingOf(url, books).catch(String);
    if (missing === null || tries === 40) return missing;
    await pause(250);
  }
}

type Outcome = { readonly kind: "refused" | "goes on" } | { readonly kind: "wrong"; readonly why: string };

async function tryCase(
  { file, kind }: Case,
  { from, folder, books }: { readonly from: string; readonly folder: string; readonly books: Books },
): Promise<Outcome> {
  cpSync(from, folder, { recursive: true, preserveTimestamps: true });
  const path = join(folder, file);
  if (!existsSync(path)) return { kind: "wrong", why: "there is no such file" };
  kinds[kind](path);
  const before = fileState(path);
  const run = await startIn(folder);
  if (run.kind === "ended") return judgeEnd(run, { folder, isUntouched: fileState(path) === before });
  const missing = await whenStored(run.url, books);
  const code = await run.end("SIGTERM");
  if (missing !== null) return { kind: "wrong", why: `it serves, but ${missing}` };
  return code === 0 ? { kind: "goes on" } : { kind: "wrong", why: `it serves all, and ends with ${code}` };
}

const fileState = (path: string): string => (existsSync(path) ? readFileSync(path).toString("base64") : "none");

interface Ended {
  readonly kind: "ended";
  readonly code: number | NodeJS.Signals | null;
  readonly lines: readonly string[];
}

function judgeEnd({ code, lines }: Ended, { folder, isUntouched }: { folder: string; isUntouched: boolean }): Outcome {
  const said = lines.map(parse).filter(({ level }) => level >= 60 || level < 0);
  const [only, ...others] = said;
  if (code !== 1) return { kind: "wrong", why: `it ends with ${code}: ${lines.join(" ")}` };
  if (only === undefined || others.length > 0 || only.level < 0 || only.err !== undefined || !only.msg.includes(folder))
    return { kind: "wrong", why: `it says ${lines.join(" ")}` };
  if (!isUntouched) return { kind: "wrong", why: "it has changed the file" };
  return { kind: "refused" };
}

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: unknown;
  readonly url?: string;
}
function parse(line: string): Line {
  try {
    return JSON.parse(line);
  } catch {
    return { level: -1, msg: line };
  }
}

interface Serving {
  readonly kind: "serves";
  readonly url: string;
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** The platform as npm start runs it, until it serves or has ended. */
async function startIn(dataDir: string): Promise<Serving | Ended> {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", DATA_DIR: dataDir };
  const args = ["--require", "./dist/api/commands/thread-pool.cjs", "dist/api/commands/start.js"];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  const lines: string[] = [];
  const ended = once(child, "close").then(([code, signal]): number | NodeJS.Signals | null => code ?? signal);
  const tooLong = setTimeout(() => child.kill("SIGKILL"), withinMs);
  const serves = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const { msg, url } = parse(line);
      if (url !== undefined && msg.startsWith("Trunkline serves")) resolve(url);
    });
  });
  const url = await Promise.race([serves, ended.then(() => null)]);
  clearTimeout(tooLong);
  if (url === null) return { kind: "ended", code: await ended, lines };
  return {
    kind: "serves",
    url,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
