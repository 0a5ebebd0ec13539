import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { open } from "lmdb";
import { topics } from "../log.ts";
import { parseRecord, valueStart } from "../record.ts";
import { maxPartitions } from "./store.ts";
import { LogFileFault, walkLogFile } from "./walk-file.ts";

/**
 * Reads a log's file, page by page and then message by message, and returns how many messages it holds. Throws what the
 * engine throws, or `LogFileFault`. Changes nothing; but the engine may end the process.
 */
export async function readWholeLog(dir: string): Promise<number> {
  walkLogFile(join(dir, "data.mdb"));
  const root = open({ path: dir, noSubdir: false, readOnly: true, maxDbs: 1 + topics.length * maxPartitions });
  let messages = 0;
  try {
    for (const topic of topics) {
      for (let partition = 0; partition < maxPartitions; partition++) {
        const records = root.openDB<Buffer, number>(`${topic}/${partition}`, { encoding: "binary" });
        // Read only, one that is not there is not made.
        if (records === undefined) break;
        for (const { key, value } of records.getRange()) {
          checkRecord(key, value, `${topic}:${partition}`);
          messages += 1;
        }
      }
    }
  } finally {
    await root.close();
  }
  return messages;
}

/** Values are JSON, which has no zero bytes: what a disk has lost reads as those, or as what is no text. */
function checkRecord(offset: number, record: Buffer, place: string): void {
  parseRecord(offset, record);
  const value = record.subarray(valueStart(record));
  if (!isUtf8(value) || value.includes(0))
    throw new LogFileFault(`has a message that is no text, ${place} at ${offset}`);
}
