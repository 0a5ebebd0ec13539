import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Database } from "../../../../api/database/database.ts";
import { openPostgresDatabase } from "../../../../api/database/database-postgres.ts";
import { createNoticeBoard, type NoticeBoard } from "../../../../api/routing/notices/notice-board.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openPglite } from "../../../pglite.ts";

export const maxPending = 2000;

/** Processes that share a database: PostgreSQL's own code, asked over its wire. Each test finds no notices. */
export function useBoards() {
  let open: { readonly server: PGLiteSocketServer; readonly database: Database } | undefined;
  beforeAll(async () => {
    const server = new PGLiteSocketServer({ db: await openPglite(), port: 0, maxConnections: 10 });
    await server.start();
    const url = `postgresql://postgres@${server.getServerConn()}/postgres`;
    open = { server, database: await openPostgresDatabase({ url, poolSize: 1 }) };
  });
  afterAll(async () => {
    await open?.database.close();
    await open?.server.stop();
  });
  const database = (): Database => {
    if (open === undefined) throw new Error("the database is there only while tests run");
    return open.database;
  };
  beforeEach(async () => void (await database().query("DELETE FROM rtb_notices")));

  return {
    database,
    /** Boards on one clock; `exchange` lets each hear what all have told. */
    openBoards(count: number) {
      const clock = createManualClock(startOfTime);
      const troubles: unknown[] = [];
      let exchanges = 0;
      let isAway = false;
      /** Out of reach while a test says so. */
      const reached: Database = {
        ...database(),
        query: (...asked) => (isAway ? Promise.reject(new Error("away")) : database().query(...asked)),
        transaction: (work) => (isAway ? Promise.reject(new Error("away")) : database().transaction(work)),
      };
      const openBoard = () =>
        createNoticeBoard({
          database: reached,
          clock,
          maxPending,
          onTrouble: (error: unknown) => void troubles.push(error),
          onExchanged: () => void exchanges++,
        });
      const boards: readonly NoticeBoard[] = Array.from({ length: count }, openBoard);
      return {
        clock,
        troubles,
        boards,
        openBoard,
        /** Rounds that did not fail. */
        exchanges: () => exchanges,
        setAway: (away: boolean): void => {
          isAway = away;
        },
        async exchange(): Promise<void> {
          for (const { round } of [...boards, ...boards]) await round();
        },
      };
    },
  };
}
export type UsedBoards = ReturnType<typeof useBoards>;
