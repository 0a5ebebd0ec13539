import type { Clock } from "./clock.ts";
import { toDeadLetter } from "./dead-letter.ts";
import { readLines } from "./lines.ts";
import type { EventLog, NewMessage } from "./log/log.ts";
import { type ParsedSignal, parseSignal, recordingUrl, type Signal } from "./signal.ts";

const maxLineBytes = 256 * 1024;
/** Bounds of one publish: messages, and roughly bytes. */
const messagesPerPublish = 1000;
const charactersPerPublish = 4 * 1024 * 1024;

export interface ImportOptions {
  readonly log: Pick<EventLog, "publish">;
  readonly clock: Clock;
  /** The source that dead letters name. */
  readonly source: string;
  readonly input: AsyncIterable<Uint8Array>;
  /** Fires the webhooks that the signals name. Default false: imports are usually history. */
  readonly fireWebhooks?: boolean;
  onRefused?(line: { readonly number: number; readonly error: string }): void;
  onProgress?(progress: ImportProgress): void;
}

/** Lines read = published + refused; blank lines do not count. */
export interface ImportProgress {
  readonly published: number;
  readonly refused: number;
  readonly bytesRead: number;
}

/**
 * Publishes newline-delimited JSON signals. A line that is no signal becomes a dead letter with its line number and the
 * rest goes on; what is reported as published is durable.
 */
export async function importSignals(options: ImportOptions): Promise<ImportProgress> {
  let progress: ImportProgress = { published: 0, refused: 0, bytesRead: 0 };
  let waiting: NewMessage[] = [];
  let waitingLength = 0;

  async function flush(): Promise<void> {
    if (waiting.length > 0) await options.log.publish(waiting);
    const refused = waiting.filter(({ topic }) => topic === "dead-letters").length;
    progress = {
      ...progress,
      published: progress.published + waiting.length - refused,
      refused: progress.refused + refused,
    };
    waiting = [];
    waitingLength = 0;
    options.onProgress?.(progress);
  }

  for await (const { number, text, bytesRead } of readLines(options.input, maxLineBytes)) {
    progress = { ...progress, bytesRead };
    if (text !== null && text.trim() === "") continue;
    const parsed = parseLine(text);
    if (!parsed.ok) options.onRefused?.({ number, error: parsed.error });
    const message = parsed.ok
      ? toMessage(parsed.signal, options.fireWebhooks === true)
      : toDeadLetter({ source: options.source, position: number }, text ?? "", { ...parsed, now: options.clock.now() });
    waiting.push(message);
    waitingLength += message.value.length;
    if (waiting.length >= messagesPerPublish || waitingLength >= charactersPerPublish) await flush();
  }
  await flush();
  return progress;
}

function parseLine(text: string | null): ParsedSignal {
  if (text === null) return { ok: false, reason: "invalid_signal", error: `longer than ${maxLineBytes} bytes` };
  const parsed = parseSignal(text);
  if (!parsed.ok || parsed.signal.kind !== "recorded") return parsed;
  const url = recordingUrl.safeParse(parsed.signal.recording_url);
  if (url.success) return parsed;
  return { ok: false, reason: "invalid_signal", error: `recording_url: ${url.error.issues[0]?.message}` };
}

function toMessage(signal: Signal, fireWebhooks: boolean): NewMessage {
  const published = !fireWebhooks && "webhook_ids" in signal ? { ...signal, webhook_ids: [] } : signal;
  return { topic: "call-signals", key: signal.call_id, value: JSON.stringify(published) };
}
