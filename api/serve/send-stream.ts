import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Request, Response } from "express";

/** A file that is made while it is sent. */
export interface StreamAnswer {
  readonly contentType: string;
  readonly fileName: string;
  /** Whether gzip makes it smaller. */
  readonly isText: boolean;
  /** Closed when it is read no further. */
  readonly body: AsyncGenerator<Uint8Array, void>;
}

/** A client that takes nothing for so long has gone. */
const stalledMs = 60_000;

/**
 * Sends a file as it is made, no faster than the client takes it, and stops making it when the client goes away. What
 * fails before its first bytes is answered as an error; later, the connection is cut, so that nobody takes a part for all.
 */
export async function sendStream(
  request: Request,
  response: Response,
  { contentType, fileName, isText, body }: StreamAnswer,
): Promise<void> {
  const first = await body.next();
  response.status(200).set({
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });
  const isZipped = isText && wantsGzip(request);
  if (isText) response.vary("Accept-Encoding");
  if (isZipped) response.set("Content-Encoding", "gzip");
  if (request.method === "HEAD") {
    await body.return();
    response.end();
    return;
  }
  response.setTimeout(stalledMs, () => response.destroy());
  const source = Readable.from(allOf(first, body), { objectMode: true, highWaterMark: 1 });
  const gzip = isZipped ? [createGzip({ level: constants.Z_BEST_SPEED })] : [];
  try {
    await pipeline([source, ...gzip, response]);
  } catch (error) {
    if (!hasGone(error)) throw error;
  }
}

async function* allOf(first: IteratorResult<Uint8Array, void>, rest: AsyncGenerator<Uint8Array, void>) {
  try {
    if (first.done !== true && first.value.length > 0) yield first.value;
    for await (const bytes of rest) if (bytes.length > 0) yield bytes;
  } finally {
    await rest.return();
  }
}

/** Only who names it: of no header, any encoding would do, but nobody who sends none unpacks. */
const wantsGzip = (request: Request): boolean =>
  request.headers["accept-encoding"] !== undefined && request.acceptsEncodings("gzip", "identity") === "gzip";

const hasGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
