import { LogError, type Message, type NewMessage } from "./log.ts";

/** Bytes before the key: when the log took the message (a double), then the length of the key in bytes. */
const headBytes = 12;

/** One stored message; its offset is the record's key in the store. */
export function toRecord(message: NewMessage, publishedAt: number): Buffer {
  const keyBytes = Buffer.byteLength(message.key);
  const record = Buffer.allocUnsafe(headBytes + keyBytes + Buffer.byteLength(message.value));
  record.writeDoubleLE(publishedAt, 0);
  record.writeUInt32LE(keyBytes, 8);
  record.write(message.key, headBytes);
  record.write(message.value, headBytes + keyBytes);
  return record;
}

/** Returns the size of a message in every limit of the log: key and value, in UTF-8. */
export const messageBytes = (record: Buffer): number => record.length - headBytes;

export const publishedAt = (record: Buffer): number => record.readDoubleLE(0);

/** Returns the index at which the value starts. */
export const valueStart = (record: Buffer): number =>
  record.length < headBytes ? Number.POSITIVE_INFINITY : headBytes + record.readUInt32LE(8);

/** Throws `log_corrupt`. */
export function parseRecord(offset: number, record: Buffer): Message {
  const valueAt = valueStart(record);
  if (valueAt > record.length) {
    throw new LogError(
      "log_corrupt",
      `The log's record at offset ${offset} is only ${record.length} bytes long and cannot be read. Restore the log's directory from a backup.`,
    );
  }
  return {
    offset,
    key: record.toString("utf8", headBytes, valueAt),
    value: record.toString("utf8", valueAt),
    publishedAt: publishedAt(record),
  };
}
