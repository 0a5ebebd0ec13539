import type { Topic } from "../../ingest/log/log.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** Gives a warehouse records as a topic's messages that follow those before. */
export function storing(warehouse: Pick<Warehouse, "store">, topic: Topic) {
  let nextOffset = 0;
  return (records: readonly unknown[]) => {
    const firstOffset = nextOffset;
    nextOffset += records.length;
    const values = records.map((record) => JSON.stringify(record));
    return warehouse.store({ topic, partition: 0, firstOffset, nextOffset, values });
  };
}
