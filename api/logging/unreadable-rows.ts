import type { Logger } from "pino";
import type { UnreadableError } from "../../ingest/unreadable.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** Rows of one table that are logged each; the rest is counted. */
const maxLogged = 100;
/** Ids remembered for each table, so that a row is logged and counted once however often it is read. */
const maxRemembered = 10_000;

/** Logs rows that cannot be read and are skipped, each once, by table, id and reason. */
export function createUnreadableRowLog({ unreadable }: Pick<Metrics, "unreadable">, logger: Pick<Logger, "warn">) {
  const known = new Map<string, Set<string>>();
  return (part: string, { place: { table, id }, why }: UnreadableError): void => {
    const ids = known.get(table) ?? new Set<string>();
    known.set(table, ids);
    if (ids.has(id) || ids.size >= maxRemembered) return;
    ids.add(id);
    unreadable(table);
    if (ids.size <= maxLogged) logger.warn({ part, table, id, why }, `skipped: ${table} ${id} cannot be read`);
    else if (ids.size === maxLogged + 1)
      logger.warn({ part, table }, `more rows of ${table} cannot be read than are logged one by one`);
  };
}
