import { writeSync } from "node:fs";
import { openKafkaLog } from "../../../../ingest/log/log-kafka.ts";
import { quickSession } from "./session.ts";

// Consumes until it is killed; prints each message's value, by a write that is in the pipe when it returns, and commits it.
const [prefix = "", ...brokers] = process.argv.slice(2);
const log = await openKafkaLog({ brokers, prefix, session: quickSession });
log.consume({
  group: "loader",
  topic: "call-events",
  async work(reader) {
    while (!reader.signal.aborted) {
      const { messages } = await reader.next({ maxMessages: 1, maxBytes: 1_000_000, waitMs: 1_000 });
      for (const { offset, value } of messages) {
        writeSync(1, `${value}\n`);
        await reader.commit(offset + 1);
      }
    }
  },
});
