import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import type { Consumer, EventLog, Message, PartitionReader } from "../../../ingest/log/log.ts";
import { type Retry, untilDone } from "../../../ingest/log/until-done.ts";
import { parseStored, placeOf, readOr } from "../../../ingest/unreadable.ts";
import type { Database } from "../../database/database.ts";
import { type FirstAttemptDeps, type Telling, tellWebhooks, webhooksFor } from "./first-attempts.ts";
import type { Overflow } from "./overflow.ts";
import { deliveryIdOf } from "./record.ts";
import { openReplay, type Replay } from "./replay.ts";
import { createWindow } from "./window.ts";

/** Events in hand at once, per partition: so many may wait for slow endpoints before others are held up, too. */
const maxInHand = 10_000;
const maxBytes = 8 * 1024 * 1024;
/** How long ended work may wait for its commit while no new event comes. */
const commitEveryMs = 500;
/** How much of the records a restart reads again, at the most, beyond those of what it finds in hand. */
const markEveryMs = 5000;

export interface DeliverOptions extends FirstAttemptDeps {
  readonly log: EventLog;
  readonly database: Database;
  readonly overflow: Overflow;
}

/**
 * Tells customers' systems of call events, as they come. An event is committed once each of its deliveries has ended with
 * its record in the log, or waits in the database: so whoever restarts finds what was told, and tells the rest.
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

interface InHand {
  readonly event: CallEvent;
  ended(): void;
}

async function deliverPartition(options: DeliverOptions, reader: PartitionReader): Promise<void> {
  const { clock, onTrouble } = options;
  const retry: Retry = { clock, onTrouble, signal: reader.signal };
  const replay = await untilDone(retry, async () => {
    await options.overflow.refresh();
    return openReplay(options, reader);
  });
  if (replay === null) return;
  const window = createWindow(maxInHand);
  const marks = createMarks(options, reader, window);
  const working = new Set<Promise<void>>();
  const { failed, fail } = createFailure();

  const takeIn = (message: Message): InHand[] => {
    const isReplayed = replay.covers(message.offset);
    const ended = window.enter(message.offset, isReplayed ? replay.recordsFrom : marks.recordsEnd());
    const event = concernsNobody(message.value) ? null : toEvent(options, reader, message);
    if (event === null) ended();
    return event === null ? [] : [{ event, ended }];
  };
  function start({ event, ended }: InHand, begun: Telling["begun"]): void {
    const telling = { begun, stop: reader.signal, onPublished: marks.noteRecordsEnd };
    const work = tellWebhooks(options, event, telling)
      .then((isTold) => (isTold ? ended() : undefined))
      .catch(fail)
      .finally(() => working.delete(work));
    working.add(work);
  }

  while (!reader.signal.aborted) {
    if (window.room() === 0) await Promise.race([failed, window.change()]);
    else {
      const next = reader.next({ maxMessages: window.room(), maxBytes, waitMs: commitEveryMs });
      const { messages } = await Promise.race([failed, next]);
      const inHand = messages.flatMap(takeIn);
      const begun = await begunAmong(options, replay, { messages, inHand, stop: reader.signal });
      for (const each of inHand) start(each, begun);
    }
    await untilDone(retry, marks.commit);
  }
  await Promise.all(working);
  // Once: where that fails, whoever has the partition next finds in the log and the database what was told.
  await untilDone(retry, marks.commit);
}

const nothing: ReadonlySet<string> = new Set();

/** Of events that an earlier run may have worked on, the deliveries that it has begun. */
async function begunAmong(
  { snapshot, clock, onTrouble }: DeliverOptions,
  replay: Replay,
  { messages, inHand, stop }: { messages: readonly Message[]; inHand: readonly InHand[]; stop: AbortSignal },
): Promise<ReadonlySet<string>> {
  const [first] = messages;
  if (first === undefined || !replay.covers(first.offset)) return nothing;
  const ids = inHand.flatMap(({ event }) =>
    webhooksFor(snapshot, event).map((webhook) => deliveryIdOf(event, webhook)),
  );
  const begun = await untilDone({ clock, onTrouble, signal: stop }, () => replay.begunAmong(ids));
  // Stopped: nothing will be begun.
  return begun ?? nothing;
}

const toEvent = ({ onTrouble }: DeliverOptions, reader: PartitionReader, message: Message): CallEvent | null =>
  readOr(() => parseStored(callEventSchema, message.value, placeOf(reader, message)), onTrouble, null);

/** What is committed: how far events are done with, and from where on their records have to be looked through. */
function createMarks(
  { log, clock }: DeliverOptions,
  reader: PartitionReader,
  window: Pick<ReturnType<typeof createWindow>, "takeEnded" | "recordsFrom">,
) {
  let recordsEnd = 0;
  let uncommitted: number | null = null;
  let marked = { at: clock.now(), offset: 0 };
  const noteRecordsEnd = (offset: number): void => {
    recordsEnd = Math.max(recordsEnd, offset);
  };

  return {
    recordsEnd: (): number => recordsEnd,
    noteRecordsEnd,
    /** May be done again where it fails: what it did not commit, the next one does. */
    async commit(): Promise<void> {
      uncommitted = window.takeEnded() ?? uncommitted;
      if (uncommitted !== null) await reader.commit(uncommitted);
      uncommitted = null;
      if (clock.now() - marked.at < markEveryMs) return;
      noteRecordsEnd((await log.ends("webhook-deliveries"))[reader.partition] ?? 0);
      const next = window.recordsFrom() ?? recordsEnd;
      if (next > marked.offset) await reader.commit(next, "webhook-deliveries");
      marked = { at: clock.now(), offset: Math.max(next, marked.offset) };
    },
  };
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
