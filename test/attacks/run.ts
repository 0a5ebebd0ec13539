import { setMaxListeners } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { startService } from "../compiled-service.ts";
import { bombs } from "./bombs.ts";
import { attackFiles } from "./damaged-files.ts";
import { fillDisk } from "./full-disk.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { seedAttack } from "./service.ts";

const usage = `npm run test:attacks -- [--only selects|files|disk] [--seconds N] [--calls N] [--times N]

selects: places calls and pings of one organization against a running platform, first alone, then
while two others run SELECTs that cost all they can. Says how long callers and publishers waited,
and holds the ledger of what was acknowledged against the history. Fails when the 99th percentile
beside the attack is more than so many times that alone, or when anything is lost, twice there or
leaked.

files: damages each file of an embedded installation in each way, and starts it. Fails where it does
not end with 1 and one line that names a file, and does not serve all that was acknowledged either.

disk: fills a small disk under a running platform, and makes room again. Fails where the platform
ends, promises what it cannot keep, does not go on by itself, or loses anything. Needs the right to
mount a disk; skipped, and said so, without it.

  --only PART  one of the three alone
  --seconds N  of each of the two phases [20]
  --calls N    in the history of each attacker [20000]
  --times N    that callers may wait beside the attack [3]`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "20" },
    calls: { type: "string", default: "20000" },
    times: { type: "string", default: "3" },
    help: { type: "boolean" },
  },
});

const attackersAtOnce = 4;
/** A phase is measured again when its neighbours on the machine may have disturbed it. */
const rounds = 3;
const mostTimes = Number(values.times);
/** Below this a percentile is what timers and the machine make of it. */
const leastMs = 10;

let leaked = 0;

const parts: Readonly<Record<string, (dataDir: string) => Promise<boolean>>> = {
  selects: (dataDir) => attackBySelects(dataDir, Number(values.seconds), Number(values.calls)),
  files: attackByDamage,
  disk: attackByFullDisk,
};

if (values.help) process.stdout.write(`${usage}\n`);
else process.exitCode = (await run(values.only === undefined ? Object.keys(parts) : [values.only])) ? 0 : 1;

async function run(names: readonly string[]): Promise<boolean> {
  let held = true;
  for (const name of names) {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name}: see --help.`);
    const dataDir = await mkdtemp(join(tmpdir(), "trunkline-attacks-"));
    try {
      held = (await part(dataDir)) && held;
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  return held;
}

async function attackByFullDisk(folder: string): Promise<boolean> {
  const agent = new Agent({ connections: 64 });
  const disk = await fillDisk(folder, agent, 4).finally(() => agent.close());
  if (disk === null) process.stderr.write("SKIPPED: a full disk. This process may mount none.\n");
  else process.stdout.write(`${JSON.stringify({ disk }, null, 2)}\n`);
  return disk === null || disk.faults.length === 0;
}

async function attackByDamage(dataDir: string): Promise<boolean> {
  const files = await attackFiles(dataDir);
  process.stdout.write(`${JSON.stringify({ files }, null, 2)}\n`);
  return files.wrong.length === 0;
}

async function attackBySelects(dataDir: string, seconds: number, calls: number): Promise<boolean> {
  const seeded = await seedAttack(dataDir, calls);
  const service = await startService(dataDir);
  const agent = new Agent({ connections: 64 });
  try {
    const ledger = createLedger({ url: service.url, key: seeded.victim.key, agent });
    await ledger.place(3);
    let times = Number.POSITIVE_INFINITY;
    const tried: object[] = [];
    for (let round = 0; round < rounds && times > mostTimes; round++) {
      const alone = await ledger.place(seconds);
      const attack = startAttack(service.url, seeded.attackers, agent);
      const beside = await ledger.place(seconds);
      const outcomes = await attack.stop();
      times = Math.max(
        ...(["call", "ping"] as const).map((kind) => beside[kind].p99 / Math.max(leastMs, alone[kind].p99)),
      );
      tried.push({ alone, beside, times: Math.round(times * 10) / 10, outcomes });
    }
    const books = await close(ledger);
    process.stdout.write(`${JSON.stringify({ rounds: tried, books, memoryMiB: service.mostMemoryMiB() }, null, 2)}\n`);
    return times <= mostTimes && books.lost === 0 && books.twice === 0 && leaked === 0;
  } finally {
    await service.stop();
    await agent.close();
  }
}

/** Each attacker asks the next of its SELECTs when one is answered, on several connections at once. */
function startAttack(url: string, attackers: readonly { readonly token: string }[], agent: Agent) {
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const outcomes = new Map<string, number>();
  const note = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  async function attack(token: string, first: number): Promise<void> {
    const all = Object.entries(bombs);
    for (let at = first; !over.signal.aborted; at++) {
      const [name, sql] = all[at % all.length] ?? ["", ""];
      try {
        const { statusCode, body } = await request(`${url}/reporting_ai/sql`, {
          method: "POST",
          dispatcher: agent,
          signal: over.signal,
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify({ sql }),
        });
        const answer = await body.text();
        if (answer.includes("victim-")) leaked += 1;
        note(`${name}: ${statusCode}`);
        if (statusCode === 429) await pause(1000, undefined, { signal: over.signal });
      } catch {
        if (!over.signal.aborted) note(`${name}: no answer`);
      }
    }
  }
  const running = attackers.flatMap(({ token }) =>
    Array.from({ length: attackersAtOnce }, (_, index) => attack(token, index * 2)),
  );
  return {
    async stop(): Promise<Record<string, number>> {
      over.abort();
      await Promise.all(running);
      return Object.fromEntries([...outcomes].sort());
    },
  };
}

/** The history is read until it holds what was acknowledged, a minute at most. */
async function close(ledger: Ledger) {
  for (let tries = 0; ; tries++) {
    const books = await ledger.audit();
    if (books.lost === 0 || tries === 60) return { ...books, leaked };
    await pause(1000);
  }
}
