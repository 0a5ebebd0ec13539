import type { EventLog, PartitionReader } from "../../../ingest/log/log.ts";
import { parseJson } from "../../../ingest/parse.ts";
import type { Database } from "../../database/database.ts";
import { findPending } from "./pending-rows.ts";

/** Ids that one statement asks for. */
const idsAtOnce = 500;

/**
 * Finds deliveries that an earlier run has begun, of events that it had not committed: those wait in the database or have
 * a record in the log. The others were never begun, or were in flight when the run was killed, and are made.
 */
export async function openReplay(
  { log, database }: { readonly log: EventLog; readonly database: Pick<Database, "query"> },
  reader: PartitionReader,
) {
  const { partition } = reader;
  const committed = await reader.committed();
  const end = (await log.ends("call-events"))[partition] ?? 0;
  const recorded = new Set<string>();
  const recordsFrom = await reader.committed("webhook-deliveries");
  let offset = recordsFrom;

  /** Only what has been published since is read. */
  async function readRecords(): Promise<void> {
    for await (const message of log.read({ topic: "webhook-deliveries", partition, offset })) {
      offset = message.offset + 1;
      const id = deliveryOf(message.value);
      if (id !== null) recorded.add(id);
    }
  }

  return {
    /** The offset from which on records of those events lie. */
    recordsFrom,
    /** Returns true if an earlier run may have worked on the event at this offset. */
    covers: (at: number): boolean => at >= committed && at < end,

    /** Returns those of these ids that an earlier run has begun. */
    async begunAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const waiting = new Set<string>();
      for (let first = 0; first < ids.length; first += idsAtOnce) {
        for (const id of await findPending(database, ids.slice(first, first + idsAtOnce))) waiting.add(id);
      }
      // In this order: a row that has left the database meanwhile had its record before.
      await readRecords();
      return new Set(ids.filter((id) => waiting.has(id) || recorded.has(id)));
    },
  };
}
export type Replay = Awaited<ReturnType<typeof openReplay>>;

/** Returns the delivery's id of a record; null for redeliveries and requests that were received. */
function deliveryOf(value: string): string | null {
  const json = parseJson(value);
  const record = (json.ok ? json.value : {}) as { kind?: unknown; trigger?: unknown; delivery_id?: unknown };
  const { kind, trigger, delivery_id } = record;
  return kind === "outgoing" && trigger !== "manual" && typeof delivery_id === "string" ? delivery_id : null;
}
