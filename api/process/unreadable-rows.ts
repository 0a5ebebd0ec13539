import type { Logger } from "pino";
import type { UnreadableError } from "../../ingest/unreadable.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** Named of one table; the others are counted. */
const mostNamed = 100;
/** Known by their ids, so that each is told and counted once however often it is met. */
const mostKnown = 10_000;

/** Tells of rows that a process goes on without: each once, by its table and id and what is wrong with it. */
export function createUnreadableRows({ unreadable }: Pick<Metrics, "unreadable">, logger: Pick<Logger, "warn">) {
  const known = new Map<string, Set<string>>();
  return (part: string, { place: { table, id }, why }: UnreadableError): void => {
    const ids = known.get(table) ?? new Set<string>();
    known.set(table, ids);
    if (ids.has(id) || ids.size >= mostKnown) return;
    ids.add(id);
    unreadable(table);
    if (ids.size <= mostNamed) logger.warn({ part, table, id, why }, `left out: ${table} ${id} cannot be read`);
    else if (ids.size === mostNamed + 1) logger.warn({ part, table }, `more of ${table} cannot be read than are named`);
  };
}
