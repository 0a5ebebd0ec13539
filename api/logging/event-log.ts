import type { Logger } from "pino";
import { deadLetterSchema } from "../../ingest/dead-letter.ts";
import type { GroupEvent } from "../../ingest/log/group-event.ts";
import type { NewMessage } from "../../ingest/log/log.ts";

const part = "log";

const groupMessages: Readonly<Record<GroupEvent["kind"], string>> = {
  assigned: "partitions were assigned",
  expelled: "the session timed out: the partitions were assigned to others, and the consumer joins the group again",
  unreachable: "the brokers could not be reached for a whole session: work on the partitions waits for them",
};

/** Logs how the partitions of the log are assigned to processes. */
export const logGroupEvents =
  (logger: Pick<Logger, "info" | "warn">) =>
  ({ kind, ...about }: GroupEvent): void =>
    logger[kind === "assigned" ? "info" : "warn"]({ part, ...about }, groupMessages[kind]);

/** Dead letters of one publish that are logged each; the rest is counted. */
const maxLogged = 10;

/** Logs the position and reason of each dead letter; its content is the organization's and is not logged. */
export const logDeadLetters =
  (logger: Pick<Logger, "warn">) =>
  (published: readonly Pick<NewMessage, "topic" | "value">[]): void => {
    const letters = published.filter(({ topic }) => topic === "dead-letters");
    for (const { value } of letters.slice(0, maxLogged)) {
      const { id, source, partition, position, reason } = deadLetterSchema.parse(JSON.parse(value));
      logger.warn(
        { part, id, source, partition, position, reason },
        `dead-lettered: npm run dead-letters -- show ${id}`,
      );
    }
    const others = letters.length - maxLogged;
    if (others > 0) logger.warn({ part, letters: others }, "more dead letters than are logged one by one");
  };
