import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { AuditRecord } from "../../ingest/audit.ts";
import { isoTime } from "../../ingest/clock.ts";
import { type EventLog, LogError } from "../../ingest/log/log.ts";
import { parseStored, readable, refuseUnreadable, type UnreadableError } from "../../ingest/unreadable.ts";
import type { Database, Queryable } from "../database/database.ts";
import type { Caller } from "../serve/caller.ts";
import { cutChanges } from "./audit-diff.ts";

/** The caller that changes config, and the request. */
export interface Actor {
  readonly caller: Caller;
  readonly requestId: string | null;
  readonly sourceIp: string | null;
}

export interface Change {
  readonly action: AuditRecord["action"];
  readonly entity: { readonly type: string; readonly id: string; readonly name: string | null };
  readonly changes: AuditRecord["changes"];
  readonly now: number;
}

/** Orders the ids of records made in the same millisecond, such as those of one request. */
let sequence = 0;
const nextSequence = (): number => {
  sequence = (sequence + 1) % 2 ** 31;
  return sequence;
};

/** Writes the audit record of a change into the outbox, in the transaction of the change: both are stored or neither. */
export async function recordChange(
  db: Queryable,
  { caller, requestId, sourceIp }: Actor,
  change: Change,
): Promise<void> {
  const record: AuditRecord = {
    v: 1,
    id: uuidv7({ msecs: change.now, seq: nextSequence() }),
    org_id: caller.orgId,
    created_at: isoTime(change.now),
    actor_type: caller.actor.type,
    actor_id: caller.actor.id,
    actor_name: caller.actor.name,
    action: change.action,
    entity_type: change.entity.type,
    entity_id: change.entity.id,
    entity_name: change.entity.name,
    changes: change.changes,
    request_id: requestId,
    source_ip: sourceIp,
  };
  await db.query("INSERT INTO audit_outbox (id, record) VALUES ($1, $2)", [record.id, JSON.stringify(record)]);
}

const recordsPerBatch = 500;
/** Characters of a batch, of three bytes at most: the log takes 64 MiB at once, and this process should not hold more. */
const lengthPerBatch = 8 * 1024 * 1024;

interface OutboxRow {
  readonly id: string;
  /** JSON. */
  readonly record: string;
}

interface Batch {
  readonly records: readonly OutboxRow[];
  /** Id of the last row that was read; undefined if there was none. */
  readonly last: string | undefined;
  /** True if there were no rows after these. */
  readonly isLast: boolean;
}

/** Reads a batch of the oldest records after the given id; the first one however long it is. */
async function readBatch(database: Queryable, after: string): Promise<Batch> {
  const rows = await database.query(
    `SELECT id, length(CAST(record AS VARCHAR)) AS length FROM audit_outbox
     WHERE id > $1 ORDER BY id LIMIT ${recordsPerBatch}`,
    [after],
  );
  let total = 0;
  const taken = rows.filter(({ length }, index) => {
    total += Number(length);
    return index === 0 || total <= lengthPerBatch;
  });
  const ids = taken.map(({ id }) => String(id));
  return {
    // Without those that another process has published meanwhile.
    records: ids.length === 0 ? [] : await readRecords(database, ids),
    last: ids.at(-1),
    isLast: taken.length === rows.length && rows.length < recordsPerBatch,
  };
}

async function readRecords(database: Queryable, ids: readonly string[]): Promise<OutboxRow[]> {
  const sql = `SELECT id, record FROM audit_outbox WHERE id IN (${placesOf(ids)}) ORDER BY id`;
  const rows = await database.query(sql, ids);
  return rows.map(({ id, record }) => ({ id: String(id), record: String(record) }));
}

const placesOf = (ids: readonly string[]): string => ids.map((_, index) => `$${index + 1}`).join(", ");

type Publish = Pick<EventLog, "publish">;

/**
 * Creates the outbox of audit records, which publishes them to the log. A record published twice keeps its id and is
 * stored once; an unreadable one stays in the outbox, and `onUnreadable` is called.
 */
export function createAuditOutbox(
  database: Database,
  log: Publish,
  onUnreadable: (error: UnreadableError) => void = refuseUnreadable,
) {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function drain(): Promise<void> {
    next = null;
    for (let after = ""; ; ) {
      const { records, last, isLast } = await readBatch(database, after);
      if (last === undefined) return;
      const messages = readable(records, toRecordMessage, onUnreadable);
      const ids = messages.map(({ id }) => id);
      if (messages.length > 0) {
        await publishRecords(log, messages);
        await database.query(`DELETE FROM audit_outbox WHERE id IN (${placesOf(ids)})`, ids);
      }
      if (isLast) return;
      after = last;
    }
  }

  return {
    /**
     * Publishes all records written before the call; concurrent calls share a run. When it rejects, the records stay in
     * the outbox for the next call.
     */
    drain(): Promise<void> {
      // A run that has not begun serves this call, too.
      next ??= running.catch(() => undefined).then(drain);
      running = next;
      return next;
    },

    /** Finishes the run in progress. */
    close: (): Promise<void> => running.catch(() => undefined),
  };
}
export type AuditOutbox = Pick<ReturnType<typeof createAuditOutbox>, "drain">;

/** Publishes records; one that is too large for the log is published by itself, without its values. */
async function publishRecords(log: Publish, records: readonly RecordMessage[]): Promise<void> {
  try {
    await log.publish(records.map(toMessage));
  } catch (error) {
    if (!(error instanceof LogError && error.code === "message_too_large")) throw error;
    const [only, ...others] = records;
    if (only !== undefined && others.length === 0) return publishCut(log, only);
    for (const record of records) await publishRecords(log, [record]);
  }
}

async function publishCut(log: Publish, { record, key }: RecordMessage): Promise<void> {
  const whole = JSON.parse(record) as AuditRecord;
  await log.publish([toMessage({ key, record: JSON.stringify({ ...whole, changes: cutChanges(whole.changes) }) })]);
}

interface RecordMessage {
  readonly key: string;
  readonly record: string;
}

/** Throws `UnreadableError`. */
function toRecordMessage({ id, record }: OutboxRow): RecordMessage & OutboxRow {
  const { entity_id: key } = parseStored(entitySchema, record, { table: "audit_outbox", id });
  return { id, record, key };
}
const entitySchema = z.object({ entity_id: z.string() });

const toMessage = ({ key, record }: RecordMessage) => ({ topic: "audit-log" as const, key, value: record });
