import type { Clock } from "../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { countEnded } from "../redelivery-rows.ts";
import { createBatches } from "./in-batches.ts";
import {
  deletePending,
  freePending,
  insertPending,
  type PendingRow,
  type Settled,
  settlePending,
} from "./pending-rows.ts";
import { publishRecords } from "./publish-records.ts";

/** Written in one statement: about 20 ms of the embedded engine's time. */
const mostAtOnce = 100;
/** A first write of what a statement holds takes less; after it a row that a crash left behind is told again. */
const tellWithinMs = 30_000;

export interface PendingDeps {
  readonly database: Database;
  readonly log: Pick<EventLog, "publish">;
  readonly clock: Clock;
  /** Told of each failed write; it is tried again until it is done. */
  onTrouble(error: unknown): void;
  /** Told when deliveries have come to wait that are due already. */
  onDue(): void;
}

type NewRow = Omit<PendingRow, "leasedUntil" | "ended" | "untold">;

/** What changes with a row, and what the log is told of it. */
interface Write {
  readonly row: { readonly insert: PendingRow } | { readonly settle: Settled };
  readonly record: OutgoingRequest | null;
}

/**
 * Deliveries that wait, in the config database. An attempt is written with its record before the log has that, so a
 * crash in between loses neither: whoever claims the row next tells the log first, and a record told twice counts once.
 * Writes that come together share their statements.
 */
export function createPending({ database, log, clock, onTrouble, onDue }: PendingDeps) {
  const closing = new AbortController();

  async function writeAll(writes: readonly Write[]): Promise<void> {
    const inserts = writes.flatMap(({ row }) => ("insert" in row ? [row.insert] : []));
    const settles = writes.flatMap(({ row }) => ("settle" in row ? [row.settle] : []));
    if (inserts.length > 0) await insertPending(database, inserts);
    if (settles.length > 0) await settlePending(database, settles);
    const records = writes.flatMap(({ record }) => record ?? []);
    if (records.length > 0) await publishRecords(log, records);
    const told = writes.filter(({ record, row }) => record !== null || "settle" in row);
    const waiting = told.filter((write) => !isEnded(write)).map(idOf);
    if (waiting.length > 0) await freePending(database, waiting);
    await forget(told.filter(isEnded));
    if (inserts.some(({ dueAt, held }) => !held && dueAt <= clock.now())) onDue();
  }

  /** With a delivery that is part of a redelivery, that one's figures change. */
  async function forget(ended: readonly Write[]): Promise<void> {
    if (ended.length === 0) return;
    const delivered = new Set(ended.filter(({ record }) => record?.outcome === "delivered").map(idOf));
    const remove = async (db: Queryable) => {
      const removed = await deletePending(db, ended.map(idOf));
      await countEnded(db, removed, { delivered, now: clock.now() });
    };
    if (ended.some(({ row }) => "settle" in row && row.settle.redeliveryId !== null))
      await database.transaction(remove);
    else await remove(database);
  }

  const batches = createBatches<Write>(mostAtOnce, async (writes) => {
    const retry = { clock, onTrouble, signal: closing.signal };
    const done = await untilDone(retry, async () => [await writeAll(writes)]);
    if (done === null) throw new Error(`${writes.length} deliveries could not be written before the end.`);
  });

  return {
    /** Lets a delivery wait, with the record of the attempt that failed. Resolves when all is durable. */
    enter(row: NewRow, record: OutgoingRequest | null): Promise<void> {
      const leasedUntil = record === null ? 0 : clock.now() + tellWithinMs;
      const untold = record && JSON.stringify(record);
      return batches.add({ row: { insert: { ...row, leasedUntil, ended: false, untold } }, record });
    },

    /** Says how an attempt at a claimed delivery ended; `nextAt` null: with it, the delivery has ended. */
    settle(row: PendingRow, record: OutgoingRequest, nextAt: number | null): Promise<void> {
      const { id, redeliveryId } = row;
      const next = { dueAt: nextAt ?? clock.now(), ended: nextAt === null };
      const held = row.held && nextAt !== null;
      const settle = { id, held, redeliveryId, attempt: record.attempt, ...next, untold: JSON.stringify(record) };
      return batches.add({ row: { settle }, record });
    },

    /** Tells the log what a row that was claimed has left for it. */
    tellLeftOver(row: PendingRow): Promise<void> {
      const record: OutgoingRequest | null = row.untold === null ? null : JSON.parse(row.untold);
      return batches.add({ row: { settle: row }, record });
    },

    /** Finishes what is being written, once more if it failed. */
    async close(): Promise<void> {
      closing.abort();
      await batches.settled();
    },
  };
}
export type Pending = ReturnType<typeof createPending>;

const idOf = ({ row }: Write): string => ("insert" in row ? row.insert.id : row.settle.id);
const isEnded = ({ row }: Write): boolean => "settle" in row && row.settle.ended;
