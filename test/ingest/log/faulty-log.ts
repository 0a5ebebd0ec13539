import { type ConsumeOptions, type EventLog, LogError } from "../../../ingest/log/log.ts";

export interface Faults {
  /** After so many messages the process is as good as dead: nothing more is published. */
  readonly diesAfterPublishing?: number;
  /** The first commits are refused, as by a full disk. */
  readonly refusedCommits?: number;
  /** Commits seem to succeed, but are gone after a crash. */
  readonly losesCommits?: boolean;
  /** The first questions for ends and for committed offsets fail. */
  readonly refusedQuestions?: number;
}

/** The log with faults of its disk and crashes of its process; a crash may come between any two messages. */
export function withFaults(log: EventLog, faults: Faults): EventLog {
  let messagesLeft = faults.diesAfterPublishing ?? Number.POSITIVE_INFINITY;
  let refusedCommits = faults.refusedCommits ?? 0;
  let refusedQuestions = faults.refusedQuestions ?? 0;
  const refuse = (what: string) => {
    throw new LogError("log_unavailable", `${what} is refused: no space left`);
  };

  const faultyWork =
    (work: ConsumeOptions["work"]): ConsumeOptions["work"] =>
    (reader) =>
      work({
        topic: reader.topic,
        partition: reader.partition,
        signal: reader.signal,
        next: (limits) => reader.next(limits),
        seek: (offset) => reader.seek(offset),
        async committed(topic) {
          if (refusedQuestions-- > 0) refuse("a look at what is committed");
          return reader.committed(topic);
        },
        async commit(offset, topic) {
          if (refusedCommits-- > 0) refuse("a commit");
          if (faults.losesCommits !== true) await reader.commit(offset, topic);
        },
      });

  return {
    async publish(messages) {
      const taken = messages.slice(0, messagesLeft);
      messagesLeft -= taken.length;
      const positions = await log.publish(taken);
      if (taken.length < messages.length) refuse("a publish");
      return positions;
    },
    consume: (options) => log.consume({ ...options, work: faultyWork(options.work) }),
    follow: (options) => log.follow(options),
    read: (at) => log.read(at),
    async ends(topic) {
      if (refusedQuestions-- > 0) refuse("a look at the ends");
      return log.ends(topic);
    },
    close: () => log.close(),
  };
}
