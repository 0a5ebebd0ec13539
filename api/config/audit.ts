import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { AuditRecord } from "../../ingest/audit.ts";
import { isoTime } from "../../ingest/clock.ts";
import { type EventLog, LogError } from "../../ingest/log/log.ts";
import { parseStored, readable, refuseUnreadable, type UnreadableError } from "../../ingest/unreadable.ts";
import type { Database, Queryable } from "../database/database.ts";
import type { Caller } from "../serve/caller.ts";
import { cutChanges } from "./audit-changes.ts";

/** Who changes config, and by which request. */
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

/** Records of one instant sort as they were made, as those of one request are. */
let sequence = 0;
const nextSequence = (): number => {
  sequence = (sequence + 1) % 2 ** 31;
  return sequence;
};

/** Writes the record of a change beside the change itself, in its transaction: neither can be without the other. */
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

const recordsPerRound = 500;
/** Characters, of three bytes at most: the log takes 64 MiB at once, and this process shall not hold more. */
const lengthPerRound = 8 * 1024 * 1024;
/** As many of these as make a round are no longer together than one may be. */
const shortLength = Math.floor(lengthPerRound / recordsPerRound);

interface Kept {
  readonly id: string;
  /** JSON. */
  readonly record: string;
}

interface Round {
  readonly records: readonly Kept[];
  /** The id of the last that was looked at; undefined where there is none. */
  readonly last: string | undefined;
  /** Nothing else had been written when it was read. */
  readonly isLast: boolean;
}

/**
 * The oldest records after that one, as many as make a round; the first one however long it is. A change reads its round and waits for
 * none, so what is usual is one plain statement: only long records are read by a second one.
 */
async function readRound(database: Queryable, after: string): Promise<Round> {
  const length = "length(CAST(record AS VARCHAR))";
  const rows = await database.query(
    `SELECT id, ${length} AS length, CASE WHEN ${length} <= ${shortLength} THEN record END AS record
     FROM audit_outbox WHERE id > $1 ORDER BY id LIMIT ${recordsPerRound}`,
    [after],
  );
  let upTo = 0;
  const taken = rows.filter(({ length: each }, index) => {
    upTo += Number(each);
    return index === 0 || upTo <= lengthPerRound;
  });
  const long = await readRecords(
    database,
    taken.filter(({ record }) => record === null).map(({ id }) => String(id)),
  );
  return {
    // One that is gone meanwhile was handed over by another process.
    records: taken.flatMap(({ id, record }) => {
      const text = record ?? long.get(String(id));
      return text === undefined ? [] : [{ id: String(id), record: String(text) }];
    }),
    last: taken.length === 0 ? undefined : String(taken.at(-1)?.id),
    isLast: taken.length === rows.length && rows.length < recordsPerRound,
  };
}

async function readRecords(database: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query(`SELECT id, record FROM audit_outbox WHERE id IN (${placesOf(ids)})`, ids);
  return new Map(rows.map(({ id, record }) => [String(id), String(record)]));
}

const placesOf = (ids: readonly string[]): string => ids.map((_, index) => `$${index + 1}`).join(", ");

type Publish = Pick<EventLog, "publish">;

/**
 * Hands waiting audit records to the log. A record handed over twice keeps its id and is stored once; one that cannot be
 * read goes on waiting, and `onUnreadable` is told of it.
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
      const { records, last, isLast } = await readRound(database, after);
      if (last === undefined) return;
      const told = readable(records, toTold, onUnreadable);
      const ids = told.map(({ id }) => id);
      if (told.length > 0) {
        await publishRecords(log, told);
        await database.query(`DELETE FROM audit_outbox WHERE id IN (${placesOf(ids)})`, ids);
      }
      if (isLast) return;
      after = last;
    }
  }

  return {
    /**
     * One round at a time; what was written before the call has been handed over when it resolves. Where it rejects, the
     * records wait for the next call.
     */
    drain(): Promise<void> {
      // Whoever asks while one waits to begin is served by that one.
      next ??= running.catch(() => undefined).then(drain);
      running = next;
      return next;
    },

    /** Finishes the round in hand. */
    close: (): Promise<void> => running.catch(() => undefined),
  };
}
export type AuditOutbox = Pick<ReturnType<typeof createAuditOutbox>, "drain">;

/** A record that the log finds too large keeps none of the others back: it is published without its values. */
async function publishRecords(log: Publish, records: readonly ToldRecord[]): Promise<void> {
  try {
    await log.publish(records.map(toMessage));
  } catch (error) {
    if (!(error instanceof LogError && error.code === "message_too_large")) throw error;
    const [only, ...others] = records;
    if (only !== undefined && others.length === 0) return publishCut(log, only);
    for (const record of records) await publishRecords(log, [record]);
  }
}

async function publishCut(log: Publish, { record, key }: ToldRecord): Promise<void> {
  const whole = JSON.parse(record) as AuditRecord;
  await log.publish([toMessage({ key, record: JSON.stringify({ ...whole, changes: cutChanges(whole.changes) }) })]);
}

interface ToldRecord {
  readonly key: string;
  readonly record: string;
}

/** A record as the log is told it. Throws `UnreadableError`. */
function toTold({ id, record }: Kept): ToldRecord & Kept {
  const { entity_id: key } = parseStored(entitySchema, record, { table: "audit_outbox", id });
  return { id, record, key };
}
const entitySchema = z.object({ entity_id: z.string() });

const toMessage = ({ key, record }: ToldRecord) => ({ topic: "audit-log" as const, key, value: record });
