import { createBatcher } from "../../../ingest/concurrency/batcher.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import { type CallEvent, readCallEvent } from "../../../ingest/event.ts";
import type { Consumer, EventLog, Message, PartitionReader } from "../../../ingest/log/log.ts";
import { type Retry, untilDone } from "../../../ingest/log/until-done.ts";
import { placeOf, readOr } from "../../../ingest/unreadable.ts";
import type { Database } from "../../database/database.ts";
import type { Backlog } from "./backlog.ts";
import { type DeliveryProgress, deliverEvent, type FirstAttemptDeps, webhooksFor } from "./first-attempts.ts";
import { createOffsetTracker, type OffsetTracker } from "./offset-tracker.ts";
import { createReadingPace } from "./reading-pace.ts";
import { deliveryIdOf, publishRecords } from "./record.ts";
import { openReplay, type Replay } from "./replay.ts";

/** Events in flight at once, per partition: so many may wait for slow endpoints before others are held up, too. */
const maxInFlight = 10_000;
const maxBytes = 8 * 1024 * 1024;
/** Read at once. */
const maxRead = 500;
/** Records published together. */
const maxRecords = 500;
/** Ended work waits for its commit no longer, also while no new event comes. */
const commitEveryMs = 500;
/** Records of so long a restart reads again, at the most, beside those of events in flight. */
const commitRecordsEveryMs = 5000;

export interface DeliverOptions extends FirstAttemptDeps {
  readonly log: EventLog;
  readonly database: Database;
  readonly backlog: Backlog;
}

/**
 * Delivers call events to customers' systems as they come. An event is committed once each of its deliveries has ended with
 * its record in the log, or waits in the database: so a restart finds what was delivered, and delivers the rest.
 */
export function runDeliver(options: DeliverOptions): Consumer {
  return options.log.consume({
    group: "deliver",
    topic: "call-events",
    work: (reader) => deliverPartition(options, reader),
  });
}

/** Most events of an import name no webhook, and need not be parsed to be passed over. */
const hasNoWebhook = (value: string): boolean =>
  /"campaign_webhook_ids"\s*:\s*\[\s*\]/.test(value) && /"target_webhook_ids"\s*:\s*\[\s*\]/.test(value);

interface InFlight {
  readonly event: CallEvent;
  readonly traceparent: string | undefined;
  end(): void;
}

async function deliverPartition(options: DeliverOptions, reader: PartitionReader): Promise<void> {
  const { clock, onTrouble } = options;
  const retry: Retry = { clock, onTrouble, signal: reader.signal };
  const replay = await untilDone(retry, async () => {
    await options.backlog.refresh();
    return openReplay(options, reader);
  });
  if (replay === null) return;
  const tracker = createOffsetTracker(maxInFlight);
  const commits = createCommits(options, reader, tracker);
  const pace = createReadingPace(options, reader.signal);
  const records = createBatcher<OutgoingRequest, boolean>({
    countNext: () => maxRecords,
    async work(batch) {
      // A request that was sent must not be sent again for want of a record: this is tried once more even after a stop.
      const positions = await untilDone(retry, () => publishRecords(options.log, batch));
      for (const { offset } of positions ?? []) commits.noteRecordsEnd(offset + 1);
      return batch.map(() => positions !== null);
    },
  });
  const working = new Set<Promise<void>>();
  const { failed, fail } = createFailure();

  const take = (message: Message): InFlight[] => {
    const isReplayed = replay.covers(message.offset);
    const end = tracker.add(message.offset, isReplayed ? replay.recordsFrom : commits.recordsEnd());
    const event = hasNoWebhook(message.value) ? null : toEvent(options, reader, message);
    if (event === null) end();
    return event === null ? [] : [{ event, traceparent: message.traceparent, end }];
  };
  function start({ event, traceparent, end }: InFlight, begun: DeliveryProgress["begun"]): void {
    const progress = { begun, traceparent, stop: reader.signal, publish: records.add };
    const work = deliverEvent(options, event, progress)
      .then((isDurable) => {
        pace.noteEnd();
        if (isDurable) end();
      })
      .catch(fail)
      .finally(() => working.delete(work));
    working.add(work);
  }

  while (!reader.signal.aborted) {
    if (tracker.room() === 0) await Promise.race([failed, tracker.change()]);
    else {
      const maxMessages = Math.min(maxRead, tracker.room());
      const next = reader.next({ maxMessages, maxBytes, waitMs: commitEveryMs });
      const { messages, caughtUp } = await Promise.race([failed, next]);
      const taken = messages.flatMap(take);
      const begun = await begunAmong(options, replay, { messages, taken, stop: reader.signal });
      for (const each of taken) start(each, begun);
      if (!caughtUp) await Promise.race([failed, pace.untilRoom()]);
    }
    await untilDone(retry, commits.commit);
  }
  await Promise.all(working);
  // Once: if it fails, the next reader of the partition finds in the log and the database what was delivered.
  await untilDone(retry, commits.commit);
}

const nothing: ReadonlySet<string> = new Set();

/** Returns the ids of deliveries that an earlier run has begun, of events that it may have worked on. */
async function begunAmong(
  { snapshot, clock, onTrouble }: DeliverOptions,
  replay: Replay,
  { messages, taken, stop }: { messages: readonly Message[]; taken: readonly InFlight[]; stop: AbortSignal },
): Promise<ReadonlySet<string>> {
  const [first] = messages;
  if (first === undefined || !replay.covers(first.offset)) return nothing;
  const ids = taken.flatMap(({ event }) => webhooksFor(snapshot, event).map((webhook) => deliveryIdOf(event, webhook)));
  const begun = await untilDone({ clock, onTrouble, signal: stop }, () => replay.begunAmong(ids));
  // Stopped: nothing will start.
  return begun ?? nothing;
}

const toEvent = ({ onTrouble }: DeliverOptions, reader: PartitionReader, message: Message): CallEvent | null =>
  readOr(() => readCallEvent(message.value, placeOf(reader, message)), onTrouble, null);

/** Commits the offset of events that have ended, and the one from which a restart has to read their records. */
function createCommits(
  { log, clock }: DeliverOptions,
  reader: PartitionReader,
  tracker: Pick<OffsetTracker, "takeEnded" | "recordsFrom">,
) {
  let recordsEnd = 0;
  let uncommitted: number | null = null;
  let committed = { at: clock.now(), offset: 0 };
  const noteRecordsEnd = (offset: number): void => {
    recordsEnd = Math.max(recordsEnd, offset);
  };

  return {
    recordsEnd: (): number => recordsEnd,
    noteRecordsEnd,
    /** May be called again after a failure: it commits what was not committed before. */
    async commit(): Promise<void> {
      uncommitted = tracker.takeEnded() ?? uncommitted;
      if (uncommitted !== null) await reader.commit(uncommitted);
      uncommitted = null;
      if (clock.now() - committed.at < commitRecordsEveryMs) return;
      noteRecordsEnd((await log.ends("webhook-deliveries"))[reader.partition] ?? 0);
      const next = tracker.recordsFrom() ?? recordsEnd;
      if (next > committed.offset) await reader.commit(next, "webhook-deliveries");
      committed = { at: clock.now(), offset: Math.max(next, committed.offset) };
    },
  };
}

/** `failed` rejects with the first error given to `fail`: an unexpected error stops the work instead of passing unseen. */
function createFailure() {
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // It may reject while nothing awaits it; what awaits it next gets the error.
  failed.catch(() => undefined);
  return { failed, fail };
}
