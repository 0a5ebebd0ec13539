import { createGunzip, type Gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { type ExchangeTimer, withSocketOf } from "./exchange-timer.ts";

/** The part of an answer that is read. */
export const maxAnswerBytes = 64 * 1024;

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** At most 64 KiB. */
  readonly body: string;
  /** True if the body was longer. */
  readonly cut: boolean;
}

interface Reading {
  /** Unpacks gzip. */
  readonly unpack: boolean;
  readonly timer: ExchangeTimer | undefined;
  onAnswer(answer: OutboundAnswer): void;
  reject(error: Error): void;
  /** Called once, however the exchange ends. */
  onEnd(): void;
}

/**
 * Reads one answer up to its cap, without the streams and signals of the library's own calls, which take as long as the
 * rest of an exchange. `stop` ends it before its time, even while it waits for a connection.
 */
export function createAnswerReader({ unpack, timer, onAnswer, reject, onEnd }: Reading) {
  let controller: Dispatcher.DispatchController | null = null;
  let stopped: Error | null = null;
  let isEnded = false;
  let [status, headers]: [number, Record<string, string>] = [0, {}];
  let gunzip: Gunzip | null = null;
  let chunks: Buffer[] = [];
  let length = 0;

  /** Returns false if it had ended before. */
  function end(): boolean {
    if (isEnded) return false;
    isEnded = true;
    onEnd();
    gunzip?.destroy();
    return true;
  }
  function fail(error: Error): void {
    if (end()) reject(error);
  }
  function stop(reason: Error): void {
    stopped = reason;
    fail(reason);
    // Ends the connection, too, which might send without end.
    controller?.abort(reason);
  }
  function finish(cut: boolean): void {
    if (!end()) return;
    const [first] = chunks;
    const body = (chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString("utf8");
    onAnswer({ status, headers, body, cut });
    chunks = [];
  }
  function take(chunk: Buffer): void {
    if (isEnded) return;
    const room = maxAnswerBytes - length;
    length += chunk.length;
    if (chunk.length <= room) {
      chunks.push(chunk);
      return;
    }
    chunks.push(chunk.subarray(0, room));
    finish(true);
    controller?.abort(tooLong);
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      if (stopped === null) withSocketOf(timer);
      else given.abort(stopped);
    },
    onResponseStart(given, code, fields) {
      // An interim answer comes before the real one.
      if (code < 200) return;
      timer?.noteFirstByte();
      status = code;
      headers = flatten(fields);
      if (!unpack || !/^(x-)?gzip$/i.test(headers["content-encoding"] ?? "")) return;
      gunzip = createGunzip()
        .on("data", take)
        .on("error", (error) => {
          fail(error);
          given.abort(error);
        })
        .on("end", () => finish(false))
        .on("drain", () => given.resume());
    },
    onResponseData(given, chunk) {
      if (gunzip === null) take(chunk);
      else if (!isEnded && !gunzip.write(chunk)) given.pause();
    },
    onResponseEnd() {
      if (gunzip === null) finish(false);
      else gunzip.end();
    },
    onResponseError: (_, error) => fail(error),
  };
  return { handler, stop };
}

const tooLong = new Error(`The answer is longer than ${maxAnswerBytes} bytes.`);

function flatten(fields: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields))
    flat[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  return flat;
}
