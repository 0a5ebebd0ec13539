import { onTestFinished } from "vitest";
import type { EventLog } from "../../../../ingest/log/log.ts";
import { type KafkaLogOptions, openKafkaLog } from "../../../../ingest/log/log-kafka.ts";
import { brokersOf, createPrefix } from "../../../kafka-server.ts";
import { patientSession } from "./session.ts";

/** Logs on topics of one test, as several processes would open them; all are closed and removed after it. */
export function createKafkaLogs(given: Partial<KafkaLogOptions> = {}) {
  const { prefix, remove } = createPrefix();
  onTestFinished(remove);
  const open = async (more: Partial<KafkaLogOptions> = {}): Promise<EventLog> => {
    const usual = { prefix, partitions: 4, replicationFactor: 1, session: patientSession };
    const log = await openKafkaLog({ brokers: brokersOf(), ...usual, ...given, ...more });
    onTestFinished(() => log.close());
    return log;
  };
  return { prefix, open };
}

/** Resolves when the condition holds; the test's own time limit bounds the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
