import { writeSync } from "node:fs";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";

// Publishes to the log in the directory given until it is killed, or `count` times; prints the offsets once they are
// acknowledged, by a write that is in the pipe when it returns. Each message tells who published it, and the size of
// its publish.
const [dir = "", name = "", count = "Infinity", bytes = "0"] = process.argv.slice(2);
const log = await openLmdbLog({ dir });
// A file-size limit then refuses the write, as a full disk would, instead of ending the process.
process.on("SIGXFSZ", () => {});
for (let n = 0; n < Number(count); n++) {
  const size = 1 + (n % 5);
  const pad = "x".repeat(Number(bytes));
  const messages = Array.from({ length: size }, (_, index) => ({
    topic: "call-events" as const,
    key: name,
    value: JSON.stringify({ name, n, index, size, pad }),
  }));
  try {
    const positions = await log.publish(messages);
    writeSync(1, `${positions.map((position) => position.offset).join(" ")}\n`);
  } catch (error) {
    writeSync(1, `${error instanceof Error && "code" in error ? error.code : error}\n`);
  }
}
await log.close();
