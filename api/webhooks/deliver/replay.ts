import type { EventLog, PartitionReader } from "../../../ingest/log/log.ts";
import { parseJson } from "../../../ingest/parse.ts";
import type { Database } from "../../database/database.ts";
import { findPending } from "./pending-rows.ts";

/** Ids that one statement asks for. */
const idsAtOnce = 500;

/**
 * Which deliveries an earlier run has begun, of events that it had not committed: those wait in the database or have a
 * record in the log. The others were never begun, or were under way when the run was killed, and are made.
 */
export async function openReplay(
  { log, database }: { readonly log: EventLog; readonly database: Pick<Database, "query"> },
  reader: PartitionReader,
) {
  const { partition } = reader;
  const committed = await reader.committed();
  const end = (await log.ends("call-events"))[partition] ?? 0;
  const told = new Set<string>();
  const recordsFrom = await reader.committed("webhook-deliveries");
  let offset = recordsFrom;

  /** Only what has been published since is read. */
  async function readRecords(): Promise<void> {
    for await (const message of log.read({ topic: "webhook-deliveries", partition, offset })) {
      offset = message.offset + 1;
      const id = deliveryOf(message.value);
      if (id !== null) told.add(id);
    }
  }

  return {
    /** Records of those events lie behind it. */
    recordsFrom,
    /** Whether events from here on may have been worked on before. */
    covers: (at: number): boolean => at >= committed && at < end,

    /** Those of these deliveries that are not to be begun. */
    async begunAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const waiting = new Set<string>();
      for (let first = 0; first < ids.length; first += idsAtOnce) {
        for (const id of await findPending(database, ids.slice(first, first + idsAtOnce))) waiting.add(id);
      }
      // In this order: what has left the database meanwhile had its record before.
      await readRecords();
      return new Set(ids.filter((id) => waiting.has(id) || told.has(id)));
    },
  };
}
export type Replay = Awaited<ReturnType<typeof openReplay>>;

/** The delivery that a record is of; null when it is of none that events begin. */
function deliveryOf(value: string): string | null {
  const json = parseJson(value);
  const record = (json.ok ? json.value : {}) as { kind?: unknown; trigger?: unknown; delivery_id?: unknown };
  const { kind, trigger, delivery_id } = record;
  return kind === "outgoing" && trigger !== "manual" && typeof delivery_id === "string" ? delivery_id : null;
}
