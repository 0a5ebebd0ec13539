import { type OutgoingRequest, outgoingRequestSchema } from "../../../ingest/delivery.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";
import { parseStored } from "../../../ingest/unreadable.ts";
import { createBatches } from "./in-batches.ts";
import type { PendingRow } from "./pending-rows.ts";
import { type Write, type WriteDeps, writeAll } from "./pending-writes.ts";

/** Written in one statement: about 20 ms of the embedded engine's time. */
const mostAtOnce = 100;
/** A first write of what a statement holds takes less; after it a row that a crash left behind is told again. */
const tellWithinMs = 30_000;

export interface PendingDeps extends WriteDeps {
  /** Told of each failed write; it is tried again until it is done. */
  onTrouble(error: unknown): void;
}

/** Throws `UnreadableError`. */
const readRecord = (untold: string, id: string): OutgoingRequest =>
  parseStored(outgoingRequestSchema, untold, { table: "pending_deliveries", id });

type NewRow = Omit<PendingRow, "leasedUntil" | "ended" | "untold">;

/**
 * Deliveries that wait, in the config database. An attempt is written with its record before the log has that, so a
 * crash in between loses neither: whoever claims the row next tells the log first, and a record told twice counts once.
 * Writes that come together share their statements.
 */
export function createPending(deps: PendingDeps) {
  const { clock, onTrouble } = deps;
  const closing = new AbortController();

  const batches = createBatches<Write>(mostAtOnce, async (writes) => {
    const retry = { clock, onTrouble, signal: closing.signal };
    const done = await untilDone(retry, async () => [await writeAll(deps, writes)]);
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

    /** Tells the log what a row that was claimed has left for it. Rejects with `UnreadableError`. */
    async tellLeftOver(row: PendingRow): Promise<void> {
      const record = row.untold === null ? null : readRecord(row.untold, row.id);
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
