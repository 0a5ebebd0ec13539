import {
  type ConfigChange,
  type Database,
  DatabaseError,
  type Queryable,
  type Transaction,
} from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import type { AuditOutbox } from "./audit-outbox.ts";

/** Attempts at a unit of work that loses to concurrent ones: as many as may change one document at the same time. */
const maxAttempts = 40;

export interface UnitOfWorkDeps {
  readonly database: Database;
  readonly outbox: AuditOutbox;
  /** Resolves when the in-memory snapshot has every change that was notified before. */
  settled(): Promise<void>;
  onTrouble(error: unknown): void;
}

/**
 * Creates a function that runs work in one transaction, which also writes its audit records and notifies
 * all processes. After the commit it waits for the snapshot and drains the audit outbox. Work that loses to a concurrent
 * change runs again.
 */
export function createUnitOfWork({ database, outbox, settled, onTrouble }: UnitOfWorkDeps) {
  return async function unitOfWork<T>(
    work: (db: Queryable) => Promise<{ result: T; changes: readonly ConfigChange[] }>,
  ): Promise<T> {
    const workAndAnnounce = async (db: Transaction): Promise<T> => {
      const { result, changes } = await work(db);
      await db.notify(changes);
      return result;
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await database.transaction(workAndAnnounce);
        await settled();
        // The records are committed: the answer neither waits for the log nor fails with it.
        outbox.drain().catch(onTrouble);
        return result;
      } catch (error) {
        if (!isWriteConflict(error)) throw error;
        if (attempt === maxAttempts) throw conflict("Others are changing the same at this moment; try again.");
      }
    }
  };
}

/** A concurrent transaction changed the same document first. */
export class WriteConflictError extends Error {
  override readonly name = "WriteConflictError";
}

/** A second attempt sees the concurrent change, and says what is wrong if anything still is. */
const isWriteConflict = (error: unknown): boolean =>
  error instanceof WriteConflictError || (error instanceof DatabaseError && error.code === "unique_violation");
