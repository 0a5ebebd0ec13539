import type { Clock } from "../../../ingest/clock.ts";
import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import { type Consumer, type EventLog, LogError, type Message, type PartitionReader } from "../../../ingest/log/log.ts";
import { parseJson } from "../../../ingest/parse.ts";
import type { Resource } from "../../config/registry.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { placeholdersOf } from "./placeholders.ts";
import { type Attempt, cutToFit, toOutgoingRequest } from "./record.ts";
import type { Exchange, Sender } from "./send.ts";
import { fillRequest } from "./template.ts";
import { createWindow } from "./window.ts";

/** Events in hand at once, per partition: so many may wait for slow endpoints before others are held up, too. */
const maxInHand = 10_000;
const maxBytes = 8 * 1024 * 1024;
/** How long ended work may wait for its commit while no new event comes. */
const commitEveryMs = 500;
const retryPublishMs = 500;

export interface DeliverOptions {
  readonly log: EventLog;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly sender: Sender;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}

/**
 * Tells customers' systems of call events: those of one call in their order, calls side by side. An event is committed
 * once each of its attempts has its record in the log.
 */
export function runDeliver(options: DeliverOptions): Consumer {
  return options.log.consume({
    group: "deliver",
    topic: "call-events",
    work: (reader) => deliverPartition(options, reader),
  });
}

/** Most events of an import name no webhook, and need not be parsed to be passed over. */
const concernsNobody = (value: string): boolean =>
  /"campaign_webhook_ids"\s*:\s*\[\s*\]/.test(value) && /"target_webhook_ids"\s*:\s*\[\s*\]/.test(value);

async function deliverPartition(options: DeliverOptions, reader: PartitionReader): Promise<void> {
  const window = createWindow(maxInHand);
  const lastOfCall = new Map<string, Promise<void>>();
  const commitEnded = async () => {
    const offset = window.takeEnded();
    if (offset !== null) await reader.commit(offset);
  };

  const { failed, fail } = createFailure();
  function start(message: Message): void {
    const ended = window.enter(message.offset);
    if (concernsNobody(message.value)) {
      ended();
      return;
    }
    const before = lastOfCall.get(message.key) ?? Promise.resolve();
    const work = before.then(async () => {
      if (await deliverMessage(options, reader, message)) ended();
      if (lastOfCall.get(message.key) === work) lastOfCall.delete(message.key);
    });
    lastOfCall.set(message.key, work);
    work.catch(fail);
  }

  while (!reader.signal.aborted) {
    if (window.room() === 0) await Promise.race([failed, window.change()]);
    else {
      const next = reader.next({ maxMessages: window.room(), maxBytes, waitMs: commitEveryMs });
      const { messages } = await Promise.race([failed, next]);
      messages.forEach(start);
    }
    await commitEnded();
  }
  await Promise.all(lastOfCall.values());
  await commitEnded();
}

/** `failed` rejects with the first error given to `fail`: a fault of ours stops the work instead of passing unseen. */
function createFailure() {
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // It may reject while nobody waits on it; the next one who does hears of it.
  failed.catch(() => undefined);
  return { failed, fail };
}

/**
 * False when the reader was stopped before. Once begun, an event is told to the end: what one webhook was told must not
 * be told again because another one was not.
 */
async function deliverMessage(options: DeliverOptions, reader: PartitionReader, message: Message): Promise<boolean> {
  const json = parseJson(message.value);
  const event = callEventSchema.safeParse(json.ok ? json.value : undefined);
  if (!event.success) {
    options.onTrouble(new Error(`call-events ${reader.partition}:${message.offset} is no call event of ours: skipped`));
    return true;
  }
  if (reader.signal.aborted) return false;
  const webhooks = webhooksFor(options.snapshot, event.data);
  const told = await Promise.all(webhooks.map((webhook) => deliver(options, reader, event.data, webhook)));
  return told.every(Boolean);
}

/** The webhooks attached to the call's campaign and target that are for this event; each of them once (spec: Events). */
function webhooksFor(snapshot: DeliverOptions["snapshot"], event: CallEvent): Resource<"outgoing_webhook">[] {
  const { campaign_webhook_ids, target_webhook_ids } = event.terms;
  const config = snapshot.config(event.org_id);
  return [...new Set([...campaign_webhook_ids, ...target_webhook_ids])]
    .flatMap((id) => config?.get("outgoing_webhook", id) ?? [])
    .filter(({ event_type_id }) => event_type_id === event.event);
}

async function deliver(
  { log, sender, clock, onTrouble }: DeliverOptions,
  reader: PartitionReader,
  event: CallEvent,
  webhook: Resource<"outgoing_webhook">,
): Promise<boolean> {
  const told = await tell(sender, reader.signal, { event, webhook });
  if (told === null) return false;
  const endedAt = clock.now();
  const beganAt = endedAt - told.exchange.elapsedMs;
  let record = toOutgoingRequest({ event, webhook, ...told, attempt: 1, beganAt, endedAt });
  // What has been sent must not be sent again for want of a record: this is tried once more even after a stop.
  for (;;) {
    try {
      await log.publish([{ topic: "webhook-deliveries", key: record.id, value: JSON.stringify(record) }]);
      return true;
    } catch (error) {
      onTrouble(error);
      if (reader.signal.aborted) return false;
      if (error instanceof LogError && error.code === "message_too_large") record = cutToFit(record);
      await clock.sleep(retryPublishMs, reader.signal);
    }
  }
}

/** null when the reader was stopped before anything was sent. */
async function tell(sender: Sender, stop: AbortSignal, { event, webhook }: Telling): Promise<Told | null> {
  const filled = fillOrSay(event, webhook);
  if (filled.exchange !== null) return { request: filled.request, exchange: filled.exchange };
  const exchange = await sender.send(filled.request, stop);
  return exchange && { request: filled.request, exchange };
}
type Told = Pick<Attempt, "request" | "exchange">;
type Telling = Pick<Attempt, "event" | "webhook">;

/** A template that cannot be filled is its owner's failure, with a record like any other. */
function fillOrSay(event: CallEvent, webhook: Resource<"outgoing_webhook">) {
  const { method, url } = webhook;
  try {
    return { request: fillRequest(webhook, placeholdersOf(event)), exchange: null };
  } catch (error) {
    const message = `The template cannot be filled: ${error instanceof Error ? error.message : String(error)}`;
    const exchange: Exchange = {
      outcome: "invalid",
      status: null,
      headers: {},
      body: null,
      error: message,
      elapsedMs: 0,
    };
    return { request: { method, url, headers: {}, body: null }, exchange };
  }
}
