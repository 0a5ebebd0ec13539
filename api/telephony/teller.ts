import type { Database } from "../database/database.ts";
import { clearUntold } from "./open-call-rows.ts";
import type { Told } from "./told.ts";

/** Tells the log what calls' rows have for it; of one call in order, also where the first is still on its way. */
export function createTeller(database: Database, publish: (told: readonly Told[]) => Promise<void>) {
  /** Of calls whose last words are on their way to the log: those of the next step follow them. */
  const telling = new Map<string, Promise<void>>();

  /** Hands the log what the row has for it; a step that came meanwhile has its own in the row and clears it itself. */
  function tell(callId: string, version: number, told: readonly Told[]): Promise<void> {
    const before = telling.get(callId);
    if (told.length === 0) return before ?? Promise.resolve();
    // What could not be told before is in the row, and so among what is told now.
    const work = Promise.resolve(before?.catch(() => undefined)).then(async () => {
      await publish(told);
      await clearUntold(database, callId, version);
    });
    const done = () => {
      if (telling.get(callId) === work) telling.delete(callId);
    };
    telling.set(callId, work);
    work.then(done, done);
    return work;
  }

  /** Resolves when the log has what is on its way to it of this call; undefined when nothing is. */
  const underWay = (callId: string): Promise<void> | undefined => telling.get(callId);

  return { tell, underWay };
}
