import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Agent, request } from "undici";
import { startService } from "../compiled-service.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { seedAttack } from "./service.ts";

const diskMiB = 192;

/** Makes the folder a disk of its own that is small; false where this process may mount none. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMiB}m`, "tmpfs", folder], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** Writes a file until nothing more goes on the disk. */
function fill(path: string): void {
  const file = openSync(path, "a");
  for (let bytes = 1 << 20; bytes >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(bytes));
    } catch {
      bytes >>= 1;
    }
  }
  closeSync(file);
}

interface Asked {
  readonly status: number;
  readonly text: string;
}

/**
 * Fills the disk under a running platform, asks it for what it can do without a disk and what it cannot, and makes room
 * again: what went wrong, in words, and what was seen. Null where no disk can be mounted.
 */
export async function fillDisk(disk: string, agent: Agent, seconds: number) {
  if (!mountSmallDisk(disk)) return null;
  try {
    const dataDir = join(disk, "data");
    const { victim } = await seedAttack(dataDir, 0);
    const service = await startService(dataDir);
    const asked = createAsked(service.url, victim.key, agent);
    const ledger = createLedger({ url: service.url, key: victim.key, agent });
    const filler = join(disk, "filler");
    try {
      const before = await ledger.place(seconds);
      // What files give back is taken at once.
      const filling = setInterval(() => fill(filler), 50);
      fill(filler);
      const during = await ledger.place(seconds);
      const full = await untilRefused(asked);
      clearInterval(filling);
      rmSync(filler);
      await roomAgain(asked);
      const after = await ledger.place(seconds);
      const books = await settled(ledger);
      const seen = { before, during, after, books };
      return { faults: faultsOf(seen, full), ...seen };
    } finally {
      await service.stop();
    }
  } finally {
    // Lazily: the driver of the seeding platform lets go of its files when it is collected.
    execFileSync("umount", ["--lazy", disk]);
  }
}

/** Asks for what needs no disk and what does. */
function createAsked(url: string, key: string, agent: Agent) {
  const ask = async (path: string, patch?: object): Promise<Asked> => {
    const { statusCode, body } = await request(url + path, {
      method: patch === undefined ? "GET" : "PATCH",
      dispatcher: agent,
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      ...(patch === undefined ? {} : { body: JSON.stringify(patch) }),
    });
    return { status: statusCode, text: await body.text() };
  };
  let changes = 0;
  return async () => ({
    alive: await ask("/healthz"),
    ready: await ask("/readyz"),
    read: await ask("/api/v1/buyers/victim-buyer"),
    write: await ask("/api/v1/buyers/victim-buyer", { company: `Company ${++changes}` }),
  });
}

/** What is written may fit into room that files had already, for a while. */
async function untilRefused(asked: () => Promise<Answers>): Promise<Answers> {
  for (let tries = 0; ; tries++) {
    const answers = await asked();
    if (answers.write.status !== 200 || tries === 2000) return answers;
  }
}

type Answers = Awaited<ReturnType<ReturnType<typeof createAsked>>>;

/** Until config can be written and the platform is ready again, half a minute at most. */
async function roomAgain(asked: () => Promise<Answers>): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    const { ready, write } = await asked();
    if (ready.status === 200 && write.status === 200) return;
    await pause(1000);
  }
}

async function settled(ledger: Ledger) {
  for (let tries = 0; ; tries++) {
    const books = await ledger.audit();
    if (books.lost === 0 || tries === 60) return books;
    await pause(1000);
  }
}

type Placed = Awaited<ReturnType<Ledger["place"]>>;
interface Seen {
  readonly before: Placed;
  readonly during: Placed;
  readonly after: Placed;
  readonly books: Awaited<ReturnType<Ledger["audit"]>>;
}

/** What was not as it should be, in words. */
function faultsOf({ before, during, after, books }: Seen, { alive, ready, read, write }: Answers): string[] {
  const expected: readonly (readonly [boolean, string])[] = [
    [before.call.failed + before.ping.failed === 0, "calls or pings failed before the disk was full"],
    [during.call.failed > 0, "the disk was not full"],
    [alive.status === 200, `/healthz was ${alive.status} on a full disk`],
    [ready.status === 503 && ready.text.includes("make room"), `/readyz said ${ready.status} ${ready.text}`],
    [read.status === 200, `config could not be read: ${read.status} ${read.text}`],
    [write.status === 503 && write.text.includes("message"), `a write got ${write.status} ${write.text}`],
    [after.call.failed + after.ping.failed === 0, "calls or pings failed after there was room again"],
    [books.lost === 0 && books.twice === 0, `${books.lost} calls lost, ${books.twice} twice there`],
  ];
  return expected.filter(([isRight]) => !isRight).map(([, fault]) => fault);
}
