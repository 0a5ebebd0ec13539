import type { Clock } from "../../ingest/clock.ts";
import type { Database, Queryable } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import type { IdempotencyKey, IdempotencyRecord, IdempotencyRecords } from "./idempotency-store.ts";

export interface IdempotencyDeps<D> {
  readonly database: Database;
  readonly clock: Clock;
  readonly records: IdempotencyRecords<D>;
  /** Executes a decision, or what is left of it; must be idempotent. */
  execute(key: IdempotencyKey, decision: D): Promise<void>;
  /** Called with errors of background work, which is tried again. */
  onTrouble(error: unknown): void;
}

export interface Outcome<D> {
  readonly decision: D;
  /** True when an earlier request with the same key was decided. */
  readonly isReplayed: boolean;
}

interface Request<D> {
  decide(): Promise<D>;
  /** Writes more in the transaction that stores the decision. */
  alsoStore?(db: Queryable, decision: D): Promise<void>;
}

/** Ample for what takes milliseconds: a process that has not finished by then is gone. */
const leaseMs = 30_000;
const sweepEveryMs = 60_000;

/**
 * Processes each idempotency key once: the decision is stored together with the answer, then executed, then answered. A
 * crash on the way leaves a decision that any process can execute, and what it publishes has ids that were stored with it:
 * published twice, it counts once.
 */
export function createIdempotency<D>({ database, clock, records, execute, onTrouble }: IdempotencyDeps<D>) {
  /** Keys in work in this process: their repeats cost no query. */
  const inFlight = new Set<string>();
  let sweeping: Promise<void> | null = null;
  let sweptAt = clock.now();

  async function executeAndComplete(key: IdempotencyKey, decision: D): Promise<void> {
    try {
      await execute(key, decision);
      await records.complete(database, key, decision);
    } catch (error) {
      await records.release(database, key, clock.now()).catch(onTrouble);
      throw error;
    }
  }

  /** Executes a decision that another process has abandoned; null when it is not, or a third one was first. */
  async function takeOver(key: IdempotencyKey): Promise<D | null> {
    const now = clock.now();
    const decision = await records.takeOver(database, key, { now, leasedUntil: now + leaseMs });
    if (decision !== null) await executeAndComplete(key, decision);
    return decision;
  }

  async function replay(key: IdempotencyKey, record: IdempotencyRecord<D> | null): Promise<Outcome<D>> {
    if (record?.leasedUntil === null) return { decision: record.decision, isReplayed: true };
    const decision = await takeOver(key);
    if (decision === null) throw alreadyInFlight();
    return { decision, isReplayed: true };
  }

  async function runFirst(key: IdempotencyKey, { decide, alsoStore }: Request<D>): Promise<Outcome<D>> {
    const known = await records.find(database, key, clock.now());
    if (known !== null) return replay(key, known);
    const decision = await decide();
    const isFirst = await database.transaction(async (db) => {
      const now = clock.now();
      const isInserted = await records.insert(db, key, { decision, now, leasedUntil: now + leaseMs });
      if (isInserted) await alsoStore?.(db, decision);
      return isInserted;
    });
    if (!isFirst) return replay(key, await records.find(database, key, clock.now()));
    await executeAndComplete(key, decision);
    return { decision, isReplayed: false };
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const key of await records.findAbandoned(database, now)) {
      // One that cannot be executed yet does not delay the others.
      await takeOver(key).catch(onTrouble);
    }
    await records.deleteExpired(database, now);
  }

  return {
    /** Throws 409 while the same key is being processed. */
    async run(key: IdempotencyKey, request: Request<D>): Promise<Outcome<D>> {
      const name = `${key.orgId} ${key.id}`;
      if (inFlight.has(name)) throw alreadyInFlight();
      inFlight.add(name);
      return runFirst(key, request).finally(() => inFlight.delete(name));
    },

    /** Executes abandoned decisions, and deletes records that have expired. */
    sweep,

    /** Starts a sweep in the background, once a minute at most and one at a time; `also` runs after it. */
    sweepIfDue(also: () => Promise<void> = async () => {}): void {
      if (sweeping !== null || clock.now() < sweptAt + sweepEveryMs) return;
      sweptAt = clock.now();
      sweeping = sweep()
        .then(also)
        .catch(onTrouble)
        .finally(() => {
          sweeping = null;
        });
    },

    /** Waits for the sweep that is running. */
    async close(): Promise<void> {
      await sweeping;
    },
  };
}

const alreadyInFlight = () => conflict("A request with this transaction_id is being worked on: try again in a moment.");
