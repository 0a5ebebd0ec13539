import type { Clock } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import { sql, time } from "../../warehouse/statement.ts";
import { loadedTopics } from "../../warehouse/tables.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { DemoOrganization } from "./documents.ts";
import { demoHistory } from "./history.ts";

export const historyDays = 90;
/** Days after its beginning in which the history may still be coming in. */
const slackDays = 7;

/** Days of history where the warehouse shows so many. */
export const daysOfHistory = (kept = Number.POSITIVE_INFINITY): number => Math.min(historyDays, kept - slackDays);

const lookEveryMs = 200;

export interface BackfillOptions {
  readonly log: Pick<EventLog, "publish" | "ends">;
  readonly warehouse: Pick<Warehouse, "query" | "position">;
  readonly clock: Clock;
  readonly organizations: readonly DemoOrganization[];
  readonly seed: number;
  readonly calls: number;
  /** The instant that the history leads up to, ms. */
  readonly now: number;
  readonly days: number;
  /** Chunks that an earlier run has published. */
  readonly publishedChunks: number;
  /** Called after each chunk is durable, with how many there are now. */
  onPublished(chunks: number): void;
  /** Calls whose end has been stored, of `calls`. */
  onStored(calls: number): void;
  readonly signal?: AbortSignal;
}

/**
 * Brings the demo's history in as any data comes in: through the log, the lifecycle and the loader. Goes on where an
 * earlier run was broken off; a chunk published twice is stored once. Resolves when all is stored, or on abort.
 */
export async function backfill(options: BackfillOptions): Promise<void> {
  const { log, warehouse, clock, organizations, seed, calls, now, days, signal } = options;
  let chunks = 0;
  for (const chunk of demoHistory(organizations, { seed, calls, now, days })) {
    if (signal?.aborted) return;
    chunks += 1;
    if (chunks <= options.publishedChunks) continue;
    await log.publish(chunk.messages);
    options.onPublished(chunks);
    options.onStored(await countStored(warehouse, now));
  }
  for (;;) {
    const stored = await countStored(warehouse, now);
    options.onStored(stored);
    if (signal?.aborted || (stored >= calls && (await isLoaded(log, warehouse)))) return;
    await clock.sleep(lookEveryMs, signal);
  }
}

async function countStored(warehouse: BackfillOptions["warehouse"], now: number): Promise<number> {
  const result = await warehouse.query(
    sql`SELECT count(*) AS calls FROM calls WHERE started_at < ${time(new Date(now))} AND status IN ('completed', 'failed')`,
  );
  return Number(result.rows[0]?.calls ?? 0);
}

async function isLoaded(log: BackfillOptions["log"], warehouse: BackfillOptions["warehouse"]): Promise<boolean> {
  for (const topic of loadedTopics) {
    for (const [partition, end] of (await log.ends(topic)).entries()) {
      if ((await warehouse.position(topic, partition)) < end) return false;
    }
  }
  return true;
}
