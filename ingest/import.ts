import { type Clock, isoTime } from "./clock.ts";
import { type DeadLetter, toDeadLetterMessage } from "./dead-letter.ts";
import { readLines } from "./lines.ts";
import type { EventLog, NewMessage } from "./log/log.ts";
import { describeIssues, parseJson } from "./parse.ts";
import { type Signal, signalSchema } from "./signal.ts";

const maxLineBytes = 256 * 1024;
const messagesPerPublish = 1000;

export interface ImportOptions {
  readonly log: Pick<EventLog, "publish">;
  readonly clock: Clock;
  /** What dead letters name as their source. */
  readonly source: string;
  readonly input: AsyncIterable<Uint8Array>;
  /** Whether the webhooks that the signals name are told. History should not tell anybody, so the default is no. */
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

  async function flush(): Promise<void> {
    if (waiting.length > 0) await options.log.publish(waiting);
    const refused = waiting.filter(({ topic }) => topic === "dead-letters").length;
    progress = {
      ...progress,
      published: progress.published + waiting.length - refused,
      refused: progress.refused + refused,
    };
    waiting = [];
    options.onProgress?.(progress);
  }

  for await (const { number, text, bytesRead } of readLines(options.input, maxLineBytes)) {
    progress = { ...progress, bytesRead };
    if (text !== null && text.trim() === "") continue;
    const parsed = parseLine(text);
    if (parsed.ok) waiting.push(toMessage(parsed.signal, options.fireWebhooks === true));
    else {
      options.onRefused?.({ number, error: parsed.error });
      waiting.push(toDeadLetterMessage(toLetter(options, number, text, parsed)));
    }
    if (waiting.length >= messagesPerPublish) await flush();
  }
  await flush();
  return progress;
}

type Parsed =
  | { readonly ok: true; readonly signal: Signal }
  | { readonly ok: false; readonly reason: "invalid_json" | "invalid_signal"; readonly error: string };

function parseLine(text: string | null): Parsed {
  if (text === null) return { ok: false, reason: "invalid_signal", error: `longer than ${maxLineBytes} bytes` };
  const json = parseJson(text);
  if (!json.ok) return { ok: false, reason: "invalid_json", error: json.error };
  const signal = signalSchema.safeParse(json.value);
  if (signal.success) return { ok: true, signal: signal.data };
  return { ok: false, reason: "invalid_signal", error: describeIssues(signal.error) };
}

function toMessage(signal: Signal, fireWebhooks: boolean): NewMessage {
  const told = !fireWebhooks && "webhook_ids" in signal ? { ...signal, webhook_ids: [] } : signal;
  return { topic: "call-signals", key: signal.call_id, value: JSON.stringify(told) };
}

function toLetter(
  { source, clock }: ImportOptions,
  line: number,
  text: string | null,
  { reason, error }: Extract<Parsed, { ok: false }>,
): DeadLetter {
  const about = { id: `${source}:${line}`, source, partition: null, position: line };
  return { v: 1, ...about, at: isoTime(clock.now()), reason, error, raw: text ?? "" };
}
