import {
  type ConfigChange,
  type Database,
  DatabaseError,
  type Queryable,
  type Transaction,
} from "../database/database.ts";
import { conflict } from "../serve/errors.ts";
import type { AuditOutbox } from "./audit.ts";

/** Tries of a change that another one came before: as many as change one document at the same time, at the worst. */
const maxTries = 40;

export interface ChangesDeps {
  readonly database: Database;
  readonly outbox: AuditOutbox;
  /** Resolves when decisions see every change that was announced before. */
  settled(): Promise<void>;
  onTrouble(error: unknown): void;
}

/** Makes changes of config: each is written, audited and told of in one transaction, or not made. */
export function createChanges({ database, outbox, settled, onTrouble }: ChangesDeps) {
  /** A change, its audit record and the telling of it in one transaction; then the record goes to the log. */
  async function change<T>(
    work: (db: Queryable) => Promise<{ result: T; changes: readonly ConfigChange[] }>,
  ): Promise<T> {
    const told = async (db: Transaction): Promise<T> => {
      const { result, changes } = await work(db);
      await db.announce(changes);
      return result;
    };
    for (let tries = 1; ; tries++) {
      try {
        const result = await database.transaction(told);
        await settled();
        // The record is safe in the database: the answer need not wait for the log, nor fail with it.
        outbox.drain().catch(onTrouble);
        return result;
      } catch (error) {
        if (!isRace(error)) throw error;
        if (tries === maxTries) throw conflict("Others are changing the same at this moment; try again.");
      }
    }
  }

  return change;
}

/** Another change of the same document came first. */
export class OvertakenError extends Error {
  override readonly name = "OvertakenError";
}

/** Lost to a change at the same time: tried again, it finds that change and says what is wrong, if anything is. */
const isRace = (error: unknown): boolean =>
  error instanceof OvertakenError || (error instanceof DatabaseError && error.code === "unique_violation");
