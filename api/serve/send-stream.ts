import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Request, Response } from "express";

/** A file that is generated while it is sent. */
export interface StreamAnswer {
  readonly contentType: string;
  readonly fileName: string;
  /** Text is sent compressed by gzip. */
  readonly isText: boolean;
  /** Closed when reading stops. */
  readonly body: AsyncGenerator<Uint8Array, void>;
}

/** Time-out of a client that reads nothing. */
const stalledMs = 60_000;

/**
 * Sends a file while it is generated, no faster than the client reads, and stops when the client disconnects. An error
 * before the first bytes is answered; after them the connection is cut, so that the file is not taken for complete.
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
    if (!isDisconnect(error)) throw error;
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

/** Only clients that name gzip: without the header any encoding is allowed, but such clients do not decompress. */
export const wantsGzip = (request: Request): boolean =>
  request.headers["accept-encoding"] !== undefined && request.acceptsEncodings("gzip", "identity") === "gzip";

const isDisconnect = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
