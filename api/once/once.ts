import type { Clock } from "../../ingest/clock.ts";
import type { Database, Queryable } from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import type { Receipt, Receipts } from "./receipts.ts";
import { createTidying } from "./tidying.ts";
import type { Transaction } from "./transaction.ts";

export interface OnceDeps<D> {
  readonly database: Database;
  readonly clock: Clock;
  readonly receipts: Receipts<D>;
  /** Does what was decided, or what is left of it: done twice, it counts once. */
  carryOut(transaction: Transaction, decided: D): Promise<void>;
  /** Told of what nobody waits for; it is tried again. */
  onTrouble(error: unknown): void;
}

export interface Outcome<D> {
  readonly decided: D;
  /** Whether it was decided for an earlier request. */
  readonly isReplayed: boolean;
}

interface Deciding<D> {
  decide(): Promise<D>;
  /** Written in the transaction that accepts what was decided. */
  beside?(db: Queryable, decided: D): Promise<void>;
}

/** Ample for what takes milliseconds: whoever has not finished by then is gone. */
const leaseMs = 30_000;

/**
 * Decides each transaction once: what is to be done and the answer are written down together, then done, then answered.
 * So a crash on the way leaves something that anybody can finish, and what it tells the log bears an id that was written
 * down with it: told twice, it counts once.
 */
export function createOnce<D>(deps: OnceDeps<D>) {
  const { database, clock, receipts, onTrouble } = deps;
  const { complete, takeUp } = completing(deps);
  /** Transactions that this process is working on: their repeats cost nothing. */
  const inHand = new Set<string>();

  async function replay(transaction: Transaction, receipt: Receipt<D> | null): Promise<Outcome<D>> {
    if (receipt?.leasedUntil === null) return { decided: receipt.decided, isReplayed: true };
    const left = await takeUp(transaction);
    if (left === null) throw inFlight();
    return { decided: left, isReplayed: true };
  }

  async function runFirst(transaction: Transaction, { decide, beside }: Deciding<D>): Promise<Outcome<D>> {
    const known = await receipts.findReceipt(database, transaction, clock.now());
    if (known !== null) return replay(transaction, known);
    const decided = await decide();
    const isFirst = await database.transaction(async (db) => {
      const now = clock.now();
      const isAccepted = await receipts.accept(db, transaction, { decided, now, leasedUntil: now + leaseMs });
      if (isAccepted) await beside?.(db, decided);
      return isAccepted;
    });
    if (!isFirst) return replay(transaction, await receipts.findReceipt(database, transaction, clock.now()));
    await complete(transaction, decided);
    return { decided, isReplayed: false };
  }

  /** Finishes what others have left, and forgets what is too old to matter. */
  async function tidy(): Promise<void> {
    const now = clock.now();
    for (const transaction of await receipts.findLeft(database, now)) {
      // One that cannot be done yet keeps none of the others waiting.
      await takeUp(transaction).catch(onTrouble);
    }
    await receipts.sweepReceipts(database, now);
  }

  return {
    /** Throws 409 while the same transaction is being worked on. */
    async run(transaction: Transaction, deciding: Deciding<D>): Promise<Outcome<D>> {
      const key = `${transaction.orgId} ${transaction.id}`;
      if (inHand.has(key)) throw inFlight();
      inHand.add(key);
      return runFirst(transaction, deciding).finally(() => inHand.delete(key));
    },
    tidy,
    ...createTidying({ clock, tidy, onTrouble }),
  };
}

/** Carrying out what was decided. */
function completing<D>({ database, clock, receipts, carryOut, onTrouble }: OnceDeps<D>) {
  async function complete(transaction: Transaction, decided: D): Promise<void> {
    try {
      await carryOut(transaction, decided);
      await receipts.finish(database, transaction, decided);
    } catch (error) {
      await receipts.giveBack(database, transaction, clock.now()).catch(onTrouble);
      throw error;
    }
  }

  return {
    complete,
    /** Completes what somebody has left; null where it is not left, or somebody else was first. */
    async takeUp(transaction: Transaction): Promise<D | null> {
      const now = clock.now();
      const left = await receipts.resume(database, transaction, { now, leasedUntil: now + leaseMs });
      if (left !== null) await complete(transaction, left);
      return left;
    },
  };
}

const inFlight = () => conflict("A request with this transaction_id is being worked on: try again in a moment.");
