import type { Logger } from "pino";
import { deadLetterSchema } from "../../ingest/dead-letter.ts";
import type { GroupEvent } from "../../ingest/log/group-event.ts";
import type { NewMessage } from "../../ingest/log/log.ts";

const part = "log";

const groupWords: Readonly<Record<GroupEvent["kind"], string>> = {
  assigned: "partitions were shared out",
  expelled: "was not heard of for its session: others have its partitions, it joins them anew",
  unreachable: "the brokers were out of reach for a whole session: work on its partitions waits for them",
};

/** Logs how the partitions of the log are shared out among processes. */
export const groupLines =
  (logger: Pick<Logger, "info" | "warn">) =>
  ({ kind, ...about }: GroupEvent): void =>
    logger[kind === "assigned" ? "info" : "warn"]({ part, ...about }, groupWords[kind]);

/** Named of what is published at once; the others are counted. */
const mostNamed = 10;

/** Logs each message that became a dead letter, by where it stood and why; what it says is for its organization alone. */
export const letterLines =
  (logger: Pick<Logger, "warn">) =>
  (published: readonly Pick<NewMessage, "topic" | "value">[]): void => {
    const letters = published.filter(({ topic }) => topic === "dead-letters");
    for (const { value } of letters.slice(0, mostNamed)) {
      const { id, source, partition, position, reason } = deadLetterSchema.parse(JSON.parse(value));
      logger.warn(
        { part, id, source, partition, position, reason },
        `dead-lettered: npm run dead-letters -- show ${id}`,
      );
    }
    const others = letters.length - mostNamed;
    if (others > 0) logger.warn({ part, letters: others }, "more were dead-lettered than are named");
  };
