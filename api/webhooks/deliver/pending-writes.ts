import type { Clock } from "../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
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
import { publishRecords } from "./publish-records.ts";

/** What changes with a row, and what the log is told of it. */
export interface Write {
  readonly row: { readonly insert: PendingRow } | { readonly settle: Settled };
  readonly record: OutgoingRequest | null;
}

export interface WriteDeps {
  readonly database: Database;
  readonly log: Pick<EventLog, "publish">;
  readonly clock: Clock;
  /** Told when deliveries have come to wait that are due already. */
  onDue(): void;
}

/** Writes the rows, then tells the log, then lets go of them: a crash in between leaves rows that say what is untold. */
export async function writeAll(deps: WriteDeps, writes: readonly Write[]): Promise<void> {
  const { database, log, clock } = deps;
  const inserts = writes.flatMap(({ row }) => ("insert" in row ? [row.insert] : []));
  const settles = writes.flatMap(({ row }) => ("settle" in row ? [row.settle] : []));
  if (inserts.length > 0) await insertPending(database, inserts);
  if (settles.length > 0) await settlePending(database, settles);
  const records = writes.flatMap(({ record }) => record ?? []);
  if (records.length > 0) await publishRecords(log, records);
  const told = writes.filter(({ record, row }) => record !== null || "settle" in row);
  const waiting = told.filter((write) => !isEnded(write)).map(idOf);
  if (waiting.length > 0) await freePending(database, waiting);
  await forget(deps, told.filter(isEnded));
  if (inserts.some(({ dueAt, held }) => !held && dueAt <= clock.now())) deps.onDue();
}

/** With a delivery that is part of a redelivery, that one's figures change. */
async function forget({ database, clock }: WriteDeps, ended: readonly Write[]): Promise<void> {
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
