import { createReadStream, existsSync, truncateSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";

const compress = promisify(gzip);

/**
 * Appends lines as one more member of a gzip file that is `length` bytes long by the manifest; returns the new length.
 * Bytes beyond that are cut off first: a run that was stopped wrote them without recording them.
 */
export async function appendLines(path: string, length: number, lines: readonly string[]): Promise<number> {
  if (existsSync(path)) truncateSync(path, length);
  if (lines.length === 0) return length;
  const member = await compress(Buffer.from(`${lines.join("\n")}\n`));
  await appendFile(path, member, { mode: 0o600, flush: true });
  return length + member.length;
}

/** Reads the lines of all members within the first `length` bytes. */
export async function* readGzipLines(path: string, length: number): AsyncGenerator<string> {
  if (length === 0) return;
  const bytes = createReadStream(path, { end: length - 1 });
  const input = bytes.pipe(createGunzip());
  bytes.once("error", (error) => input.destroy(error));
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    bytes.destroy();
  }
}
