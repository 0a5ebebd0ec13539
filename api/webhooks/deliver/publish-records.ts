import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import { type EventLog, LogError, type NewMessage, type Position } from "../../../ingest/log/log.ts";
import { cutToFit } from "./record.ts";

/** A call's records lie in the partition of its events: so whoever delivers those finds what was told of them. */
const toMessage = (record: OutgoingRequest): NewMessage => ({
  topic: "webhook-deliveries",
  key: record.call_id ?? record.id,
  value: JSON.stringify(record),
});

/** Publishes records, those that are too large for the log cut. */
export async function publishRecords(
  log: Pick<EventLog, "publish">,
  records: readonly OutgoingRequest[],
): Promise<Position[]> {
  try {
    return await log.publish(records.map(toMessage));
  } catch (error) {
    if (!(error instanceof LogError && error.code === "message_too_large")) throw error;
    const positions: Position[] = [];
    for (const record of records) positions.push(...(await publishOne(log, record)));
    return positions;
  }
}

async function publishOne(log: Pick<EventLog, "publish">, record: OutgoingRequest): Promise<Position[]> {
  try {
    return await log.publish([toMessage(record)]);
  } catch (error) {
    if (!(error instanceof LogError && error.code === "message_too_large")) throw error;
    return log.publish([toMessage(cutToFit(record))]);
  }
}
