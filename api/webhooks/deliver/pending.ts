import type { Clock } from "../../../ingest/clock.ts";
import { createBatcher } from "../../../ingest/concurrency/batcher.ts";
import { type OutgoingRequest, outgoingRequestSchema } from "../../../ingest/delivery.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";
import { parseStored } from "../../../ingest/unreadable.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { countEnded } from "../redelivery-rows.ts";
import {
  deletePending,
  freePending,
  insertPending,
  type PendingRow,
  type Settled,
  settlePending,
} from "./pending-rows.ts";
import { publishRecords } from "./record.ts";

export interface PendingDeps {
  readonly database: Database;
  readonly log: Pick<EventLog, "publish">;
  readonly clock: Clock;
  /** Called when deliveries were inserted that are due already. */
  onDue(): void;
  /** Called with the error of each failed write, which is tried again until it succeeds. */
  onTrouble(error: unknown): void;
}

/** Written in one statement: about 10 ms of the embedded engine's time. */
const mostAtOnce = 200;
/** A first write of what a statement holds takes less; after it, the record of a row that a crash left is published again. */
const publishWithinMs = 30_000;

/** The change of a row, and the record that is published with it. */
interface Write {
  readonly row: { readonly insert: PendingRow } | { readonly settle: Settled };
  readonly record: OutgoingRequest | null;
}
type NewRow = Omit<PendingRow, "leasedUntil" | "ended" | "unpublished">;

/**
 * Deliveries that wait, in the config database: an outbox. An attempt is written with its record before the log has that,
 * so a crash in between loses neither: whoever claims the row next publishes the record first, and a record that is
 * published twice counts once. Writes that come together share their statements.
 */
export function createPending(deps: PendingDeps) {
  const { clock, onTrouble } = deps;
  const closing = new AbortController();

  const writes = createBatcher<Write, void>({
    countNext: () => mostAtOnce,
    async work(batch) {
      const retry = { clock, onTrouble, signal: closing.signal };
      const done = await untilDone(retry, async () => [await writeAll(deps, batch)]);
      if (done === null) throw new Error(`${batch.length} deliveries could not be written before the end.`);
      return [];
    },
  });

  return {
    /** Inserts a delivery that waits, with the record of the attempt that failed. Resolves when all is durable. */
    enter(row: NewRow, record: OutgoingRequest | null): Promise<void> {
      const leasedUntil = record === null ? 0 : clock.now() + publishWithinMs;
      const unpublished = record && JSON.stringify(record);
      return writes.add({ row: { insert: { ...row, leasedUntil, ended: false, unpublished } }, record });
    },

    /** Stores the end of an attempt at a claimed delivery; with `nextAt` null the delivery has ended. */
    settle(row: PendingRow, record: OutgoingRequest, nextAt: number | null): Promise<void> {
      const { id, redeliveryId } = row;
      const ended = nextAt === null;
      const next = { attempt: record.attempt, dueAt: nextAt ?? clock.now(), held: row.held && !ended, ended };
      return writes.add({
        row: { settle: { id, redeliveryId, ...next, unpublished: JSON.stringify(record) } },
        record,
      });
    },

    /** Publishes the record that a claimed row has left for it. Rejects with `UnreadableError`. */
    async publishLeftOver(row: PendingRow): Promise<void> {
      const at = { table: "pending_deliveries", id: row.id };
      const record = row.unpublished === null ? null : parseStored(outgoingRequestSchema, row.unpublished, at);
      return writes.add({ row: { settle: row }, record });
    },

    /** Finishes the write that is running, with one more attempt if it failed. */
    async close(): Promise<void> {
      closing.abort();
      await writes.idle();
    },
  };
}
export type Pending = ReturnType<typeof createPending>;

/** Writes the rows, publishes the records, then frees or deletes the rows. */
async function writeAll(deps: PendingDeps, writes: readonly Write[]): Promise<void> {
  const { database, log, clock } = deps;
  const inserts = writes.flatMap(({ row }) => ("insert" in row ? [row.insert] : []));
  const settles = writes.flatMap(({ row }) => ("settle" in row ? [row.settle] : []));
  if (inserts.length > 0) await insertPending(database, inserts);
  if (settles.length > 0) await settlePending(database, settles);
  const records = writes.flatMap(({ record }) => record ?? []);
  if (records.length > 0) await publishRecords(log, records);
  const published = writes.filter(({ record, row }) => record !== null || "settle" in row);
  const waiting = published.filter((write) => !isEnded(write)).map(idOf);
  if (waiting.length > 0) await freePending(database, waiting);
  await deleteEnded(deps, published.filter(isEnded));
  if (inserts.some(({ dueAt, held }) => !held && dueAt <= clock.now())) deps.onDue();
}

/** Counts those that are part of a redelivery in the same transaction. */
async function deleteEnded({ database, clock }: PendingDeps, ended: readonly Write[]): Promise<void> {
  if (ended.length === 0) return;
  const delivered = new Set(ended.filter(({ record }) => record?.outcome === "delivered").map(idOf));
  const remove = async (db: Queryable) => {
    const removed = await deletePending(db, ended.map(idOf));
    await countEnded(db, removed, { delivered, now: clock.now() });
  };
  if (ended.some(({ row }) => "settle" in row && row.settle.redeliveryId !== null)) await database.transaction(remove);
  else await remove(database);
}

const idOf = ({ row }: Write): string => ("insert" in row ? row.insert.id : row.settle.id);
const isEnded = ({ row }: Write): boolean => "settle" in row && row.settle.ended;
