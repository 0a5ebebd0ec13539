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

/** The lines of a stream of bytes, with `\n` or `\r\n` between them; never more than one line is held. */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let number = 0;
  let bytesRead = 0;

  const hold = (part: Uint8Array): void => {
    heldBytes += part.length;
    if (heldBytes <= maxLineBytes) held.push(part);
    else held = [];
  };
  const take = (): Line => {
    const text = heldBytes > maxLineBytes ? null : toText(held, number === 0);
    bytesRead += heldBytes;
    held = [];
    heldBytes = 0;
    number += 1;
    return { number, text, bytesRead };
  };

  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      bytesRead += 1;
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (heldBytes > 0) yield take();
}
