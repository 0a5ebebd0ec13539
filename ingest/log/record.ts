import { LogError, type Message, type NewMessage } from "./log.ts";

/** Bytes before the key: when the log took the message (a double), then the length of the key in bytes. */
const headBytes = 12;
/** The bit of that length which says that a traceparent stands behind the head, before the key. */
const tracedBit = 0x8000_0000;
const traceparentBytes = 55;

/** One stored message; its offset is the record's key in the store. */
export function toRecord(message: NewMessage, publishedAt: number): Buffer {
  const { key, value, traceparent } = message;
  const keyBytes = Buffer.byteLength(key);
  const keyAt = traceparent?.length === traceparentBytes ? headBytes + traceparentBytes : headBytes;
  const record = Buffer.allocUnsafe(keyAt + keyBytes + Buffer.byteLength(value));
  record.writeDoubleLE(publishedAt, 0);
  if (traceparent === undefined || keyAt === headBytes) record.writeUInt32LE(keyBytes, 8);
  else {
    record.writeUInt32LE(keyBytes + tracedBit, 8);
    record.write(traceparent, headBytes, "latin1");
  }
  record.write(key, keyAt);
  record.write(value, keyAt + keyBytes);
  return record;
}

/** Returns the index at which the key starts. A damaged record may be too short to tell. */
const keyStart = (record: Buffer): number =>
  record.length >= headBytes && record.readUInt32LE(8) >= tracedBit ? headBytes + traceparentBytes : headBytes;

/** Returns the size of a message in every limit of the log: key and value, in UTF-8. */
export const messageBytes = (record: Buffer): number => record.length - keyStart(record);

export const publishedAt = (record: Buffer): number => record.readDoubleLE(0);

/** Returns the index at which the value starts. */
export function valueStart(record: Buffer): number {
  if (record.length < headBytes) return Number.POSITIVE_INFINITY;
  return keyStart(record) + (record.readUInt32LE(8) % tracedBit);
}

/** Throws `log_corrupt`. */
export function parseRecord(offset: number, record: Buffer): Message {
  const valueAt = valueStart(record);
  if (valueAt > record.length) {
    throw new LogError(
      "log_corrupt",
      `The log's record at offset ${offset} is only ${record.length} bytes long and cannot be read. Restore the log's directory from a backup.`,
    );
  }
  const keyAt = keyStart(record);
  const message = {
    offset,
    key: record.toString("utf8", keyAt, valueAt),
    value: record.toString("utf8", valueAt),
    publishedAt: publishedAt(record),
  };
  if (keyAt === headBytes) return message;
  return { ...message, traceparent: record.toString("latin1", headBytes, keyAt) };
}
