import { totalmem } from "node:os";
import type { DuckDBInstance } from "@duckdb/node-api";

const everyMs = 25;
/** While texts keep all of the engine's threads busy it answers nobody: then what it could move at first holds. */
const answerWithinMs = 100;
const gigabyte = 1024 ** 3;
/** What texts may hold that the engine cannot put on disk. */
const mostBytes = Math.min(gigabyte, totalmem() / 8);

/**
 * Watches what this process holds beside what the engine can put on disk or read again: texts that functions make, of
 * which its limit of memory knows nothing, and what aggregates gather, which it would let have all that there is.
 * `signal` aborts once that has grown by more than `maxBytes`; other work of the process counts with it. `end` when the
 * query has ended.
 */
export async function watchMemory(instance: DuckDBInstance, maxBytes: number = mostBytes) {
  const connection = await instance.connect();
  const over = new AbortController();
  const ask = async (): Promise<number> => {
    const found = await connection.runAndReadAll(
      "SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag <> 'ALLOCATOR'",
    );
    return Number(found.getRows()[0]?.[0] ?? 0);
  };
  // One question at a time: one that came late is still under way, and the connection may not be closed below it.
  let asking: Promise<number> | undefined;
  const movableBytes = (): Promise<number> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const [movableAtFirst, heldAtFirst] = [await movableBytes(), process.memoryUsage.rss()];

  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  async function look(): Promise<void> {
    const grown = process.memoryUsage.rss() - heldAtFirst;
    if (grown <= maxBytes) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<number>((resolve) => {
      timer = setTimeout(() => resolve(movableAtFirst), answerWithinMs);
    });
    const movable = await Promise.race([movableBytes(), late]).finally(() => clearTimeout(timer));
    if (grown - (movable - movableAtFirst) > maxBytes) over.abort();
  }
  const ticking = setInterval(() => {
    if (isLooking || over.signal.aborted) return;
    isLooking = true;
    looking = look()
      .catch(() => over.abort())
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);

  return {
    signal: over.signal,
    async end(): Promise<void> {
      clearInterval(ticking);
      await looking;
      await asking?.catch(() => undefined);
      connection.closeSync();
    },
  };
}
