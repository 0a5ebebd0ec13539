import { isoTime } from "../../../ingest/clock.ts";
import { readable, UnreadableError } from "../../../ingest/unreadable.ts";
import type { Database, DatabaseRow, Transaction } from "../../database/database.ts";
import type { Holder } from "../call-stats.ts";

const announcedType = "total_reset";

export interface ResetOf {
  readonly orgId: string;
  readonly holder: Holder;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Caps of the period `total` count the holder's calls from now on; every process is told. Returns when they had been set
 * back before; null where they count from this instant or a later one already: a reset never goes back in time.
 */
export async function resetTotals(
  db: Transaction,
  { orgId, holder: { kind, id }, now }: ResetOf,
): Promise<{ before: string | null } | null> {
  const key = [orgId, kind, id];
  const [known] = await db.query("SELECT reset_at FROM total_resets WHERE org_id = $1 AND kind = $2 AND id = $3", key);
  const before = known === undefined ? null : String(known.reset_at);
  const rows = await db.query(
    `INSERT INTO total_resets (org_id, kind, id, reset_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id, kind, id) DO UPDATE SET reset_at = excluded.reset_at
     WHERE total_resets.reset_at < excluded.reset_at RETURNING reset_at`,
    [...key, isoTime(now)],
  );
  if (rows.length === 0) return null;
  await db.notify([{ orgId, type: announcedType, id: `${kind} ${id}` }]);
  return { before };
}

/** Throws `UnreadableError`. */
function toReset({ org_id, kind, id, reset_at }: DatabaseRow): readonly [key: string, at: number] {
  const [key, at] = [`${kind} ${org_id} ${id}`, Date.parse(String(reset_at))];
  if (Number.isNaN(at)) throw new UnreadableError({ table: "total_resets", id: key }, "reset_at is no time");
  return [key, at];
}

/** When each holder's totals were last set back, in memory; read again whenever one is announced. */
export async function openTotalResets(database: Database, onTrouble: (error: unknown) => void) {
  let resets = new Map<string, number>();
  let reading: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const rows = await database.query("SELECT org_id, kind, id, reset_at FROM total_resets");
    resets = new Map(readable(rows, toReset, onTrouble));
  }

  const stop = database.onNotification((changes) => {
    if (changes !== null && !changes.some(({ type }) => type === announcedType)) return;
    // One after the other, so that a newer reading is never overwritten by an older one.
    reading = reading.then(read).catch(onTrouble);
  });
  await read().catch((error: unknown) => {
    stop();
    throw error;
  });

  return {
    since: (orgId: string, { kind, id }: Holder): number => resets.get(`${kind} ${orgId} ${id}`) ?? 0,
    /** Resolves when all that was announced before is known. */
    settled: (): Promise<void> => reading,
    async close(): Promise<void> {
      stop();
      await reading;
    },
  };
}
export type TotalResets = Awaited<ReturnType<typeof openTotalResets>>;
