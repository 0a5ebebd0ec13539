import { randomUUID } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { Clock } from "../../../ingest/clock.ts";
import { checkStored } from "../../../ingest/unreadable.ts";
import { type Database, maxBroadcastBytes } from "../../database/database.ts";

/** One kind of state that the API processes of an installation share. */
export interface PeerTopic<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Takes a value of another process. It may come more than once, and those of several processes in any order. */
  receive(value: T, from: string): void;
  /** Returns what a process that starts later needs to know of this one, by key. Default: nothing. */
  current?(): Iterable<readonly [key: string, value: T]>;
}

/**
 * The state that the API processes of an installation share while they answer pings. Nobody waits for anybody: values
 * are sent a moment later, and until then, or while the database is away, each process goes by what it knows.
 */
export interface Peers {
  /** This process's id, a new one at each start. */
  readonly self: string;
  /** Other processes that answer pings; one that has stopped is counted for 30 s more. */
  count(): number;
  /** Returns what sends a value to the others; of values with one key that have not been sent yet, the last one is. */
  join<T>(topic: PeerTopic<T>): (key: string, value: T) => void;
}

export interface PeerExchangeDeps {
  readonly database: Pick<Database, "broadcast" | "onBroadcast">;
  readonly clock: Clock;
  /** Called for the first of several rounds that failed, and of each value that cannot be read. */
  onTrouble(error: unknown): void;
  /** Called after each round that did not fail. */
  onExchanged?(): void;
  /** Values that wait while the database is away; beyond it the oldest is not sent at all. Default some 20 MB of answers. */
  readonly maxPending?: number;
}

const messageSchema = z.object({
  from: z.string(),
  /** A process that starts, or may have missed something, asks the others for what they know. */
  joins: z.boolean(),
  values: z.array(z.tuple([z.string(), z.unknown()])),
});
type Message = z.infer<typeof messageSchema>;

const heartbeatMs = 10_000;
const countedForMs = 30_000;

/** Exchanges peer state by broadcasts of the database that the processes share. */
export function createPeerExchange(deps: PeerExchangeDeps) {
  const { database, clock, onTrouble, onExchanged, maxPending = 20_000 } = deps;
  const self = randomUUID();
  const topics = new Map<string, PeerTopic<unknown>>();
  const pending = new Map<string, [topic: string, value: unknown]>();
  const seenAt = new Map<string, number>();
  let joins = true;
  let sentAt = Number.NEGATIVE_INFINITY;
  let isAway = false;

  function publish(topic: string, key: string, value: unknown): void {
    const id = `${topic} ${key}`;
    if (pending.size >= maxPending && !pending.has(id)) pending.delete(pending.keys().next().value ?? id);
    pending.set(id, [topic, value]);
  }

  function receive({ from, joins, values }: Message): void {
    seenAt.set(from, clock.now());
    for (const { name, current } of joins ? topics.values() : []) {
      for (const [key, value] of current?.() ?? []) publish(name, key, value);
    }
    for (const [name, value] of values) {
      const topic = topics.get(name);
      // A value that cannot be read, as of a process of another version, keeps nobody from the next.
      orTrouble(() => topic?.receive(checkStored(topic.schema, value, { table: "peer_state", id: name }), from));
    }
  }

  function orTrouble(work: () => void): void {
    try {
      work();
    } catch (error) {
      onTrouble(error);
    }
  }

  const stop = database.onBroadcast((text) => {
    if (text === null) joins = true;
    else orTrouble(() => receive(decode(text)));
  });

  async function send(): Promise<void> {
    const [asks, due] = [joins, [...pending]];
    const hasNews = asks || due.length > 0 || clock.now() >= sentAt + heartbeatMs;
    // An empty broadcast fails if the connection is lost.
    await database.broadcast(hasNews ? encode({ from: self, joins: asks, values: due.map(([, each]) => each) }) : []);
    if (!hasNews) return;
    sentAt = clock.now();
    if (asks) joins = false;
    for (const [id, sent] of due) if (pending.get(id) === sent) pending.delete(id);
  }

  const peers: Peers = {
    self,
    count() {
      for (const [process, at] of seenAt) if (at <= clock.now() - countedForMs) seenAt.delete(process);
      return seenAt.size;
    },
    join<T>(topic: PeerTopic<T>) {
      topics.set(topic.name, topic as PeerTopic<unknown>);
      return (key: string, value: T) => publish(topic.name, key, value);
    },
  };

  return {
    peers,
    /** Sends what waits, one round at a time. It never rejects. */
    async round(): Promise<void> {
      try {
        await send();
        isAway = false;
        onExchanged?.();
      } catch (error) {
        if (!isAway) onTrouble(error);
        isAway = true;
      }
    },
    /** Sends what this process has counted last; called when no more pings come. */
    async close(): Promise<void> {
      stop();
      // A lost connection matters only if there is something to send.
      if (pending.size > 0) await send().catch(onTrouble);
    },
  };
}

/** Answers in a message: with a dozen routes each, about as many as fit when compressed. */
const valuesAtOnce = 20;

/** Returns as many messages as the values need; a value too large for one, even compressed, is not sent. */
function encode({ from, joins, values }: Message): string[] {
  const parts = Array.from({ length: Math.ceil(values.length / valuesAtOnce) }, (_, part) =>
    values.slice(part * valuesAtOnce, (part + 1) * valuesAtOnce),
  );
  return [
    toMessages({ from, joins, values: [] }),
    ...parts.map((some) => toMessages({ from, joins: false, values: some })),
  ].flat();
}

function toMessages({ values, ...about }: Message): string[] {
  const message = deflateRawSync(JSON.stringify({ ...about, values })).toString("base64");
  if (message.length <= maxBroadcastBytes) return [message];
  const half = Math.ceil(values.length / 2);
  if (half === values.length) return [];
  return [values.slice(0, half), values.slice(half)].flatMap((some) => toMessages({ ...about, values: some }));
}

const decode = (message: string): Message =>
  messageSchema.parse(
    JSON.parse(inflateRawSync(Buffer.from(message, "base64"), { maxOutputLength: 4_194_304 }).toString()),
  );
