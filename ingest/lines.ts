export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** null when the line was longer than allowed; its text is not kept. */
  readonly text: string | null;
  /** Bytes of the input up to the end of this line. */
  readonly bytesRead: number;
}

const newline = 0x0a;

/** Removes the carriage return at the end, and the byte order mark before the first line. */
const toText = (bytes: Uint8Array[], isFirst: boolean): string =>
  Buffer.concat(bytes)
    .toString("utf8")
    .replace(/\r$/, "")
    .replace(isFirst ? /^\ufeff/ : "", "");

/** The lines of a stream of bytes, with `\n` or `\r\n` between them; never more than one line is in memory. */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  let number = 0;
  let bytesRead = 0;

  const keep = (part: Uint8Array): void => {
    partBytes += part.length;
    if (partBytes <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Line => {
    const text = partBytes > maxLineBytes ? null : toText(parts, number === 0);
    bytesRead += partBytes;
    parts = [];
    partBytes = 0;
    number += 1;
    return { number, text, bytesRead };
  };

  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      bytesRead += 1;
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (partBytes > 0) yield take();
}
