import { randomUUID } from "node:crypto";
import type { Clock } from "../../../ingest/clock.ts";
import type { Database } from "../../database/database.ts";
import { createNoticeListeners } from "./notice-listeners.ts";
import { readNewestTurn, readNotices, rowsAtOnce, sweepNotices } from "./notice-rows-postgres.ts";
import type { Notices } from "./notices.ts";
import { createPendingNotices } from "./pending-notices.ts";
import { writeNotices } from "./write-notices.ts";

export interface NoticeBoardDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Told of the first of several rounds that failed; the next one makes it good. */
  onTrouble(error: unknown): void;
  /** Told of each round that did not fail. */
  onExchanged?(): void;
  /** What waits while the database is away; beyond it the oldest is not told at all. */
  readonly maxPending?: number;
}

/** Some 20 MB of answers. */
const mostPending = 20_000;
const sweepEveryMs = 60_000;

/**
 * Notices by a table that processes share: each round writes what this one has to tell and reads what others have told
 * since. So what happens in one process counts in every other one two rounds later at the latest, and while the database
 * is slow or away each goes on with what it knows.
 */
export function createNoticeBoard(deps: NoticeBoardDeps) {
  const { database, clock, onTrouble, onExchanged = () => undefined, maxPending = mostPending } = deps;
  const process = randomUUID();
  const listeners = createNoticeListeners(onTrouble);
  const pending = createPendingNotices(maxPending);
  let heardUpTo = 0;
  let isAway = false;
  let sweptAt = clock.now();

  async function say(): Promise<void> {
    const unsaid = pending.standing(clock.now());
    for (let from = 0; from < unsaid.length; from += rowsAtOnce) {
      const some = unsaid.slice(from, from + rowsAtOnce);
      await writeNotices({ database, process, onRefused: onTrouble }, some);
      pending.said(some);
    }
  }

  async function hear(): Promise<void> {
    const upTo = await readNewestTurn(database);
    while (heardUpTo < upTo) {
      const told = await readNotices(database, { process, after: heardUpTo, upTo, now: clock.now() });
      for (const heard of told) listeners.pass(heard);
      heardUpTo = told.length < rowsAtOnce ? upTo : (told.at(-1)?.turn ?? upTo);
    }
  }

  async function sweep(): Promise<void> {
    if (clock.now() < sweptAt + sweepEveryMs) return;
    sweptAt = clock.now();
    await sweepNotices(database, sweptAt);
  }

  const notices: Notices = { process, tell: pending.add, onHeard: listeners.add };

  return {
    notices,

    /** Tells and hears, one round at a time. It never rejects. */
    async round(): Promise<void> {
      try {
        await say();
        await hear();
        await sweep();
        isAway = false;
        onExchanged();
      } catch (error) {
        // It may be another server by the time it is back, with turns of its own: heard again, a notice changes nothing.
        heardUpTo = 0;
        if (!isAway) onTrouble(error);
        isAway = true;
      }
    },

    /** When nobody asks any more: tells the others what this process has counted last. */
    close: (): Promise<void> => say().catch(onTrouble),
  };
}
export type NoticeBoard = ReturnType<typeof createNoticeBoard>;
