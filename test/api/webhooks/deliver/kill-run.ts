import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { systemClock } from "../../../../ingest/clock.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";
import { runLoader } from "../../../../warehouse/loader.ts";
import { sql } from "../../../../warehouse/statement.ts";
import type { Row } from "../../../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../../../warehouse/warehouse-duckdb.ts";
import { type Heard, openReceivers } from "./kill-receivers.ts";

const script = fileURLToPath(new URL("deliver-process.ts", import.meta.url));
/** Two of each organization. */
const webhooks = 4;
/** Each event is for the two webhooks of its organization. */
const perEvent = 2;
const lookEveryMs = 5;

export interface KillRun {
  readonly dataDir: string;
  readonly deliveries: number;
  readonly kills: number;
  /** Receivers, which the webhooks share. */
  readonly endpoints: number;
  readonly withinMs: number;
  /** From 0 to 1, 1 excluded: when it is killed. */
  random(): number;
}

export interface KillOutcome {
  readonly heard: readonly Heard[];
  /** The history as its readers see it. */
  readonly history: readonly Row[];
  /** When each process was killed, milliseconds since 1970. */
  readonly killedAt: readonly number[];
  /** Events that were acknowledged. */
  readonly acknowledged: number;
  /** Rows left in the table of what waits. */
  readonly waiting: number;
  /** From the first start to the last delivery, all starts included. */
  readonly tookMs: number;
}

/** Kills a process that delivers at random instants, starts it again each time, and lets the last one finish. */
export async function runKills(run: KillRun): Promise<KillOutcome> {
  const { dataDir, deliveries, kills, withinMs, random } = run;
  const { heard, well, urls: open, close } = await openReceivers(run.endpoints);
  const urls = Array.from({ length: webhooks }, (_, index) => `${open[index % run.endpoints]}/hook-${index}`);
  const events = deliveries / perEvent;
  const beganAt = Date.now();
  const killedAt: number[] = [];
  let [acknowledged, lost] = [0, 0];
  let running: ChildProcess | undefined;

  function start() {
    const child = spawn(process.execPath, ["--import", "tsx", script, dataDir, String(events), ...urls], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface(child.stdout).on("line", (line) => {
      lost = Math.max(lost, acknowledged - Number(line));
      acknowledged = Math.max(acknowledged, Number(line));
    });
    return child;
  }
  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (Date.now() - beganAt > withinMs)
        throw new Error(`Only ${heard.length} requests within ${withinMs / 1000} s.`);
      if (lost > 0) throw new Error(`${lost} events that were acknowledged are not in the log.`);
      if (running?.exitCode != null) throw new Error(`The process ended by itself with ${running.exitCode}.`);
      await systemClock.sleep(lookEveryMs);
    }
  }

  try {
    const instants = Array.from({ length: kills }, () => Math.floor(random() * deliveries)).sort((a, b) => a - b);
    for (const requests of instants) {
      running = start();
      const before = heard.length;
      // Not before it delivers: what is killed while it starts has nothing to lose.
      await until(() => heard.length > Math.max(before, requests));
      await systemClock.sleep(Math.floor(random() * 20));
      await end(running, "SIGKILL");
      killedAt.push(Date.now());
    }
    running = start();
    await until(() => acknowledged === events && well.size === deliveries);
    const tookMs = Date.now() - beganAt;
    await end(running, "SIGTERM");
    return { heard, killedAt, acknowledged, tookMs, ...(await readStores(dataDir)) };
  } finally {
    running?.kill("SIGKILL");
    close();
  }
}

async function readStores(dataDir: string): Promise<Pick<KillOutcome, "history" | "waiting">> {
  const database = await openSqliteDatabase({ path: join(dataDir, "platform.sqlite") });
  const [row] = await database.query("SELECT count(*) AS n FROM pending_deliveries");
  await database.close();
  const log = await openLmdbLog({ dir: join(dataDir, "log") });
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  const onTrouble = (error: unknown) => {
    throw error;
  };
  const loaders = runLoader({ log, warehouse, clock: systemClock, pauseMs: 0, onTrouble });
  const [end = 0] = await log.ends("webhook-deliveries");
  while ((await warehouse.position("webhook-deliveries", 0)) < end) await systemClock.sleep(lookEveryMs);
  const history = sql`SELECT outgoing_webhook_config_id, event_id, response_status_code, outcome, next_attempt_at
    FROM outgoing_webhook_requests`;
  const { rows } = await warehouse.query(history, { maxRows: end + 1 });
  await Promise.all(loaders.map((loader) => loader.stop()));
  await warehouse.close();
  await log.close();
  return { history: rows, waiting: Number(row?.n) };
}
